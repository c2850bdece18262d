import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'

/** Creates the dues of a fix for each earner and for the tax deposit. */
export async function insertDuesOfFix(db: Db, operationId: number, now: Date) {
  await sql`
    insert into payroll_dues (earner_id, operation_id, amount, created_at)
    select earner_id, operation_id, -sum(difference), ${now}::timestamptz from payroll_adjustments
    where operation_id = ${operationId} and side = 'employee' group by 1, 2 having sum(difference) <> 0
    union all
    select null, operation_id, sum(difference), ${now}::timestamptz from payroll_adjustments
    where operation_id = ${operationId} group by 2 having sum(difference) <> 0`.execute(db)
}

/** Cancels the dues of an undone fix. Amounts already settled are reversed in the next pay run. */
export const undoDuesOfFix = (db: Db, operationId: number) =>
  db.updateTable('payroll_dues').set({ amount: '0' }).where('operation_id', '=', operationId).execute()

export const findOnsiteEntry = (db: Db, sessionId: number) =>
  db
    .selectFrom('payroll_entries')
    .select(['id', 'earner_id', 'status'])
    .where('onsite_session_id', '=', sessionId)
    .executeTakeFirst()

interface BookingEntryRow {
  id: number
  booking_id: number
  earner_id: number
  status: Row<'payroll_entries'>['status']
  /** Canceled before it was paid, or voided after. */
  is_void: boolean
}

/** The entries of bookings; each has at most one. */
export async function findBookingEntries(db: Db, bookings: readonly number[]): Promise<BookingEntryRow[]> {
  const { rows } = await sql<BookingEntryRow>`
    select id, booking_id, earner_id, status,
      status = 'cancelled' or exists (select from payroll_voids v where v.payroll_id = e.id) as is_void
    from payroll_entries e where booking_id = any(${bookings}::bigint[])`.execute(db)
  return rows
}

/** Voids a paid entry and creates dues for its net pay and its taxes, including adjustments. */
export async function insertVoid(
  db: Db,
  payrollId: number,
  by: { reason: string; workerId: number | null; now: Date },
) {
  await sql`
    insert into payroll_voids (payroll_id, reason, worker_id, created_at)
    values (${payrollId}, ${by.reason}, ${by.workerId}, ${by.now})`.execute(db)
  await sql`
    with entry as (
      select e.earner_id, e.net_pay, e.withheld + e.employer_tax as taxes,
        coalesce(sum(a.difference) filter (where a.side = 'employee'), 0) as employee, coalesce(sum(a.difference), 0) as all_sides
      from payroll_entries e left join payroll_adjustments a on a.payroll_id = e.id
        and not exists (select from payroll_undos u where u.operation_id = a.operation_id)
      where e.id = ${payrollId} group by 1, 2, 3)
    insert into payroll_dues (earner_id, void_id, amount, created_at)
    select * from (
      select earner_id, ${payrollId}::bigint, employee - net_pay as amount, ${by.now}::timestamptz from entry
      union all
      select null, ${payrollId}::bigint, -taxes - all_sides, ${by.now}::timestamptz from entry) dues
    where amount <> 0`.execute(db)
}

export interface DueRow extends Omit<Row<'payroll_dues'>, 'earner_id'> {
  reason: string
}

const reason = sql<string>`coalesce(v.reason, (select a.reason from payroll_adjustments a where a.operation_id = d.operation_id limit 1))`

/** The latest corrections of an earner's pay, with their open amounts. */
export async function findDuesOf(db: Db, earnerId: number, limit: number): Promise<DueRow[]> {
  const { rows } = await sql<DueRow>`
    select d.id, d.operation_id, d.void_id, d.amount, d.settled, d.remaining, d.created_at, ${reason} as reason
    from payroll_dues d left join payroll_voids v on v.payroll_id = d.void_id
    where d.earner_id = ${earnerId} order by d.id desc limit ${limit}`.execute(db)
  return rows
}

export interface SettlementRow {
  id: number
  transaction_id: number
  due_id: number
  operation_id: number | null
  void_id: number | null
  amount: string
  /** When the correction was made, and when it was settled. */
  created_at: Date
  paid_at: Date
}

/** Settlements of transactions or of dues. */
export async function findSettlements(
  db: Db,
  { transactions, dues }: { transactions?: readonly number[]; dues?: readonly number[] },
): Promise<SettlementRow[]> {
  const { rows } = await sql<SettlementRow>`
    select s.id, s.transaction_id, s.due_id, d.operation_id, d.void_id, s.amount, d.created_at, t.created_at as paid_at
    from payroll_settlements s join payroll_dues d on d.id = s.due_id join payroll_transactions t on t.id = s.transaction_id
    where ${transactions ? sql`s.transaction_id = any(${transactions})` : sql`s.due_id = any(${dues ?? []})`}
    order by s.id`.execute(db)
  return rows
}

export interface Unsettled {
  owed: string
  to_withhold: string
  deposits: string
}

/** Totals of open dues. */
export async function findUnsettled(db: Db): Promise<Unsettled> {
  const { rows } = await sql<Unsettled>`
    select coalesce(sum(remaining) filter (where earner_id is not null and remaining > 0), 0) as owed,
      coalesce(-sum(remaining) filter (where earner_id is not null and remaining < 0), 0) as to_withhold,
      coalesce(sum(remaining) filter (where earner_id is null), 0) as deposits
    from payroll_dues where remaining <> 0`.execute(db)
  const [row] = rows
  if (!row) throw new Error('An aggregate query returned no row')
  return row
}
