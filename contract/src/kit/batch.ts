import { z } from 'zod'
import { Id, Instant, IntegerText, Line, Moment } from './values.ts'

export const MAX_BATCH_ITEMS = 1000
export const MAX_BATCH_BYTES = 5_242_880

/** The id that another system gave a record. */
export const ExternalId = Line(200)

/** A short name of a system that sends data, such as `app`. */
export const Source = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be a lowercase name such as app')

/** A record named by another: the sender's own id, another system's id, or ours. */
export const Reference = z.union([
  ExternalId,
  z.strictObject({ source: Source, external_id: ExternalId }),
  z.strictObject({ id: Id }),
])
export type Reference = z.output<typeof Reference>

/** What every item of a batch has beside its own fields. */
export const itemHead = { external_id: ExternalId, updated_at: Instant.optional() }

export const itemStatuses = ['created', 'updated', 'unchanged', 'stale', 'rejected'] as const

export const ItemError = z.object({
  /** The field, as `address.city`; empty when the item as a whole is wrong. */
  path: z.string(),
  code: z.string(),
  text: z.string(),
  /** The record that a missing reference names. */
  resource: z.string().optional(),
  external_id: z.string().optional(),
})
export type ItemError = z.infer<typeof ItemError>

export const ItemResult = z.object({
  /** Null when the item has no readable one. */
  external_id: z.string().nullable(),
  status: z.enum(itemStatuses),
  id: z.union([Id, z.uuid()]).optional(),
  /** An existing record was attached to this external id because this field is the same. */
  matched_by: z.string().optional(),
  /** Fields that staff corrected; they keep their value. */
  kept: z.array(z.string()).optional(),
  /** The record that was merged into another one; the change was applied to this one. */
  merged_into: Id.optional(),
  errors: z.array(ItemError).optional(),
})
export type ItemResult = z.infer<typeof ItemResult>

export const BatchReply = z.object({
  results: z.array(ItemResult),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  stale: z.int(),
  rejected: z.int(),
})
export type BatchReply = z.infer<typeof BatchReply>

/** The body of a batch. Its items are checked one by one, so that a bad one does not hold up the others. */
export const BatchBody = z.strictObject({ items: z.array(z.unknown()).min(1).max(MAX_BATCH_ITEMS) })

export const MAX_LIST_ITEMS = 500

/** What every list of the API accepts. */
export const listQuery = {
  updated_since: Instant.optional(),
  cursor: z.string().min(1).max(200).optional(),
  limit: IntegerText(1, MAX_LIST_ITEMS).default(100),
}

/** The place of a record that is gone. */
export const Tombstone = z.object({
  id: Id,
  external_ids: z.record(z.string(), z.string()),
  deleted_at: Moment,
  reason: z.enum(['erased', 'merged', 'deleted']),
  merged_into: Id.optional(),
})
export type Tombstone = z.infer<typeof Tombstone>

/** What every record of the API has beside its own fields. */
export const recordHead = { id: Id, external_ids: z.record(z.string(), z.string()), updated_at: Moment }

export const listReply = <S extends z.ZodType>(item: S) =>
  z.object({ items: z.array(z.union([item, Tombstone])), next_cursor: z.string().nullable() })
