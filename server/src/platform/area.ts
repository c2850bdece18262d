import type { RecordHistory } from './audit/history.ts'
import type { CustomerHooks } from './customer-hooks.ts'
import type { Route } from './http/routes.ts'
import type { Job } from './jobs/jobs.ts'
import type { Schedule } from './jobs/schedules.ts'
import type { FindSender } from './mail/mail.ts'
import type { Channels } from './outbox/outbox.ts'
import type { Services } from './services.ts'
import type { ReadAll } from './sync/read-records.ts'
import type { MakeBatch } from './sync/resource-routes.ts'
import type { Gauges } from './telemetry/gauges.ts'
import type { Probe } from './telemetry/health.ts'
import type { TimelineSource } from './timeline.ts'

/** What an area registers with the server. `app.ts` lists the areas and knows nothing else about them. */
export interface Area extends CustomerHooks {
  /** Its calls. Called once per server, so that any state belongs to that server. */
  routes(): readonly Route[]
  /** Records that come from files only, by name. Those of the API have a batch call. */
  fileBatches?: ReadonlyMap<string, MakeBatch>
  /** How records are read for a file, by name, where the API does not read them or shows less. */
  fileReaders?: ReadonlyMap<string, ReadAll>
  /** Jobs that can be queued. */
  jobs?: readonly Job[]
  /** Jobs that run on a schedule. */
  schedules?: readonly Schedule[]
  /** Probes for System health. */
  probes?: readonly Probe[]
  /** Gauges for `/metrics`. */
  gauges?: readonly Gauges[]
  /** Outbox channels that need services besides their message. */
  channels?(services: Services): Channels
  /** Finds the sender of emails that leave from a mailbox. */
  mailSender?(services: Services): FindSender
  /** Its entries of a customer's timeline. */
  timeline?: readonly TimelineSource[]
  /** Its kinds of records with a history. */
  histories?: readonly RecordHistory[]
  /** Loops that run all the time. They start with the schedules and close before the pool. */
  backgroundLoops?: readonly ((services: Services) => { close(): Promise<void> })[]
}
