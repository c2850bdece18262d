import type { Area } from '#platform/area.ts'
import { eraseStretcher, followEmail } from './customer.queries.ts'
import { hireRoutes } from './hire.routes.ts'
import { stretcherRoutes } from './stretcher.routes.ts'
import { stretcherChangeRoutes } from './stretcher-change.routes.ts'
import type { TrainingDesk } from './training-desk.ts'

/** Takes the training area as an interface, because training itself depends on stretchers. */
export const stretchersArea = (desk: TrainingDesk): Area => ({
  routes: () => [...stretcherRoutes(desk), ...hireRoutes(desk), ...stretcherChangeRoutes(desk)],
  onErase: eraseStretcher,
  onNewEmail: followEmail,
})
