import { z } from 'zod'
import { itemHead, Reference } from '#kit/batch.ts'
import { Money } from '#kit/money.ts'
import { resourceCalls } from '#kit/resource.ts'
import { Id, Instant, Moment } from '#kit/values.ts'

const transactionTypes = ['credit_purchase', 'session_payment', 'refund'] as const
const transactionStatuses = ['pending', 'completed', 'failed'] as const

/** A payment as another system sends it. It moves no credits: those come with `credits`. */
export const TransactionItem = z.strictObject({
  ...itemHead,
  customer: Reference.optional(),
  booking: Reference.nullish(),
  type: z.enum(transactionTypes).optional(),
  /** Dollars towards the company; a refund is negative. */
  amount: Money.optional(),
  credits: z.int().min(-1_000_000).max(1_000_000).optional(),
  status: z.enum(transactionStatuses).optional(),
  created_at: Instant.optional(),
})
export type TransactionItem = z.output<typeof TransactionItem>

const record = {
  customer: Id,
  booking: Id.nullable(),
  type: z.enum(transactionTypes),
  amount: Money,
  credits: z.int(),
  status: z.enum(transactionStatuses),
  created_at: Moment,
}

export const transactionCalls = resourceCalls({
  name: 'transactions',
  scope: 'transactions',
  item: TransactionItem,
  record,
  shown: {
    customer: 2417,
    booking: null,
    type: 'credit_purchase',
    amount: '445.0000',
    credits: 5,
    status: 'completed',
    created_at: '2026-11-17T19:06:00.000Z',
  },
  shownAs: 't-88',
  example: {
    external_id: 't-88',
    updated_at: '2026-11-17T19:06:00Z',
    customer: 'c-17',
    type: 'credit_purchase',
    amount: '445.00',
    credits: 5,
    status: 'completed',
    created_at: '2026-11-17T19:06:00Z',
  },
})
