import type { Route } from '#platform/routes.ts'
import { cityRoutes } from './city.routes.ts'
import { figureRoutes } from './figure.routes.ts'
import { healthRoutes } from './health.routes.ts'
import { mapRoutes } from './map.routes.ts'
import { taskRoutes } from './task.routes.ts'

export const growthRoutes: readonly Route[] = [
  ...mapRoutes,
  ...cityRoutes,
  ...healthRoutes,
  ...taskRoutes,
  ...figureRoutes,
]
