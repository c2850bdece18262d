import { addDays } from '@limber/contract/kit/days.ts'
import { stringifyMoney } from '@limber/contract/kit/money.ts'
import { periodOf } from '@limber/server/payroll/entries/period.rules.ts'
import { reasonOf } from '@limber/server/payroll/fixes/fix.rules.ts'
import { sql } from 'kysely'
import type { SeedContext } from '../seeder.ts'
import type { Entry } from './entry.ts'
import { type PayrollError, stretcherErrors } from './payroll-errors.ts'

/** Pay periods by first day, the last ids used, and errors and corrections so far. */
export interface PayrollState {
  periods: Map<string, number>
  entry: number
  transaction: number
  profile: number
  /** Busy stretchers so far, and the errors that are not used yet. */
  busyStretchers: number
  unusedErrors: PayrollError[]
  /** Entries of an older pay date that were corrected later. */
  corrected: Corrected[]
}

interface Corrected {
  id: number
  earner_id: number
  withheld: bigint
  correct: bigint
  /** The payment that returned the excess withholding, and the tax deposit that was reduced by it. */
  settledBy?: { pay: Payment; deposit: Payment }
}

interface Payment {
  id: number
  earner_id: number | null
  period: number
  day: string
  type: string
  sum: bigint
}

/** Days ago: the work that was corrected, and the correction. */
const CORRECTED_AGO = 75
const FIXED_AGO = CORRECTED_AGO - 25

/** Creates the pay periods up to today. */
export async function createPayPeriods(context: SeedContext, from: string, today: string): Promise<PayrollState> {
  const state: PayrollState = {
    periods: new Map(),
    entry: 0,
    transaction: 0,
    profile: 0,
    busyStretchers: 0,
    unusedErrors: [...stretcherErrors],
    corrected: [],
  }
  const rows: object[] = []
  for (
    let period = periodOf(from, 'biweekly');
    period.starts_on <= today;
    period = periodOf(addDays(period.ends_on, 1), 'biweekly')
  ) {
    const id = state.periods.size + 1
    state.periods.set(period.starts_on, id)
    rows.push({ id, ...period, frequency: 'biweekly' })
  }
  await context.copy('pay_periods', rows)
  return state
}

const at = (day: string, time: string) => new Date(`${day}T${time}Z`)

/** Writes the entries of some earners, and the payments for them. */
export async function writeEntries(
  context: SeedContext,
  state: PayrollState,
  all: readonly { earner_id: number; entry: Entry }[],
) {
  const pays = new Map<string, Payment>()
  const deposits = new Map<number, Payment>()
  const payment = (earner_id: number | null, period: number, day: string, type: string): Payment => ({
    ...{ id: 0, earner_id, period, day, type, sum: 0n },
  })
  function* rows() {
    for (const { earner_id, entry } of all) {
      const pay_period_id = state.periods.get(entry.period.starts_on)
      if (pay_period_id === undefined) continue
      const { pay_date } = entry.period
      const id = ++state.entry
      const withheld = withholdingOf(context, state, id, earner_id, entry)
      if (entry.isPaid) {
        const type = entry.type === 'mileage' || entry.type === 'expense_reimbursement' ? 'reimbursement' : 'net_pay'
        const key = `${earner_id}/${pay_period_id}/${type}`
        const pay = pays.get(key) ?? payment(earner_id, pay_period_id, pay_date, type)
        pay.sum += entry.amount - withheld
        pays.set(key, pay)
        const deposit = deposits.get(pay_period_id) ?? payment(null, pay_period_id, pay_date, 'tax_deposit')
        deposit.sum += withheld + entry.employerTax
        deposits.set(pay_period_id, deposit)
      }
      yield {
        id,
        earner_id,
        type: entry.type,
        sub_type: entry.sub_type,
        amount: stringifyMoney(entry.amount),
        withheld: stringifyMoney(withheld),
        employer_tax: stringifyMoney(entry.employerTax),
        status: entry.isPaid ? 'paid' : 'pending',
        pay_period_id,
        work_date: entry.work_date,
        pay_date,
        booking_id: entry.booking_id,
        onsite_session_id: entry.onsite_session_id,
        created_at:
          at(entry.work_date, '23:20:00') < context.calendar.now
            ? at(entry.work_date, '23:20:00')
            : context.calendar.now,
        paid_at: entry.isPaid ? at(pay_date, '14:00:00') : null,
      }
    }
  }
  await context.copy('payroll_entries', rows())
  settle(context, state, pays, deposits)
  await context.copy('payroll_transactions', transactionRows(state, [...pays.values(), ...deposits.values()]))
}

/** Settles the correction by Finance with the next pay. */
function settle(
  { calendar }: SeedContext,
  state: PayrollState,
  pays: ReadonlyMap<string, Payment>,
  deposits: ReadonlyMap<number, Payment>,
) {
  const fixed = addDays(calendar.now.toISOString().slice(0, 10), -FIXED_AGO)
  const next = [...deposits.values()].filter(({ day }) => day > fixed).sort((a, b) => (a.day < b.day ? -1 : 1))[0]
  for (const one of state.corrected) {
    const pay = next && pays.get(`${one.earner_id}/${next.period}/net_pay`)
    if (!pay || one.settledBy) continue
    pay.sum += one.withheld - one.correct
    next.sum -= one.withheld - one.correct
    one.settledBy = { pay, deposit: next }
  }
}

