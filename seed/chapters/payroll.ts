import { addDays } from '@limber/contract/kit/days.ts'
import { stringifyMoney } from '@limber/contract/kit/money.ts'
import { dayOf, periodOf } from '@limber/server/payroll/entries/period.rules.ts'
import { draftProfile } from '@limber/server/payroll/payroll.factory.ts'
import type { TaxProfile } from '@limber/server/payroll/tax/tax-profile.rules.ts'
import { sql } from 'kysely'
import type { Chapter, Story } from '../chapter.ts'
import { type Books, closeOldPeriods, openBooks, writeCorrections, writeEntries } from '../payroll/books.ts'
import { declare, type EarnerStory, type PayTerms, payEarner } from '../payroll/earner.ts'
import { earnOnsite, earnStaff, earnStretcher, typeAgain } from '../payroll/earnings.ts'
import type { Earning, Entry } from '../payroll/entry.ts'
import type { Plant } from '../payroll/plants.ts'

/** Pay reaches so far back, in days. */
const HISTORY = 425
const PORTION = 200

interface Person {
  stretcher_id: number | null
  worker_id: number | null
  since: string
  role: string | null
}

/** Fourteen months of pay for stretchers and staff, right but for what went wrong lately. */
export const payroll: Chapter = {
  name: 'Payroll',
  async tell(story) {
    const terms = await setTerms(story)
    const books = await openBooks(story, addDays(terms.today, -HISTORY), terms.today)
    const people = await readPeople(story)
    for (let from = 0; from < people.length; from += PORTION)
      await payPeople(story, books, terms, people.slice(from, from + PORTION), from)
    await writeCorrections(story, books)
    await closeOldPeriods(story, terms.today)
  },
}

async function setTerms({ db, calendar }: Story): Promise<PayTerms> {
  const today = dayOf(calendar.now)
  const base = { pay_frequency: 'biweekly', ui_rate: '0.034', worker_id: null } as const
  for (const [daysAgo, base_pay, tax_rate, onsite_hourly_pay] of [
    [300, '42', '0.18', null],
    [45, '44', '0.2', '36'],
  ] as const)
    await db
      .insertInto('payroll_settings')
      .values({
        ...base,
        base_pay,
        onsite_hourly_pay,
        tax_rate,
        effective_from: addDays(today, -daysAgo),
        changed_at: calendar.at(-daysAgo - 6, 15 * 60),
      })
      .execute()
  const settings = await db
    .selectFrom('payroll_settings')
    .selectAll()
    .orderBy('effective_from')
    .orderBy('version')
    .execute()
  return { today, settings }
}

