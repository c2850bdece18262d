import { z } from 'zod'
import { itemHead, Reference } from '#kit/batch.ts'
import { resourceCalls } from '#kit/resource.ts'
import { Id, Instant, Line, Moment, Text } from '#kit/values.ts'

/** A reward as another system sends it. Fields that are left out stay as they are; null clears. */
export const RewardItem = z.strictObject({
  ...itemHead,
  customer: Reference.optional(),
  type: Line(100).optional(),
  details: Text(2000).nullish(),
  points: z.int().min(0).max(1_000_000_000).optional(),
  earned_at: Instant.optional(),
  expires_at: Instant.nullish(),
  redeemed_at: Instant.nullish(),
})
export type RewardItem = z.output<typeof RewardItem>

const record = {
  customer: Id,
  type: z.string(),
  details: z.string().nullable(),
  points: z.int(),
  earned_at: Moment,
  expires_at: Moment.nullable(),
  redeemed_at: Moment.nullable(),
}

export const rewardCalls = resourceCalls({
  name: 'rewards',
  scope: 'rewards',
  item: RewardItem,
  record,
  shown: {
    customer: 2417,
    type: 'Free session',
    details: 'Ten sessions in one year',
    points: 500,
    earned_at: '2026-11-17T19:07:00.000Z',
    expires_at: '2027-11-17T19:07:00.000Z',
    redeemed_at: null,
  },
  shownAs: 'r-31',
  example: {
    external_id: 'r-31',
    updated_at: '2026-11-17T19:07:00Z',
    customer: 'c-17',
    type: 'Free session',
    details: 'Ten sessions in one year',
    points: 500,
    earned_at: '2026-11-17T19:07:00Z',
    expires_at: '2027-11-17T19:07:00Z',
  },
})
