import { allowedEmailRoutes } from './allowed-email.routes.ts'
import { blockRoutes } from './block.routes.ts'
import { businessRoutes } from './business.routes.ts'
import { onsiteRoutes } from './onsite.routes.ts'
import { onsiteCalendarRoutes } from './onsite-calendar.routes.ts'
import { zoneRoutes } from './zone.routes.ts'

export const businessesRoutes = [
  ...businessRoutes,
  ...blockRoutes,
  ...allowedEmailRoutes,
  ...onsiteRoutes,
  ...onsiteCalendarRoutes,
  ...zoneRoutes,
]
