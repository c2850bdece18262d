import type { Area } from '#platform/area.ts'
import { withExports } from '#platform/exports/export.ts'
import { growthExports } from './exports.ts'
import { startFigureRefresh } from './figures/refresh-figures.ts'
import { growthSchedules } from './growth.jobs.ts'
import { cityRoutes } from './map/city.routes.ts'
import { mapRoutes } from './map/map.routes.ts'
import { figureRoutes } from './overview/figure.routes.ts'
import { healthRoutes } from './overview/health.routes.ts'
import { partnerRoutes } from './partners/partner.routes.ts'
import { eraseReviews } from './referrals/erase-referral.queries.ts'
import { referralRoutes } from './referrals/referral.routes.ts'
import { referralSyncRoutes } from './referrals/referral-sync.ts'
import { referralSources } from './referrals/referral-timeline.queries.ts'
import { taskRoutes } from './tasks/task.routes.ts'
import { taskHistory } from './tasks/task-history.queries.ts'
import { teamRoutes } from './team/team.routes.ts'

export const growthArea: Area = {
  routes: () =>
    withExports(
      [
        ...mapRoutes,
        ...cityRoutes,
        ...healthRoutes,
        ...taskRoutes,
        ...figureRoutes,
        ...referralRoutes,
        ...referralSyncRoutes,
        ...teamRoutes,
        ...partnerRoutes,
      ],
      growthExports,
    ),
  schedules: growthSchedules,
  backgroundLoops: [startFigureRefresh],
  timeline: referralSources,
  histories: [taskHistory],
  onErase: eraseReviews,
}
