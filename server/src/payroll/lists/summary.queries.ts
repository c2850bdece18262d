import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'

interface Dates {
  from?: string | undefined
  to?: string | undefined
}

export interface TotalsRow {
  entries: number
  amount: string
  withheld: string
  employer_tax: string
  pending_entries: number
  pending_amount: string
  employee_adjustments: string
  employer_adjustments: string
  earners: number
  last_updated: Date | null
}

export const within = (column: string, { from, to }: Dates) => sql`
  ${from === undefined ? sql`` : sql`and ${sql.ref(column)} >= ${from}`} ${to === undefined ? sql`` : sql`and ${sql.ref(column)} <= ${to}`}`

/**
 * Sums of paid and pending entries without voided ones, and of adjustments that were not undone. Undoing a fix and voiding
 * an entry also update `last_updated`.
 */
export async function findTotals(db: Db, dates: Dates): Promise<TotalsRow> {
  const { rows } = await sql<TotalsRow>`
    with t as (select * from payroll_totals where true ${within('pay_date', dates)}),
    adjusted as (
      select a.side, sum(a.difference) filter (where u.operation_id is null) as difference,
        max(greatest(a.created_at, u.created_at)) as at
      from payroll_adjustments a
      join payroll_entries e on e.id = a.payroll_id left join payroll_undos u on u.operation_id = a.operation_id
      where not exists (select from payroll_voids v where v.payroll_id = a.payroll_id) ${within('e.pay_date', dates)} group by 1),
    voided as (
      select count(*) as entries, coalesce(sum(e.amount), 0) as amount, coalesce(sum(e.withheld), 0) as withheld,
        coalesce(sum(e.employer_tax), 0) as employer_tax, max(v.created_at) as at
      from payroll_voids v join payroll_entries e on e.id = v.payroll_id where true ${within('e.pay_date', dates)})
    select (coalesce(sum(entries) filter (where status = 'paid'), 0) - (select entries from voided))::bigint as entries,
      coalesce(sum(amount) filter (where status = 'paid'), 0) - (select amount from voided) as amount,
      coalesce(sum(withheld) filter (where status = 'paid'), 0) - (select withheld from voided) as withheld,
      coalesce(sum(employer_tax) filter (where status = 'paid'), 0) - (select employer_tax from voided) as employer_tax,
      coalesce(sum(entries) filter (where status = 'pending'), 0)::bigint as pending_entries,
      coalesce(sum(amount) filter (where status = 'pending'), 0) as pending_amount,
      coalesce((select difference from adjusted where side = 'employee'), 0) as employee_adjustments,
      coalesce((select difference from adjusted where side = 'employer'), 0) as employer_adjustments,
      (select count(*) from earners n where exists (
        select from payroll_entries e where e.earner_id = n.id and e.status = 'paid' ${within('e.pay_date', dates)})) as earners,
      greatest(max(changed_at), (select max(at) from adjusted), (select at from voided)) as last_updated
    from t`.execute(db)
  const [row] = rows
  if (!row) throw new Error('An aggregate query returned no row')
  return row
}

export interface PeriodSumRow extends Omit<Row<'pay_periods'>, 'frequency' | 'closed_by' | 'version'> {
  entries: number
  amount: string
  taxes: string
}

/** The latest pay periods with their earnings, and taxes including adjustments that were not undone. */
export async function findPeriodSums(db: Db, count: number): Promise<PeriodSumRow[]> {
  const { rows } = await sql<PeriodSumRow>`
    with p as (select * from pay_periods order by pay_date desc, id desc limit ${count}),
    adjusted as (
      select e.pay_period_id, sum(a.difference) as difference from payroll_adjustments a
      join payroll_entries e on e.id = a.payroll_id left join payroll_undos u on u.operation_id = a.operation_id
      where u.operation_id is null and e.pay_period_id in (select id from p)
        and not exists (select from payroll_voids v where v.payroll_id = e.id) group by 1),
    voided as (
      select e.pay_period_id, count(*) as entries, sum(e.amount) as amount, sum(e.withheld + e.employer_tax) as taxes
      from payroll_voids v join payroll_entries e on e.id = v.payroll_id where e.pay_period_id in (select id from p) group by 1)
    select p.id, p.starts_on, p.ends_on, p.pay_date, p.closed_at, (coalesce(sum(t.entries), 0) - coalesce(v.entries, 0))::bigint as entries,
      coalesce(sum(t.amount), 0) - coalesce(v.amount, 0) as amount,
      coalesce(sum(t.withheld + t.employer_tax), 0) + coalesce(a.difference, 0) - coalesce(v.taxes, 0) as taxes
    from p left join payroll_totals t on t.pay_period_id = p.id and t.status <> 'cancelled'
    left join adjusted a on a.pay_period_id = p.id left join voided v on v.pay_period_id = p.id
    group by p.id, p.starts_on, p.ends_on, p.pay_date, p.closed_at, a.difference, v.entries, v.amount, v.taxes order by p.pay_date desc, p.id desc`.execute(
    db,
  )
  return rows
}

export async function findNextPayDate(db: Db, today: string): Promise<string | undefined> {
  const { rows } = await sql<{ pay_date: string }>`
    select pay_date from payroll_totals where status = 'pending' and entries > 0 and pay_date >= ${today}
    order by pay_date limit 1`.execute(db)
  return rows[0]?.pay_date
}
