import { paginate } from '@limber/contract/kit/page.ts'
import { listByZone, listStretchers, readStretcher } from '@limber/contract/stretchers/stretcher.ts'
import { containing } from '#platform/db/like.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type Route, serve } from '#platform/http/routes.ts'
import { showStretcher, todayAt } from './show-stretcher.ts'
import { presentStretcher } from './stretcher.present.ts'
import { findSessionStretchers } from './stretcher.queries.ts'
import { lockZone } from './stretcher-change.queries.ts'
import { countStretchers, findStretchers } from './stretcher-list.queries.ts'
import type { TrainingService } from './training-service.ts'

export const stretcherRoutes = (training: TrainingService): Route[] => [
  serve(listStretchers, async ({ query, db, now }) => {
    const { page, limit, search, status, zone, sort, order } = query
    const today = todayAt(now)
    const { total, rows } = await findStretchers(db, {
      ...today,
      pattern: search === '' ? undefined : containing(search),
      status,
      zone,
      sort,
      order,
      limit,
      offset: (page - 1) * limit,
    })
    const progress = await training.findProgress(
      db,
      rows.map(({ customer_id }) => customer_id),
    )
    return {
      stretchers: rows.map((row) => presentStretcher(row, progress.get(row.customer_id))),
      pagination: paginate(page, limit, total),
      counts: await countStretchers(db, today.today),
    }
  }),

  serve(readStretcher, ({ params, db, now }) => showStretcher(training, db, params.id, now)),

  serve(listByZone, async ({ body, db, now }) => {
    if (!(await lockZone(db, body.zone_id))) throw refuse(listByZone, 'no_zone')
    const stretchers = await findSessionStretchers(db, { zoneId: body.zone_id, at: now })
    return { stretchers: stretchers.map(({ id, name, readiness }) => ({ id, name, readiness })) }
  }),
]
