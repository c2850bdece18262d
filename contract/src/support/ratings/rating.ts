import { z } from 'zod'
import { defineCall, staleRefusal } from '#kit/call.ts'
import { Moment, Version } from '#kit/values.ts'

export const Rating = z.enum(['good', 'bad'])
export type Rating = z.infer<typeof Rating>

export const ratingLabels = { good: 'Good', bad: 'Bad' } as const

/** The question is sent this long after closing, unless the ticket was reopened. */
export const ASK_AFTER_MINUTES = 60
/** A link works for this long. Until then, the customer can change the answer. */
export const RATING_LINK_DAYS = 30
export const MAX_RATING_COMMENT = 2_000

/** What the customer said about a ticket. Null values until they did. */
export const TicketRating = z.object({
  askedAt: Moment,
  rating: Rating.nullable(),
  comment: z.string().nullable(),
  ratedAt: Moment.nullable(),
})
export type TicketRating = z.infer<typeof TicketRating>

export const RatingSettings = z.object({ isOn: z.boolean(), version: Version })
export type RatingSettings = z.infer<typeof RatingSettings>

// Workers who may write to many customers at once also maintain the desk's settings.
const permission = 'notifications.send' as const

export const readRatingSettings = defineCall({
  method: 'GET',
  path: '/api/support/rating-settings',
  summary: 'Whether customers are asked how we handled their closed tickets',
  permission,
  reply: RatingSettings,
})

export const saveRatingSettings = defineCall({
  method: 'PUT',
  path: '/api/support/rating-settings',
  summary: 'Ask customers for a rating after closing, or stop asking',
  permission,
  body: z.strictObject({ isOn: z.boolean(), version: Version }),
  reply: RatingSettings,
  refusals: { stale: staleRefusal('this setting', RatingSettings) },
})

const ratingCall = {
  path: '/api/rating/:token',
  permission: 'public',
  params: z.strictObject({ token: z.string().min(10).max(300) }),
  limit: { by: 'address', times: 60, seconds: 60 },
  reply: z.unknown(),
  replyType: 'stream',
  refusals: {
    bad_link: [404, 'This link is not valid.'],
    expired: [404, `This link has expired. Links work for ${RATING_LINK_DAYS} days.`],
  },
} as const

/** Mail scanners follow links, so reading this page rates nothing. */
export const readRatingPage = defineCall({
  ...ratingCall,
  method: 'GET',
  summary: 'The page behind the rating links of an email',
  query: z.strictObject({ choice: Rating.optional().catch(undefined) }),
})

/** Called by the button on that page. */
export const rateTicket = defineCall({
  ...ratingCall,
  method: 'POST',
  summary: 'Rate the ticket behind a link, or change the rating',
  machine: true,
  bodyType: 'form',
  // A query stays in the address that the form posts to.
  query: z.strictObject({ choice: z.string().max(20).optional() }),
  body: z.strictObject({ rating: Rating.optional().catch(undefined), comment: z.string().max(20_000).default('') }),
})
