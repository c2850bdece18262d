import type { Db } from '#platform/db/db.ts'
import { earnerName } from './audit.queries.ts'

export const findEntry = (db: Db, id: number) =>
  db
    .selectFrom('payroll_entries as e')
    .innerJoin('pay_periods as p', 'p.id', 'e.pay_period_id')
    .innerJoin('earners as n', 'n.id', 'e.earner_id')
    .leftJoin('stretchers as s', 's.id', 'n.stretcher_id')
    .leftJoin('workers as w', 'w.id', 'n.worker_id')
    .select(earnerName.as('earner_name'))
    .select(['e.earner_id', 'e.type', 'e.status', 'e.work_date', 'e.pay_date', 'e.pay_period_id'])
    .leftJoin('payroll_voids as v', 'v.payroll_id', 'e.id')
    .select('v.created_at as voided_at')
    .select(['p.starts_on', 'p.ends_on', 'p.closed_at'])
    .where('e.id', '=', id)
    .executeTakeFirst()
