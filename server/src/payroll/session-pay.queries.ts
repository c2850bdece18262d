import { printMoney } from '@limber/contract/kit/money.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'

/** Where a reading of sessions ended. */
export interface SessionMark {
  starts_at: Date
  booking_id: number
}

export interface DoneSession extends SessionMark {
  stretcher_id: number
  work_date: string
}

/** Completed sessions that nobody was paid for yet, the oldest first, with their day by the clocks of their zone. */
export async function findUnpaidSessions(
  db: Db,
  limit: number,
  after: SessionMark | undefined,
): Promise<DoneSession[]> {
  const { rows } = await sql<DoneSession>`
    select b.id as booking_id, b.starts_at, b.stretcher_id, (b.starts_at at time zone z.time_zone)::date as work_date
    from bookings b join zones z on z.id = b.zone_id
    where b.status = 'completed' and b.stretcher_id is not null
      and not exists (select from payroll_entries e where e.booking_id = b.id)
      ${after ? sql`and (b.starts_at, b.id) > (${after.starts_at}::timestamptz, ${after.booking_id}::bigint)` : sql``}
    order by b.starts_at, b.id limit ${limit}`.execute(db)
  return rows
}

/** How many completed sessions from a day on nobody was paid for yet. */
export async function countUnpaidSessions(db: Db, from: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from bookings b join zones z on z.id = b.zone_id
    where b.status = 'completed' and b.stretcher_id is not null and b.starts_at >= ${from}::date - 1
      and (b.starts_at at time zone z.time_zone)::date >= ${from}
      and not exists (select from payroll_entries e where e.booking_id = b.id)`.execute(db)
  return rows[0]?.count ?? 0
}

/** The earners of stretchers; those who are none yet become one. */
export async function ensureEarners(db: Db, stretcherIds: readonly number[], now: Date): Promise<Map<number, number>> {
  await sql`insert into earners (stretcher_id, created_at)
    select s, ${now} from unnest(${stretcherIds}::bigint[]) s on conflict (stretcher_id) do nothing`.execute(db)
  const { rows } = await sql<{ id: number; stretcher_id: number }>`
    select id, stretcher_id from earners where stretcher_id = any(${stretcherIds})`.execute(db)
  return new Map(rows.map(({ id, stretcher_id }) => [stretcher_id, id]))
}

export interface SessionEntry {
  earner_id: number
  booking_id: number
  pay_period_id: number
  work_date: string
  pay_date: string
  amount: bigint
  withheld: bigint
  employer_tax: bigint
}

/** Writes session entries; a session that got its entry meanwhile is left alone. */
export async function insertSessionEntries(db: Db, entries: readonly SessionEntry[], now: Date): Promise<number> {
  const rows = entries.map((entry) => ({
    ...entry,
    amount: printMoney(entry.amount),
    withheld: printMoney(entry.withheld),
    employer_tax: printMoney(entry.employer_tax),
  }))
  const { numAffectedRows } = await sql`
    insert into payroll_entries (earner_id, type, sub_type, amount, withheld, employer_tax, status, pay_period_id, work_date, pay_date, booking_id, created_at)
    select r.earner_id, 'session', null, r.amount, r.withheld, r.employer_tax, 'pending', r.pay_period_id, r.work_date, r.pay_date, r.booking_id, ${now}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(earner_id bigint, booking_id bigint, pay_period_id bigint,
      work_date date, pay_date date, amount numeric, withheld numeric, employer_tax numeric)
    on conflict (booking_id) do nothing`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/** Marks what is due as paid and notes the money that leaves: net pay and reimbursements per earner, and the taxes. */
export async function payDue(db: Db, today: string, now: Date): Promise<number> {
  const { rows } = await sql<{ paid: number }>`
    with paid as (
      update payroll_entries set status = 'paid', paid_at = ${now} where status = 'pending' and pay_date <= ${today}
      returning earner_id, pay_period_id, type, net_pay, withheld + employer_tax as taxes
    ), outgoing as (
      insert into payroll_transactions (transaction_type, amount, status, earner_id, pay_period_id, created_at)
      select case when type in ('mileage', 'expense_reimbursement') then 'reimbursement' else 'net_pay' end,
        sum(net_pay), 'completed', earner_id, pay_period_id, ${now}::timestamptz from paid group by 1, earner_id, pay_period_id
      union all
      select 'tax_deposit', sum(taxes), 'pending', null, pay_period_id, ${now}::timestamptz from paid group by pay_period_id having sum(taxes) > 0
    )
    select count(*) as paid from paid`.execute(db)
  return rows[0]?.paid ?? 0
}
