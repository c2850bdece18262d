import type { ItemError, ItemResult, Reference } from '@limber/contract/kit/batch.ts'
import type { z } from 'zod'
import type { Tables } from '../db/db.ts'
import type { Work } from '../db/work.ts'
import type { RejectedItem } from './item-errors.ts'
import type { Resource } from './resources.ts'

/** What every item has. */
export interface Head {
  external_id: string
  updated_at?: string | undefined
}

/** An item that can be written: it is well formed, not stale, and everything it names exists. */
export interface BatchItem<Fields> {
  externalId: string
  /** The sender's version; null counts as newest. */
  updatedAt: Date | null
  fields: Fields
  /** The record to change; null when it must be created. */
  recordId: number | null
  /** The record that has the natural key of the item, if any. */
  keyOwner: number | undefined
  /** Our ids of the records that the item names, by path. */
  references: Readonly<Record<string, number>>
}

/** The names of the fields that an item sent. */
export const sentFields = ({ external_id: _, updated_at: _version, ...fields }: Head & object) => Object.keys(fields)

export type ItemOutcome =
  | (Pick<ItemResult, 'kept' | 'merged_into'> & { status: 'created' | 'updated' | 'unchanged'; id: number })
  | RejectedItem

/** How one resource takes items. The area that owns its tables provides it. */
export interface BatchWriter<Item extends z.ZodType<Head> = z.ZodType<Head>> {
  resource: Resource
  item: Item
  /** A known external id never changes its record. */
  isAppendOnly?: boolean
  /** Of records that never change: which of these were voided. Their external ids can be sent again. */
  findVoided?(db: Work['db'], ids: readonly number[]): Promise<ReadonlySet<number>>
  references?(fields: z.output<Item>): readonly { path: string; resource: Resource; reference: Reference }[]
  /** A unique column that identifies a record without an external id, such as a folded email. */
  naturalKey?: { table: keyof Tables & string; column: string; of(fields: z.output<Item>): string | undefined }
  /** Writes items of different records, as a set, and emits their events; one outcome for each item, in order. */
  write(items: readonly BatchItem<z.output<Item>>[], work: Work): Promise<readonly ItemOutcome[]>
  /** Constraints that a single item may break, with what its sender is told. */
  expected?: Readonly<Record<string, ItemError>>
  /**
   * After a set broke an expected constraint: the items, by place, that surely do. Without it, many bad items are found one
   * by one.
   */
  findBroken?(items: readonly BatchItem<z.output<Item>>[], work: Work): Promise<ReadonlyMap<number, ItemError>>
  /** It decides everything before it writes, so that a transaction may only plan (`planOnly`). */
  isPlannable?: boolean
  /** Its records have no external ids: it finds them itself. */
  isUnlinked?: boolean
  /** Takes back what an import wrote. */
  undo?: UndoWriter
}

/** Why records could not be taken back, by id. */
export type KeptRecords = ReadonlyMap<number, string>

/** How the writes of an import are taken back. The records are locked and as the import left them. */
export interface UndoWriter {
  /** What an update may change, to be restored later. */
  find(db: Work['db'], ids: readonly number[]): Promise<readonly ({ id: number } & object)[]>
  /** Removes records that were created. */
  remove(work: Work, ids: readonly number[]): Promise<KeptRecords>
  /** Brings back records as `find` gave them, with times as text. */
  restore?(work: Work, rows: readonly ({ id: number } & Record<string, unknown>)[]): Promise<KeptRecords>
}

/** What an import plans, across its batches. */
export interface BatchPlan {
  /** External ids that earlier rows will create. */
  created: { has(externalId: string): boolean; add(externalId: string): unknown }
}
