import { addDays } from '@limber/contract/kit/days.ts'
import { stringifyMoney } from '@limber/contract/kit/money.ts'
import { dayOf, periodOf } from '@limber/server/payroll/entries/period.rules.ts'
import { draftProfile } from '@limber/server/payroll/payroll.factory.ts'
import type { TaxProfile } from '@limber/server/payroll/tax/tax-profile.rules.ts'
import { sql } from 'kysely'
import { type EarnerCase, type PayTerms, payEarner, pickTaxProfile } from '../payroll/earner.ts'
import { duplicateSession, earnOnsite, earnStaff, earnStretcher } from '../payroll/earnings.ts'
import type { Earning, Entry } from '../payroll/entry.ts'
import type { PayrollError } from '../payroll/payroll-errors.ts'
import {
  closeOldPeriods,
  createPayPeriods,
  type PayrollState,
  writeCorrections,
  writeEntries,
} from '../payroll/write-payroll.ts'
import type { SeedContext, Seeder } from '../seeder.ts'

/** How far pay goes back, in days. */
const HISTORY = 425
const BATCH = 200

interface Person {
  stretcher_id: number | null
  worker_id: number | null
  since: string
  role: string | null
}

/** Fourteen months of pay for stretchers and staff. Correct, except for errors in the latest pay. */
export const payroll: Seeder = {
  name: 'Payroll',
  async seed(context) {
    const terms = await setTerms(context)
    const state = await createPayPeriods(context, addDays(terms.today, -HISTORY), terms.today)
    const people = await readPeople(context)
    for (let from = 0; from < people.length; from += BATCH)
      await payPeople(context, state, terms, people.slice(from, from + BATCH), from)
    await writeCorrections(context, state)
    await closeOldPeriods(context, terms.today)
  },
}

async function setTerms({ db, calendar }: SeedContext): Promise<PayTerms> {
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

async function readPeople({ db }: SeedContext): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select id as stretcher_id, null::bigint as worker_id, (hired_at at time zone 'America/Los_Angeles')::date::text as since, null as role
    from stretchers where status <> 'in_training'
    union all
    select null, id, (created_at at time zone 'America/Los_Angeles')::date::text, role from workers where status <> 'invited'
    order by 1 nulls last, 2`.execute(db)
  return rows
}

/** The latest pay date up to today. */
function latestPayDate(today: string): string {
  const { starts_on, pay_date } = periodOf(addDays(today, -5), 'biweekly')
  return pay_date <= today ? pay_date : periodOf(addDays(starts_on, -1), 'biweekly').pay_date
}

// A wrong filing status only changes the taxes of higher wages.
const errorsByRole: Record<string, PayrollError> = {
  Owner: 'wage_base',
  'Support Lead': 'late_change',
  Finance: 'wrong_status',
}

/** The payroll error of an earner: fixed for some roles; then every second busy stretcher gets one, until all are used. */
function errorFor(
  { role }: Person,
  state: PayrollState,
  earnings: readonly Earning[],
  today: string,
): PayrollError | undefined {
  if (role !== null) return errorsByRole[role]
  const latest = latestPayDate(today)
  const recent = earnings.filter(({ work_date }) => periodOf(work_date, 'biweekly').pay_date === latest)
  if (recent.length < 10) return undefined
  return state.busyStretchers++ % 2 === 1 ? state.unusedErrors.shift() : undefined
}

async function payPeople(
  context: SeedContext,
  state: PayrollState,
  terms: PayTerms,
  people: readonly Person[],
  offset: number,
) {
  const sessions = await readSessions(context, people)
  const onsiteSessions = await readOnsiteSessions(context, people)
  const profiles: object[] = []
  const entries: { earner_id: number; entry: Entry }[] = []
  await context.copy(
    'earners',
    people.map(({ stretcher_id, worker_id }, index) => ({
      id: offset + index + 1,
      stretcher_id,
      worker_id,
      created_at: context.calendar.at(-HISTORY, 540),
    })),
  )
  for (const [index, person] of people.entries()) {
    const earner_id = offset + index + 1
    const random = context.random(`payroll/${earner_id}`)
    const earnings =
      person.stretcher_id === null
        ? earnStaff(random, person.role ?? '', person.since, terms, HISTORY)
        : [
            ...earnStretcher(random, sessions.get(person.stretcher_id) ?? [], terms),
            ...earnOnsite(onsiteSessions.get(person.stretcher_id) ?? [], terms),
          ]
    const payrollError = errorFor(person, state, earnings, terms.today)
    const taxProfile: TaxProfile = {
      ...pickTaxProfile(random),
      ...(needsJointFiling(payrollError) && { filingStatus: 'married_jointly' }),
    }
    profiles.push(...taxProfileRows(context, state, earner_id, person.since, taxProfile, payrollError, terms.today))
    const earnerCase: EarnerCase = { taxProfile, payrollError, random }
    const all = payrollError === 'double' ? duplicateSession(earnings, latestPayDate(terms.today)) : earnings
    for (const entry of payEarner(all, terms, earnerCase)) entries.push({ earner_id, entry })
  }
  await context.copy('earner_tax_profiles', profiles)
  await writeEntries(context, state, entries)
}

const needsJointFiling = (error: PayrollError | undefined) => error === 'wrong_status' || error === 'late_change'

/** The tax profile at hiring. For a late change, also the new one, recorded today. */
function taxProfileRows(
  { calendar }: SeedContext,
  state: PayrollState,
  earner_id: number,
  since: string,
  { filingStatus, w4, de4 }: TaxProfile,
  payrollError: PayrollError | undefined,
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
    id: ++state.profile,
    ...draftProfile({ ...values, effective_from: since, filing_status: filingStatus }),
  }
  if (payrollError !== 'late_change') return [first]
  const late = draftProfile({
    ...values,
    effective_from: addDays(today, -20),
    filing_status: filingStatus,
    recorded_at: calendar.at(0, 8 * 60),
  })
  return [
    { ...first, filing_status: 'single' },
    { id: ++state.profile, ...late },
  ]
}

async function readSessions({ db }: SeedContext, people: readonly Person[]) {
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

/** Past on-site sessions that were not canceled. */
async function readOnsiteSessions({ db, calendar }: SeedContext, people: readonly Person[]) {
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
