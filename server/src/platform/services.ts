import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { DatabasePool, Db } from './db/db.ts'
import type { LiveHub } from './live/live.ts'
import type { TextService } from './outbox/texts.ts'
import type { Keyring } from './security/secrets.ts'
import type { Storage } from './storage/storage.ts'
import type { EventRecorder } from './telemetry/events.ts'
import type { Log } from './telemetry/log.ts'

/** What one process has at hand, made once at start. Nothing in it holds state that another process would miss. */
export interface Services {
  config: Config
  db: Db
  pool: DatabasePool
  clock: Clock
  log: Log
  keyring: Keyring
  live: LiveHub
  events: EventRecorder
  storage: Storage
  /** What carries text messages; nothing while no account is set up. */
  texts: TextService | undefined
  /** Which channels of the outbox are connected in this process; filled when its courier starts. */
  channels: Set<string>
}
