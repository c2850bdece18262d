import type { Area } from '#platform/area.ts'
import { eraseStretcher, updateStretcherEmail } from './customer.queries.ts'
import { hireRoutes } from './hire.routes.ts'
import { stretcherRoutes } from './stretcher.routes.ts'
import { stretcherChangeRoutes } from './stretcher-change.routes.ts'
import type { TrainingService } from './training-service.ts'

/** Takes the training area as an interface, because training itself depends on stretchers. */
export const stretchersArea = (training: TrainingService): Area => ({
  routes: () => [...stretcherRoutes(training), ...hireRoutes(training), ...stretcherChangeRoutes(training)],
  onErase: eraseStretcher,
  onNewEmail: updateStretcherEmail,
})
