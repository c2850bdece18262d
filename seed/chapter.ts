import type { Db } from '@limber/server/platform/db/db.ts'
import type { Keyring } from '@limber/server/platform/security/secrets.ts'
import type { Storage } from '@limber/server/platform/storage/storage.ts'
import type { Calendar } from './calendar.ts'
import type { Random } from './random.ts'

/** What a chapter works with: one transaction that holds the whole company, and nothing random but its own stream. */
export interface Story {
  db: Db
  calendar: Calendar
  /** How many times the usual company; 1 unless a benchmark asks for more. */
  scale: number
  /** A stream of its own, so that a change in one chapter leaves the others as they are. */
  random(name: string): Random
  /** Writes many rows; the first one names the columns. */
  copy(table: string, rows: Iterable<object>): Promise<void>
  /** Seals what the outbox carries, with the key of the installation. */
  seal(payload: unknown): Buffer
  /** Seals what is kept encrypted, with the key of the installation. */
  keyring: Keyring
  /** Where files go; without one the company has none. */
  storage: Storage | undefined
  log(line: string): void
}

/** One part of the sample company. Told after those before it in `chapters.ts`, whose records it may read. */
export interface Chapter {
  name: string
  tell(story: Story): Promise<void>
}
