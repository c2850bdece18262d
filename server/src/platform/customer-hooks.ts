import type { RawBuilder } from 'kysely'
import type { Db } from './db/db.ts'
import type { Work } from './db/work.ts'

/** A customer being erased, with all their accounts and addresses. */
export interface Erased {
  /** The account that remained after merges. */
  id: number
  /** That account and all accounts merged into it. */
  ids: readonly number[]
  emails: readonly string[]
  /** The placeholder that replaces their email addresses. */
  address: string
  /** The payload that replaces outbox messages to them. */
  emptied: Buffer
  workerId: number
  now: Date
}

/** Replaces text written by or about an erased customer. */
export const ERASED = '[Erased]'

/** What an area does in the same transaction when a customer changes. */
export interface CustomerHooks {
  /**
   * Removes personal data from the area's tables: `update` and `delete` statements that run as one and see the tables as
   * they were before.
   */
  onErase?(erased: Erased): RawBuilder<unknown>[]
  /** Moves the records of a duplicate to the remaining account. */
  onMerge?(db: Db, from: number, into: number): Promise<unknown>
  onNewEmail?(db: Db, id: number, email: string): Promise<unknown>
  /** Tells other systems which of the area's records show the changed name, email or phone. */
  onNewContact?(work: Pick<Work, 'db' | 'emit'>, id: number, changed: readonly string[]): Promise<unknown>
}
