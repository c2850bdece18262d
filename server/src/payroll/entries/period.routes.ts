import { paginate } from '@limber/contract/kit/page.ts'
import { closePeriod, listPeriods } from '@limber/contract/payroll/entries/period.ts'
import { readPeriodStory } from '@limber/contract/payroll/entries/period-story.ts'
import { checkVersion } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { lockLedger } from '../lists/ledger.queries.ts'
import { presentPeriod } from './period.present.ts'
import { closePeriodRow, findPeriod, findPeriodPage } from './period.queries.ts'
import { dayOf } from './period.rules.ts'
import { tellPeriod } from './period-story.ts'

export const periodRoutes = [
  serve(listPeriods, async ({ query: { page, limit }, db }) => {
    const { total, rows } = await findPeriodPage(db, limit, (page - 1) * limit)
    return { periods: rows.map(presentPeriod), pagination: paginate(page, limit, total) }
  }),

  serve(readPeriodStory, async ({ query: { period_id }, db, now }) => ({
    story: await tellPeriod(db, period_id, dayOf(now)),
  })),

  serve(closePeriod, async ({ body: { period_id, version }, db, worker, now, audit, publish, emit }) => {
    await lockLedger(db)
    const period = await findPeriod(db, period_id)
    if (!period) throw refuse(closePeriod, 'unknown')
    if (period.closed_at) throw refuse(closePeriod, 'already_closed', { current: presentPeriod(period) })
    await checkVersion(closePeriod, period, version, presentPeriod)
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
    return presentPeriod(closed)
  }),
]
