import { z } from 'zod'
import { itemHead, Reference } from '#kit/batch.ts'
import { Money } from '#kit/money.ts'
import { resourceCalls } from '#kit/resource.ts'
import { Id, Instant, Line, Moment, Text } from '#kit/values.ts'

const bookingStatuses = ['requested', 'confirmed', 'in_progress', 'completed', 'cancelled', 'no_show'] as const

/** A booking as another system sends it. Fields that are left out stay as they are; null clears. */
export const BookingItem = z.strictObject({
  ...itemHead,
  customer: Reference.optional(),
  stretcher: Reference.nullish(),
  /** Default: the zone of the customer, or of the stretcher. */
  zone_id: Id.optional(),
  starts_at: Instant.optional(),
  ends_at: Instant.optional(),
  status: z.enum(bookingStatuses).optional(),
  price: Money.refine((text) => !text.startsWith('-'), 'must not be negative').optional(),
  credits_used: z.int().min(0).max(1_000_000).optional(),
  rating: z.int().min(1).max(5).nullish(),
  rating_attributes: z.array(Line(100)).max(50).nullish(),
  rated_at: Instant.nullish(),
  feedback: Text(5000).nullish(),
  feedback_at: Instant.nullish(),
  cancelled_at: Instant.nullish(),
  cancel_reason: Text(1000).nullish(),
  created_at: Instant.optional(),
})
export type BookingItem = z.output<typeof BookingItem>

const record = {
  customer: Id,
  stretcher: Id.nullable(),
  zone_id: Id,
  starts_at: Moment,
  ends_at: Moment,
  status: z.enum(bookingStatuses),
  price: Money,
  credits_used: z.int(),
  rating: z.int().nullable(),
  rating_attributes: z.array(z.string()),
  rated_at: Moment.nullable(),
  feedback: z.string().nullable(),
  feedback_at: Moment.nullable(),
  cancelled_at: Moment.nullable(),
  cancel_reason: z.string().nullable(),
  created_at: Moment,
}

export const bookingCalls = resourceCalls({
  name: 'bookings',
  scope: 'bookings',
  item: BookingItem,
  record,
  shown: {
    customer: 2417,
    stretcher: 8,
    zone_id: 1,
    starts_at: '2026-11-17T18:00:00.000Z',
    ends_at: '2026-11-17T19:00:00.000Z',
    status: 'completed',
    price: '99.0000',
    credits_used: 0,
    rating: 5,
    rating_attributes: ['On time'],
    rated_at: '2026-11-17T19:05:00.000Z',
    feedback: null,
    feedback_at: null,
    cancelled_at: null,
    cancel_reason: null,
    created_at: '2026-11-15T08:12:00.000Z',
  },
  shownAs: 'b-204',
  example: {
    external_id: 'b-204',
    updated_at: '2026-11-17T19:05:00Z',
    customer: 'c-17',
    stretcher: 's-8',
    starts_at: '2026-11-17T18:00:00Z',
    ends_at: '2026-11-17T19:00:00Z',
    status: 'completed',
    price: '99.00',
    rating: 5,
    rating_attributes: ['On time'],
    created_at: '2026-11-15T08:12:00Z',
  },
})
