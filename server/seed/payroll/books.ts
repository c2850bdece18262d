import { addDays } from '@limber/contract/kit/days.ts'
import { printMoney } from '@limber/contract/kit/money.ts'
import { sql } from 'kysely'
import { reasonOf } from '#payroll/fix.rules.ts'
import { periodOf } from '#payroll/period.rules.ts'
import type { Story } from '../chapter.ts'
import type { Entry } from './entry.ts'
import { type Plant, stretcherPlants } from './plants.ts'

/** Periods by their first day, and the ids given so far. */
export interface Books {
  periods: Map<string, number>
  entry: number
  transaction: number
  profile: number
  /** Stretchers met who were paid much lately, and the mistakes that are still to be made. */
  busy: number
  mistakes: Plant[]
  /** Entries of a pay date long past that were corrected since. */
  corrected: { id: number; earner_id: number; withheld: bigint; right: bigint }[]
}

const CORRECTED_AGO = 75

/** Makes the pay periods of the whole story, up to the one of today. */
export async function openBooks(story: Story, from: string, today: string): Promise<Books> {
  const books: Books = {
    periods: new Map(),
    entry: 0,
    transaction: 0,
    profile: 0,
    busy: 0,
    mistakes: [...stretcherPlants],
    corrected: [],
  }
  const rows: object[] = []
  for (
    let period = periodOf(from, 'biweekly');
    period.starts_on <= today;
    period = periodOf(addDays(period.ends_on, 1), 'biweekly')
  ) {
    const id = books.periods.size + 1
    books.periods.set(period.starts_on, id)
    rows.push({ id, ...period, frequency: 'biweekly' })
  }
  await story.copy('pay_periods', rows)
  return books
}

const at = (day: string, time: string) => new Date(`${day}T${time}Z`)

/** Writes the entries of some earners, and the money that left for them. */
export async function writeEntries(story: Story, books: Books, all: readonly { earner_id: number; entry: Entry }[]) {
  const transactions = new Map<string, { earner_id: number; period: number; day: string; type: string; sum: bigint }>()
  const taxes = new Map<number, { day: string; sum: bigint }>()
  function* rows() {
    for (const { earner_id, entry } of all) {
      const pay_period_id = books.periods.get(entry.period.starts_on)
      if (pay_period_id === undefined) continue
      const { pay_date } = entry.period
      const id = ++books.entry
      const withheld = correct(story, books, id, earner_id, entry)
      if (entry.isPaid) {
        const type = entry.type === 'mileage' || entry.type === 'expense_reimbursement' ? 'reimbursement' : 'net_pay'
        const key = `${earner_id}/${pay_period_id}/${type}`
        const known = transactions.get(key) ?? { earner_id, period: pay_period_id, day: pay_date, type, sum: 0n }
        known.sum += entry.amount - withheld
        transactions.set(key, known)
        const due = taxes.get(pay_period_id) ?? { day: pay_date, sum: 0n }
        due.sum += withheld + entry.employerTax
        taxes.set(pay_period_id, due)
      }
      yield {
        id,
        earner_id,
        type: entry.type,
        sub_type: entry.sub_type,
        amount: printMoney(entry.amount),
        withheld: printMoney(withheld),
        employer_tax: printMoney(entry.employerTax),
        status: entry.isPaid ? 'paid' : 'pending',
        pay_period_id,
        work_date: entry.work_date,
        pay_date,
        booking_id: entry.booking_id,
        onsite_session_id: entry.onsite_session_id,
        created_at:
          at(entry.work_date, '23:20:00') < story.calendar.now ? at(entry.work_date, '23:20:00') : story.calendar.now,
        paid_at: entry.isPaid ? at(pay_date, '14:00:00') : null,
      }
    }
  }
  await story.copy('payroll_entries', rows())
  await story.copy('payroll_transactions', moneyOut(books, transactions.values(), taxes))
}

function* moneyOut(
  books: Books,
  pays: Iterable<{ earner_id: number; period: number; day: string; type: string; sum: bigint }>,
  taxes: ReadonlyMap<number, { day: string; sum: bigint }>,
) {
  for (const { earner_id, period, day, type, sum } of pays)
    yield {
      id: ++books.transaction,
      transaction_type: type,
      amount: printMoney(sum),
      status: 'completed',
      earner_id: earner_id as number | null,
      pay_period_id: period,
      created_at: at(day, '14:00:00'),
    }
  for (const [period, { day, sum }] of taxes)
    yield {
      id: ++books.transaction,
      transaction_type: 'tax_deposit',
      amount: printMoney(sum),
      status: 'completed',
      earner_id: null,
      pay_period_id: period,
      created_at: at(day, '18:30:00'),
    }
}

/** A few entries of summer had too much withheld; Finance made it good with one fix. */
function correct({ calendar }: Story, books: Books, id: number, earner_id: number, entry: Entry): bigint {
  const day = addDays(calendar.now.toISOString().slice(0, 10), -CORRECTED_AGO)
  const isOurs = entry.isPaid && entry.period.starts_on <= day && day <= entry.period.ends_on && entry.withheld > 0n
  if (!isOurs || entry.type !== 'break_time_pay' || books.corrected.length >= 5) return entry.withheld
  const withheld = entry.withheld + 1_2500n
  books.corrected.push({ id, earner_id, withheld, right: entry.withheld })
  return withheld
}

/** The fix of summer, by Finance, and one that was taken back before it. */
export async function writeCorrections({ db, calendar }: Story, books: Books) {
  if (books.corrected.length === 0) return
  const finance = await db.selectFrom('workers').select('id').where('role', '=', 'Finance').executeTakeFirst()
  const total = books.corrected.reduce((sum, { withheld, right }) => sum + right - withheld, 0n)
  const day = (ago: number) => addDays(calendar.now.toISOString().slice(0, 10), -ago)
  for (const [minutes, isUndone] of [
    [10 * 60 + 12, true],
    [10 * 60 + 31, false],
  ] as const) {
    const created_at = calendar.at(5 - CORRECTED_AGO + 20, minutes)
    const { id } = await db
      .insertInto('payroll_operations')
      .values({
        period_start: day(CORRECTED_AGO + 15),
        period_end: day(CORRECTED_AGO - 22),
        worker_id: finance?.id ?? null,
        created_at,
        lines: books.corrected.length,
        employee_total: printMoney(total),
        employer_total: '0',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const { id: payroll_id, earner_id, withheld, right } of books.corrected)
      await db
        .insertInto('payroll_adjustments')
        .values({
          operation_id: id,
          payroll_id,
          earner_id,
          side: 'employee',
          before: printMoney(withheld),
          after: printMoney(right),
          reason: reasonOf(day(CORRECTED_AGO + 15), day(CORRECTED_AGO - 22)),
          created_at,
        })
        .execute()
    if (isUndone)
      await db
        .insertInto('payroll_undos')
        .values({
          operation_id: id,
          worker_id: finance?.id ?? null,
          created_at: calendar.at(5 - CORRECTED_AGO + 20, minutes + 4),
        })
        .execute()
  }
}

/** Periods that were paid more than five weeks ago are closed, by Finance. */
export async function closeOldPeriods({ db, calendar }: Story, today: string) {
  await sql`update pay_periods set closed_at = (pay_date + 21)::timestamp at time zone 'UTC' + interval '17 hours',
      closed_by = (select id from workers where role = 'Finance' order by id limit 1), version = version + 1
    where pay_date < ${addDays(today, -35)} and pay_date + 21 < ${calendar.now}::timestamptz::date`.execute(db)
}
