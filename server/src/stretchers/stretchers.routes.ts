import type { Route } from '#platform/http/routes.ts'
import { hireRoutes } from './hire.routes.ts'
import { stretcherRoutes } from './stretcher.routes.ts'
import { stretcherChangeRoutes } from './stretcher-change.routes.ts'
import type { TrainingDesk } from './training-desk.ts'

/** The calls of stretchers; training says what they ask of it. */
export const stretchersRoutes = (desk: TrainingDesk): Route[] => [
  ...stretcherRoutes(desk),
  ...hireRoutes(desk),
  ...stretcherChangeRoutes(desk),
]
