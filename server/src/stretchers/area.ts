import type { Area } from '#platform/area.ts'
import type { CustomerHooks } from '#platform/customer-hooks.ts'
import { withExports } from '#platform/exports/export.ts'
import { eraseStretcher, findStretcherOf, updateStretcherEmail } from './customer.queries.ts'
import { stretchersExports } from './exports.ts'
import { hireRoutes } from './hire.routes.ts'
import { stretcherRoutes } from './stretcher.routes.ts'
import { stretcherChangeRoutes } from './stretcher-change.routes.ts'
import { stretcherHistory } from './stretcher-history.queries.ts'
import { stretcherSources } from './stretcher-timeline.queries.ts'
import { stretcherSyncRoutes } from './sync/stretcher-sync.ts'
import type { TrainingService } from './training-service.ts'

/**
 * Takes the training area as an interface, because training itself depends on stretchers. `hooks` is a function because
 * the areas that provide the hooks are listed next to this one.
 */
export const stretchersArea = (training: TrainingService, hooks: () => readonly CustomerHooks[]): Area => ({
  routes: () =>
    withExports(
      [
        ...stretcherRoutes(training),
        ...hireRoutes(training),
        ...stretcherChangeRoutes(training),
        ...stretcherSyncRoutes(training, hooks),
      ],
      stretchersExports,
    ),
  timeline: stretcherSources,
  histories: [stretcherHistory],
  onErase: eraseStretcher,
  onNewEmail: updateStretcherEmail,
  async onNewContact({ db, emit }, customer, changed) {
    const stretcher = await findStretcherOf(db, customer)
    if (stretcher)
      emit({ type: 'stretcher.updated', of: 'stretcher', ids: { stretcher: stretcher.id, customer }, changed })
  },
})