async function readPeople({ db }: Story): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select id as stretcher_id, null::bigint as worker_id, (hired_at at time zone 'America/Los_Angeles')::date::text as since, null as role
    from stretchers where status <> 'in_training'
    union all
    select null, id, (created_at at time zone 'America/Los_Angeles')::date::text, role from workers where status <> 'invited'
    order by 1 nulls last, 2`.execute(db)
  return rows
}

/** The last pay date that has come. */
function latestPayDate(today: string): string {
  const { starts_on, pay_date } = periodOf(addDays(today, -5), 'biweekly')
  return pay_date <= today ? pay_date : periodOf(addDays(starts_on, -1), 'biweekly').pay_date
}

// A filing status only shows in the taxes of those who earn enough.
const ofRole: Record<string, Plant> = { Owner: 'wage_base', 'Support Lead': 'late_change', Finance: 'wrong_status' }

/** Who shows which mistake: some of the staff, and every second stretcher who was paid much lately, until each was made. */
function plantFor({ role }: Person, books: Books, earnings: readonly Earning[], today: string): Plant | undefined {
  if (role !== null) return ofRole[role]
  const latest = latestPayDate(today)
  const lately = earnings.filter(({ work_date }) => periodOf(work_date, 'biweekly').pay_date === latest)
  if (lately.length < 10) return undefined
  return books.busy++ % 2 === 1 ? books.mistakes.shift() : undefined
}

async function payPeople(story: Story, books: Books, terms: PayTerms, people: readonly Person[], offset: number) {
  const sessions = await readSessions(story, people)
  const visits = await readVisits(story, people)
  const profiles: object[] = []
  const entries: { earner_id: number; entry: Entry }[] = []
  await story.copy(
    'earners',
    people.map(({ stretcher_id, worker_id }, index) => ({
      id: offset + index + 1,
      stretcher_id,
      worker_id,
      created_at: story.calendar.at(-HISTORY, 540),
    })),
  )
  for (const [index, person] of people.entries()) {
    const earner_id = offset + index + 1
    const random = story.random(`payroll/${earner_id}`)
    const earnings =
      person.stretcher_id === null
        ? earnStaff(random, person.role ?? '', person.since, terms, HISTORY)
        : [
            ...earnStretcher(random, sessions.get(person.stretcher_id) ?? [], terms),
            ...earnOnsite(visits.get(person.stretcher_id) ?? [], terms),
          ]
    const plant = plantFor(person, books, earnings, terms.today)
    const declaration: TaxProfile = {
      ...declare(random),
      ...(needsJoint(plant) && { filingStatus: 'married_jointly' }),
    }
    profiles.push(...declared(story, books, earner_id, person.since, declaration, plant, terms.today))
    const own: EarnerStory = { declaration, plant, random }
    const all = plant === 'double' ? typeAgain(earnings, latestPayDate(terms.today)) : earnings
    for (const entry of payEarner(all, terms, own)) entries.push({ earner_id, entry })
  }
  await story.copy('earner_tax_profiles', profiles)
  await writeEntries(story, books, entries)
}

const needsJoint = (plant: Plant | undefined) => plant === 'wrong_status' || plant === 'late_change'

/** The declaration at hiring; who changed late has an older one too, and recorded the new one this week. */
function declared(
  { calendar }: Story,
  books: Books,
  earner_id: number,
  since: string,
  { filingStatus, w4, de4 }: TaxProfile,
  plant: Plant | undefined,
  today: string,
): object[] {
  const values = {
    earner_id,
    step2_checkbox: w4.step2,
    step3_credits: stringifyMoney(w4.step3),
    step4c_extra: stringifyMoney(w4.step4c),
    regular_allowances: de4.regular,
    estimated_allowances: de4.estimated,
  }
  const first = {
    id: ++books.profile,
    ...draftProfile({ ...values, effective_from: since, filing_status: filingStatus }),
  }
  if (plant !== 'late_change') return [first]
  const late = draftProfile({
    ...values,
    effective_from: addDays(today, -20),
    filing_status: filingStatus,
    recorded_at: calendar.at(0, 8 * 60),
  })
  return [
    { ...first, filing_status: 'single' },
    { id: ++books.profile, ...late },
  ]
}

async function readSessions({ db }: Story, people: readonly Person[]) {
  const ids = people.flatMap(({ stretcher_id }) => (stretcher_id === null ? [] : [stretcher_id]))
  const { rows } = await sql<{ id: number | string; stretcher_id: number | string; work_date: string }>`
    select b.id, b.stretcher_id, (b.starts_at at time zone z.time_zone)::date::text as work_date
    from bookings b join zones z on z.id = b.zone_id
    where b.status = 'completed' and b.stretcher_id = any(${ids}) order by b.starts_at, b.id`.execute(db)
  return Map.groupBy(
    rows.map((row) => ({ id: Number(row.id), work_date: row.work_date, stretcher_id: Number(row.stretcher_id) })),
    ({ stretcher_id }) => stretcher_id,
  )
}

/** The on-site sessions that were held. */
async function readVisits({ db, calendar }: Story, people: readonly Person[]) {
  const ids = people.flatMap(({ stretcher_id }) => (stretcher_id === null ? [] : [stretcher_id]))
  const { rows } = await sql<{ id: number | string; stretcher_id: number | string; work_date: string; hours: number }>`
    select o.id, o.stretcher_id, (o.starts_at at time zone z.time_zone)::date::text as work_date, p.block_hours as hours
    from onsite_sessions o join prepaid_blocks p on p.id = o.block_id join businesses u on u.id = o.business_id
    join zones z on z.id = u.zone_id
    where o.cancelled_at is null and o.ends_at <= ${calendar.now} and o.stretcher_id = any(${ids})
    order by o.starts_at, o.id`.execute(db)
  return Map.groupBy(
    rows.map(({ id, stretcher_id, ...row }) => ({ ...row, id: Number(id), stretcher_id: Number(stretcher_id) })),
    ({ stretcher_id }) => stretcher_id,
  )
}
