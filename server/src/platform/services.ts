import type { Clock } from './clock.ts'
import type { CompanyWatch } from './company/company-settings.ts'
import type { Config } from './config.ts'
import type { Db } from './db/db.ts'
import type { DatabasePool } from './db/pool.ts'
import type { Replica } from './db/replica.ts'
import type { LiveHub } from './live/live.ts'
import type { TextService } from './outbox/texts.ts'
import type { Keyring } from './security/secrets.ts'
import type { Storage } from './storage/storage.ts'
import type { EventRecorder } from './telemetry/events.ts'
import type { Log } from './telemetry/log.ts'
import type { Telemetry } from './telemetry/telemetry.ts'
import type { Tracer } from './telemetry/traces.ts'

/** The shared services of one process, made at start. They hold no state that another process would need. */
export interface Services {
  config: Config
  db: Db
  pool: DatabasePool
  clock: Clock
  log: Log
  keyring: Keyring
  company: CompanyWatch
  live: LiveHub
  events: EventRecorder
  storage: Storage
  /** Undefined while no Twilio account is set up. */
  texts: TextService | undefined
  /** The outbox channels connected in this process; filled when its courier starts. */
  channels: Set<string>
  /** Undefined unless metrics are set up. */
  telemetry: Telemetry | undefined
  /** Undefined unless traces are set up. */
  tracer: Tracer | undefined
  /** Undefined unless one is set up. */
  replica: Replica | undefined
  /** Calls are still answered, but proxies should send no more of them. */
  isStopping: boolean
}
