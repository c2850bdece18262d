import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { DatabasePool, Db } from './db.ts'
import type { EventRecorder } from './events.ts'
import type { LiveHub } from './live.ts'
import type { Log } from './log.ts'
import type { Keyring } from './secrets.ts'
import type { Storage } from './storage.ts'
import type { TextService } from './texts.ts'

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
