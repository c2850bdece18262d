import { z } from 'zod'
import { type BodyOf, defineCall, staleRefusal } from '#kit/call.ts'
import { Dollars } from '#kit/dollars.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Id, IdText, Moment, Text } from '#kit/values.ts'

/** Who referred a user: another user, a stretcher or a worker. */
export const ReferrerKind = z.enum(['user', 'stretcher', 'worker'])
export type ReferrerKind = z.infer<typeof ReferrerKind>

/** Why a referral is suspicious, in a sentence that a worker can verify. */
export const suspicions = {
  self_referral: 'The same person: their own account, or an email address that differs only in dots or a +tag.',
  same_phone: 'Shares a phone number with the referrer or with another customer of the same referrer.',
  same_address: 'Shares an address with the referrer or with another customer of the same referrer.',
  burst: 'One of five or more customers of the same referrer within a day.',
} as const
export type Suspicion = keyof typeof suspicions
export const Suspicion = z.enum(Object.keys(suspicions) as [Suspicion, ...Suspicion[]])

const Decision = z.enum(['approved', 'rejected'])
export type ReferralDecision = z.infer<typeof Decision>

export const ReferralStats = z.object({
  total_users: z.int(),
  /** Users without a referrer. With the three kinds of referrals they add up to all users. */
  natural_growth: z.int(),
  /** Users referred by stretchers, workers and users. */
  stretcher_commission: z.int(),
  worker_commission: z.int(),
  user_commission: z.int(),
  /** Referred users before and after their first completed session. */
  pending_referrals: z.int(),
  converted_referrals: z.int(),
  /** Completed payments of referred users, less refunds. */
  total_earnings: Dollars,
  /** The part that pending referrals paid in advance. */
  stored_earnings: Dollars,
  /** Converted referrals by users whose reward is still due. Suspicious ones count only after approval. */
  redeemable_referrals: z.int(),
  top_referrer_count: z.int(),
  top_earner_total: Dollars,
  /** Referred users who booked at least once, by kind of referrer. */
  referrals_with_bookings: z.object({ stretcher: z.int(), worker: z.int(), user: z.int() }),
})
export type ReferralStats = z.infer<typeof ReferralStats>

export const readReferrals = defineCall({
  method: 'GET',
  path: '/api/marketing/referrals',
  summary: 'Referral counts and their results',
  permission: 'growth.tab',
  reply: z.object({
    stats: ReferralStats,
    /** Suspicious referrals without a decision. */
    toReview: z.int(),
    /** The figures are current as of this time; null before the first calculation. */
    refreshedAt: Moment.nullable(),
  }),
})

export const Referral = z.object({
  userId: Id,
  name: z.string(),
  email: z.string(),
  joinedAt: Moment,
  kind: ReferrerKind,
  referrer: z.object({
    id: Id,
    name: z.string(),
    /** The referrer's customer account; workers have none. */
    userId: Id.nullable(),
  }),
  state: z.enum(['pending', 'converted']),
  bookedAt: Moment.nullable(),
  convertedAt: Moment.nullable(),
  earnings: Dollars,
  reasons: z.array(Suspicion),
  review: z
    .object({ id: Id, decision: Decision, reason: z.string(), by: z.string().nullable(), at: Moment })
    .nullable(),
})
export type Referral = z.infer<typeof Referral>

export const listReferrals = defineCall({
  method: 'GET',
  path: '/api/marketing/referrals/people',
  summary: 'Referrals, newest first',
  permission: 'growth.people',
  query: z.strictObject({
    ...pageQuery({ limit: 20 }),
    search: z.string().trim().max(100).default(''),
    kind: ReferrerKind.or(z.literal('')).default(''),
    state: z.enum(['pending', 'converted', '']).default(''),
    /** `open`: suspicious without a decision. The other values match the decision. */
    review: z.enum(['open', 'approved', 'rejected', '']).default(''),
  }),
  reply: z.object({ referrals: z.array(Referral), pagination: Pagination }),
})

export const exportReferrals = exportCall(listReferrals, 'referrals')

const params = z.strictObject({ id: IdText })
const notFound = [404, 'This referral does not exist.'] as const

const ReferralEvent = z.object({
  at: Moment,
  kind: z.enum(['joined', 'booked', 'converted', 'paid', 'refunded', 'rewarded', 'approved', 'rejected']),
  /** Amount of a payment in dollars. */
  amount: Dollars.nullable(),
  /** Who decided, and the reason. */
  by: z.string().nullable(),
  note: z.string().nullable(),
})
export type ReferralEvent = z.infer<typeof ReferralEvent>

export const ReferralDetail = Referral.extend({ events: z.array(ReferralEvent) })
export type ReferralDetail = z.infer<typeof ReferralDetail>

export const readReferral = defineCall({
  method: 'GET',
  path: '/api/marketing/referrals/people/:id',
  summary: 'One referral with its events',
  permission: 'growth.people',
  params,
  reply: ReferralDetail,
  refusals: { not_found: notFound },
})

export const reviewReferral = defineCall({
  method: 'POST',
  path: '/api/marketing/referrals/people/:id/review',
  summary: 'Approve or reject a suspicious referral; a rejected one earns no reward',
  permission: 'growth.people',
  params,
  body: z.strictObject({
    decision: Decision,
    reason: Text(500),
    /** The newest decision the caller has seen; null when there was none. */
    seenReview: Id.nullable().optional(),
  }),
  reply: ReferralDetail,
  refusals: {
    not_found: notFound,
    not_suspicious: [409, 'This referral is not suspicious. There is nothing to decide.'],
    stale: staleRefusal('this referral', ReferralDetail),
  },
})
export type ReviewReferral = BodyOf<typeof reviewReferral>
