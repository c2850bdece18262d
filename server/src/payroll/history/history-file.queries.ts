import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'

export interface PaidRow
  extends Pick<
    Row<'payroll_history'>,
    'id' | 'type' | 'amount' | 'withheld' | 'employer_tax' | 'work_date' | 'pay_date'
  > {
  stretcher_id: number | null
  email: string | null
}

const history = sql`
  select id, earner_id, type, amount, withheld, employer_tax, work_date, pay_date from payroll_history
  where voided_at is null`

/** As they count: with adjustments, without voided ones. */
const entries = sql`
  select id, earner_id, type, amount, withheld + coalesce(a.employee, 0) as withheld,
    employer_tax + coalesce(a.employer, 0) as employer_tax, work_date, pay_date
  from payroll_entries e
  left join lateral (
    select sum(difference) filter (where side = 'employee') as employee, sum(difference) filter (where side = 'employer') as employer
    from payroll_adjustments a where a.payroll_id = e.id
      and not exists (select from payroll_undos u where u.operation_id = a.operation_id)) a on true
  where status = 'paid' and not exists (select from payroll_voids v where v.payroll_id = e.id)`

/** Pay that was paid, after an id. */
export async function findPaidAfter(db: Db, from: 'history' | 'entries', after: number, limit: number) {
  const { rows } = await sql<PaidRow>`
    select l.id, n.stretcher_id, w.email, l.type, l.amount, l.withheld, l.employer_tax, l.work_date, l.pay_date
    from (${from === 'history' ? history : entries} and id > ${after} order by id limit ${limit}) l
    join earners n on n.id = l.earner_id left join workers w on w.id = n.worker_id order by l.id`.execute(db)
  return rows
}
