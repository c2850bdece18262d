import { z } from 'zod'
import { itemHead, Reference } from '#kit/batch.ts'
import { batchCall, readCalls } from '#kit/resource.ts'
import { Id, Instant, Line, Moment } from '#kit/values.ts'

const sentKinds = ['purchase', 'use', 'refund', 'referral'] as const

/** A change of a customer's credits. It is taken once and never changes. */
export const CreditItem = z.strictObject({
  ...itemHead,
  customer: Reference,
  /** Negative for a use, positive for all others. */
  delta: z
    .int()
    .min(-1_000_000)
    .max(1_000_000)
    .refine((delta) => delta !== 0, 'must not be 0'),
  kind: z.enum(sentKinds),
  booking: Reference.nullish(),
  transaction: Reference.nullish(),
  created_at: Instant.optional(),
})
export type CreditItem = z.output<typeof CreditItem>

const allKinds = [...sentKinds, 'grant', 'removal'] as const

/** An entry as a row of a file has it: what staff granted or removed moves along, with its reason. */
export const CreditFileItem = z.strictObject({
  ...CreditItem.shape,
  kind: z.enum(allKinds),
  grant_reason: Line(500).nullish(),
})
export type CreditFileItem = z.output<typeof CreditFileItem>

const resource = { name: 'credits', scope: 'credits' } as const

export const creditCalls = {
  batch: batchCall({
    ...resource,
    item: CreditItem,
    example: {
      external_id: 'cr-512',
      customer: 'c-17',
      delta: 5,
      kind: 'purchase',
      transaction: 't-88',
      created_at: '2026-11-17T19:06:00Z',
    },
  }),
  ...readCalls({
    ...resource,
    record: {
      customer: Id,
      delta: z.int(),
      /** Staff make grants and removals. */
      kind: z.enum(allKinds),
      booking: Id.nullable(),
      transaction: Id.nullable(),
      created_at: Moment,
    },
    shown: {
      customer: 2417,
      delta: 5,
      kind: 'purchase',
      booking: null,
      transaction: 88,
      created_at: '2026-11-17T19:06:00.000Z',
    },
    shownAs: 'cr-512',
  }),
}
