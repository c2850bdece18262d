import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { earnerName } from '../audit/audit.queries.ts'
import type { AdjustedSum, EarnerSum } from './period-story.rules.ts'

/** A period, or else the next one to be paid, or else the latest; with its neighbors. */
export async function findStoryPeriod(db: Db, id: number | undefined, today: string) {
  const isChosen = id === undefined ? sql`true` : sql`p.id = ${id}`
  const { rows } = await sql<{ id: number; before_id: number | null; next_id: number | null }>`
    select p.id,
      (select b.id from pay_periods b where b.starts_on < p.starts_on order by b.starts_on desc limit 1) as before_id,
      (select n.id from pay_periods n where n.starts_on > p.starts_on order by n.starts_on limit 1) as next_id
    from pay_periods p where ${isChosen}
    order by p.pay_date >= ${today}::date desc, abs(p.pay_date - ${today}::date) limit 1`.execute(db)
  return rows[0]
}

/** The entries of periods by earner and type, without canceled and voided ones. */
export async function sumPeriods(db: Db, ids: readonly number[]): Promise<EarnerSum[]> {
  const { rows } = await sql<EarnerSum>`
    select e.pay_period_id as period_id, e.earner_id, e.type, count(*) as entries, sum(e.amount) as amount,
      sum(e.withheld) as withheld, sum(e.employer_tax) as employer_tax,
      count(*) filter (where e.status = 'pending') as pending,
      coalesce(sum(e.amount) filter (where e.status = 'pending'), 0) as pending_amount
    from payroll_entries e where e.pay_period_id = any(${ids}::bigint[]) and e.status <> 'cancelled'
      and not exists (select from payroll_voids v where v.payroll_id = e.id)
    group by 1, 2, 3`.execute(db)
  return rows
}

/** The adjustments of the same entries that were not undone, by side. */
export async function sumAdjustments(db: Db, ids: readonly number[]): Promise<AdjustedSum[]> {
  const { rows } = await sql<AdjustedSum>`
    select e.pay_period_id as period_id, a.side, sum(a.difference) as difference
    from payroll_adjustments a join payroll_entries e on e.id = a.payroll_id
    where e.pay_period_id = any(${ids}::bigint[]) and e.status <> 'cancelled'
      and not exists (select from payroll_voids v where v.payroll_id = e.id)
      and not exists (select from payroll_undos u where u.operation_id = a.operation_id)
    group by 1, 2`.execute(db)
  return rows
}

interface Earner {
  id: number
  name: string
  has_profile: boolean
}

/** The earners by name, and whether they have a tax profile on a day. */
export async function findEarners(db: Db, ids: readonly number[], day: string): Promise<Earner[]> {
  const { rows } = await sql<Earner>`
    select n.id, ${earnerName} as name, exists (
      select from earner_tax_profiles p where p.earner_id = n.id and p.effective_from <= ${day}::date) as has_profile
    from earners n left join stretchers s on s.id = n.stretcher_id left join workers w on w.id = n.worker_id
    where n.id = any(${ids}::bigint[]) order by 2, 1`.execute(db)
  return rows
}

/** How many periods before a day were paid and are still open. */
export async function countOpenPeriods(db: Db, before: string, today: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pay_periods
    where closed_at is null and pay_date < ${before}::date and pay_date < ${today}::date`.execute(db)
  return rows[0]?.count ?? 0
}
