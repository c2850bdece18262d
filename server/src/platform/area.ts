import type { CustomerHooks } from './customer-hooks.ts'
import type { Route } from './http/routes.ts'
import type { Job } from './jobs/jobs.ts'
import type { Schedule } from './jobs/schedules.ts'
import type { Channels } from './outbox/outbox.ts'
import type { Services } from './services.ts'
import type { Probe } from './telemetry/health.ts'

/** What an area brings to the server. `app.ts` lists the areas; nothing else there knows what is in them. */
export interface Area extends CustomerHooks {
  /** Its calls. What they remember belongs to one server. */
  routes(): readonly Route[]
  /** Work that can be queued. */
  jobs?: readonly Job[]
  /** Work that runs by the clock. */
  schedules?: readonly Schedule[]
  /** What System health looks at. */
  probes?: readonly Probe[]
  /** Channels of the outbox that need to know more than their message. */
  channels?(services: Services): Channels
  /** Work that never rests; it is begun beside the schedules and closed before the pool. */
  backgroundLoops?: readonly ((services: Services) => { close(): Promise<void> })[]
}
