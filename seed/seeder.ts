import type { Db } from '@limber/server/platform/db/db.ts'
import type { Keyring } from '@limber/server/platform/security/secrets.ts'
import type { Storage } from '@limber/server/platform/storage/storage.ts'
import type { Calendar } from './calendar.ts'
import type { Random } from './random.ts'

/** What a seeder works with. All seeders share one transaction. */
export interface SeedContext {
  db: Db
  calendar: Calendar
  /** A multiple of the sample company: 1, or more for benchmarks. */
  scale: number
  /** How many people each part of the company has, stretchers included. */
  partSize: number
  /** An independent random stream, so that a change in one seeder does not affect the others. */
  random(name: string): Random
  /** Bulk-inserts rows. The first row defines the columns. */
  copy(table: string, rows: Iterable<object>): Promise<void>
  /** Encrypts an outbox payload with the key of the installation. */
  seal(payload: unknown): Buffer
  /** Encrypts stored data with the key of the installation. */
  keyring: Keyring
  /** Where files are stored; undefined if there are none. */
  storage: Storage | undefined
  log(line: string): void
}

/** One part of the sample company. It may read the records of the seeders before it in `seeders.ts`. */
export interface Seeder {
  name: string
  seed(context: SeedContext): Promise<void>
}
