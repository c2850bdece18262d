import type { RawBuilder } from 'kysely'
import type { Db } from './db/db.ts'

/** Somebody who is erased, under every account and address. */
export interface Erased {
  /** The account that stayed. */
  id: number
  /** It and every account that was merged into it. */
  ids: readonly number[]
  emails: readonly string[]
  /** The address that stands in place of theirs. */
  address: string
  /** What stands in the outbox in place of what went to them, or was to go. */
  emptied: Buffer
  workerId: number
  now: Date
}

/** The word in place of what was said by somebody who is erased, or about them. */
export const ERASED = '[Erased]'

/** What an area does when a customer changes, in the same transaction. */
export interface CustomerHooks {
  /**
   * Takes away what identifies a person in the area's tables: `update` and `delete` statements, all of which run as one and
   * see the tables as they were before.
   */
  onErase?(erased: Erased): RawBuilder<unknown>[]
  /** Moves what hangs on a duplicate to the account that stays. */
  onMerge?(db: Db, from: number, into: number): Promise<unknown>
  onNewEmail?(db: Db, id: number, email: string): Promise<unknown>
}
