import { paginate } from '@limber/contract/kit/page.ts'
import { closePeriod, listPeriods, type PeriodList } from '@limber/contract/payroll/entries/period.ts'
import { checkVersion } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { lockLedger } from '../lists/ledger.queries.ts'
import { dollars } from '../lists/list.present.ts'
import { closePeriodRow, findPeriod, findPeriodPage, type PeriodRow } from './period.queries.ts'
import { dayOf } from './period.rules.ts'

const present = (row: PeriodRow): PeriodList['periods'][number] => ({
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

export const periodRoutes = [
  serve(listPeriods, async ({ query: { page, limit }, db }) => {
    const { total, rows } = await findPeriodPage(db, limit, (page - 1) * limit)
    return { periods: rows.map(present), pagination: paginate(page, limit, total) }
  }),

  serve(closePeriod, async ({ body: { period_id, version }, db, worker, now, audit, publish, emit }) => {
    await lockLedger(db)
    const period = await findPeriod(db, period_id)
    if (!period) throw refuse(closePeriod, 'unknown')
    if (period.closed_at) throw refuse(closePeriod, 'already_closed', { current: present(period) })
    await checkVersion(closePeriod, period, version, present)
    if (period.pay_date > dayOf(now)) throw refuse(closePeriod, 'not_over')
    if (period.pending > 0) throw refuse(closePeriod, 'has_pending', { values: { count: period.pending } })
    await closePeriodRow(db, period_id, worker.workerId, now)
    const closed = await findPeriod(db, period_id)
    if (!closed) throw new Error('The pay period no longer exists')
    audit({ action: 'payroll.period_closed', subject: 'pay_period', subjectId: period_id })
    const { starts_on: period_start, ends_on: period_end, pay_date } = closed
    emit({
      type: 'payroll.period_closed',
      of: 'period',
      ids: {},
      facts: { period_id, period_start, period_end, pay_date },
    })
    publish('payroll', { periodId: period_id })
    return present(closed)
  }),
]
