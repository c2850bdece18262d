import type { Route } from '#platform/http/routes.ts'
import { cityRoutes } from './city.routes.ts'
import { figureRoutes } from './figure.routes.ts'
import { healthRoutes } from './health.routes.ts'
import { mapRoutes } from './map.routes.ts'
import { partnerRoutes } from './partners/partner.routes.ts'
import { referralRoutes } from './referrals/referral.routes.ts'
import { taskRoutes } from './task.routes.ts'
import { teamRoutes } from './team/team.routes.ts'

export const growthRoutes: readonly Route[] = [
  ...mapRoutes,
  ...cityRoutes,
  ...healthRoutes,
  ...taskRoutes,
  ...figureRoutes,
  ...referralRoutes,
  ...teamRoutes,
  ...partnerRoutes,
]
