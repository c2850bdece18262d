import type { PeriodList } from '@limber/contract/payroll/entries/period.ts'
import { dollars } from '../lists/list.present.ts'
import type { PeriodRow } from './period.queries.ts'

export const presentPeriod = (row: PeriodRow): PeriodList['periods'][number] => ({
  id: row.id,
  starts_on: row.starts_on,
  ends_on: row.ends_on,
  pay_date: row.pay_date,
  frequency: row.frequency,
  status: row.closed_at ? 'closed' : 'open',
  closed_at: row.closed_at?.toISOString() ?? null,
  closed_by: row.closed_by_name,
  entries: row.entries,
  amount: dollars(row.amount),
  version: row.version,
})