function* transactionRows(state: PayrollState, payments: readonly Payment[]) {
  for (const payment of payments) {
    payment.id = ++state.transaction
    const { id, type, sum, earner_id, period, day } = payment
    yield {
      id,
      transaction_type: type,
      amount: stringifyMoney(sum),
      status: 'completed',
      earner_id,
      pay_period_id: period,
      created_at: at(day, type === 'tax_deposit' ? '18:30:00' : '14:00:00'),
    }
  }
}

/** A few older entries have too much withheld, which Finance corrected with one fix. */
function withholdingOf(
  { calendar }: SeedContext,
  state: PayrollState,
  id: number,
  earner_id: number,
  entry: Entry,
): bigint {
  const day = addDays(calendar.now.toISOString().slice(0, 10), -CORRECTED_AGO)
  const isCorrected =
    entry.isPaid && entry.period.starts_on <= day && day <= entry.period.ends_on && entry.withheld > 0n
  if (!isCorrected || entry.type !== 'break_time_pay' || state.corrected.length >= 5) return entry.withheld
  const withheld = entry.withheld + 1_2500n
  state.corrected.push({ id, earner_id, withheld, correct: entry.withheld })
  return withheld
}

/** The fix by Finance, and an earlier one that was undone. */
export async function writeCorrections({ db, calendar }: SeedContext, state: PayrollState) {
  if (state.corrected.length === 0) return
  const finance = await db.selectFrom('workers').select('id').where('role', '=', 'Finance').executeTakeFirst()
  const total = state.corrected.reduce((sum, { withheld, correct }) => sum + correct - withheld, 0n)
  const day = (ago: number) => addDays(calendar.now.toISOString().slice(0, 10), -ago)
  for (const [minutes, isUndone] of [
    [10 * 60 + 12, true],
    [10 * 60 + 31, false],
  ] as const) {
    const created_at = calendar.at(-FIXED_AGO, minutes)
    const { id } = await db
      .insertInto('payroll_operations')
      .values({
        period_start: day(CORRECTED_AGO + 15),
        period_end: day(CORRECTED_AGO - 22),
        worker_id: finance?.id ?? null,
        created_at,
        lines: state.corrected.length,
        employee_total: stringifyMoney(total),
        employer_total: '0',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const { id: payroll_id, earner_id, withheld, correct } of state.corrected)
      await db
        .insertInto('payroll_adjustments')
        .values({
          operation_id: id,
          payroll_id,
          earner_id,
          side: 'employee',
          before: stringifyMoney(withheld),
          after: stringifyMoney(correct),
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
          created_at: calendar.at(-FIXED_AGO, minutes + 4),
        })
        .execute()
    else await writeDues(db, id, state.corrected, created_at)
  }
}

/** What the fix left due, and how much of it was settled. */
async function writeDues(
  db: SeedContext['db'],
  operation_id: number,
  corrected: readonly Corrected[],
  created_at: Date,
) {
  const dueFor = async (earner_id: number | null, owed: bigint, parts: readonly { id: number; amount: bigint }[]) => {
    const settled = stringifyMoney(parts.reduce((sum, { amount }) => sum + amount, 0n))
    const { id: due_id } = await db
      .insertInto('payroll_dues')
      .values({ earner_id, operation_id, void_id: null, amount: stringifyMoney(owed), settled, created_at })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const { id, amount } of parts)
      await db
        .insertInto('payroll_settlements')
        .values({ due_id, transaction_id: id, amount: stringifyMoney(amount) })
        .execute()
  }
  const excess = ({ withheld, correct }: Corrected) => withheld - correct
  for (const [earner_id, own] of Map.groupBy(corrected, (one) => one.earner_id)) {
    const byPay = Map.groupBy(own, ({ settledBy }) => settledBy?.pay)
    byPay.delete(undefined)
    const parts = [...byPay].map(([pay, of]) => ({
      id: pay?.id ?? 0,
      amount: of.reduce((sum, one) => sum + excess(one), 0n),
    }))
    await dueFor(
      earner_id,
      own.reduce((sum, one) => sum + excess(one), 0n),
      parts,
    )
  }
  const byDeposit = Map.groupBy(corrected, ({ settledBy }) => settledBy?.deposit)
  byDeposit.delete(undefined)
  const parts = [...byDeposit].map(([one, of]) => ({
    id: one?.id ?? 0,
    amount: -of.reduce((sum, each) => sum + excess(each), 0n),
  }))
  await dueFor(null, -corrected.reduce((sum, one) => sum + excess(one), 0n), parts)
}

/** Finance closed all periods that were paid more than five weeks ago. */
export async function closeOldPeriods({ db, calendar }: SeedContext, today: string) {
  await sql`update pay_periods set closed_at = (pay_date + 21)::timestamp at time zone 'UTC' + interval '17 hours',
      closed_by = (select id from workers where role = 'Finance' order by id limit 1), version = version + 1
    where pay_date < ${addDays(today, -35)} and pay_date + 21 < ${calendar.now}::timestamptz::date`.execute(db)
}
