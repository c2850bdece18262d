import { z } from 'zod'
import { type BodyOf, defineCall, type ReplyOf, staleRefusal } from '#kit/call.ts'
import { Dollars } from '#kit/dollars.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Id, IdText, Moment, Text } from '#kit/values.ts'

/** Who brought a user: another user, a stretcher or a worker. */
export const ReferrerKind = z.enum(['user', 'stretcher', 'worker'])
export type ReferrerKind = z.infer<typeof ReferrerKind>

/** Why a referral is looked at, in words a person can check. */
export const suspicions = {
  self_referral: 'The same person: own account, or an e-mail address that differs only in dots or a +tag.',
  same_phone: 'Shares a phone number with the referrer, or with somebody else whom the referrer brought.',
  same_address: 'Shares an address with the referrer, or with somebody else whom the referrer brought.',
  burst: 'One of five or more people whom the referrer brought within a day.',
} as const
export type Suspicion = keyof typeof suspicions
export const Suspicion = z.enum(Object.keys(suspicions) as [Suspicion, ...Suspicion[]])

const Decision = z.enum(['approved', 'rejected'])
export type ReferralDecision = z.infer<typeof Decision>

export const ReferralStats = z.object({
  total_users: z.int(),
  /** Users whom nobody brought. With the three kinds of referrals they are all users. */
  natural_growth: z.int(),
  /** Users whom stretchers, workers and users brought. */
  stretcher_commission: z.int(),
  worker_commission: z.int(),
  user_commission: z.int(),
  /** Referred users before and after their first completed session. */
  pending_referrals: z.int(),
  converted_referrals: z.int(),
  /** Completed payments of referred users, less refunds. */
  total_earnings: Dollars,
  /** The part of it that pending ones paid ahead. */
  stored_earnings: Dollars,
  /** Converted referrals of users whose reward is still due; suspicious ones only once they are approved. */
  redeemable_referrals: z.int(),
  top_referrer_count: z.int(),
  top_earner_total: Dollars,
  /** Referred users who booked at least once, by who brought them. */
  referrals_with_bookings: z.object({ stretcher: z.int(), worker: z.int(), user: z.int() }),
})
export type ReferralStats = z.infer<typeof ReferralStats>

export const readReferrals = defineCall({
  method: 'GET',
  path: '/api/marketing/referrals',
  summary: 'How many users others brought, and what came of it',
  permission: 'growth.tab',
  reply: z.object({
    stats: ReferralStats,
    /** Suspicious ones that nobody has decided about. */
    toReview: z.int(),
    /** Until when the figures hold; null when they were never computed. */
    refreshedAt: Moment.nullable(),
  }),
})
export type Referrals = ReplyOf<typeof readReferrals>

export const Referral = z.object({
  userId: Id,
  name: z.string(),
  email: z.string(),
  joinedAt: Moment,
  kind: ReferrerKind,
  referrer: z.object({
    id: Id,
    name: z.string(),
    /** The account of the referrer in the customer product; workers have none. */
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
  summary: 'Who brought whom, the newest first',
  permission: 'growth.people',
  query: z.strictObject({
    ...pageQuery({ limit: 20 }),
    search: z.string().trim().max(100).default(''),
    kind: ReferrerKind.or(z.literal('')).default(''),
    state: z.enum(['pending', 'converted', '']).default(''),
    /** `open`: suspicious and undecided; the others: what was decided. */
    review: z.enum(['open', 'approved', 'rejected', '']).default(''),
  }),
  reply: z.object({ referrals: z.array(Referral), pagination: Pagination }),
})

const params = z.strictObject({ id: IdText })
const notFound = [404, 'This referral does not exist.'] as const

const ReferralEvent = z.object({
  at: Moment,
  kind: z.enum(['joined', 'booked', 'converted', 'paid', 'refunded', 'rewarded', 'approved', 'rejected']),
  /** Dollars of a payment. */
  amount: Dollars.nullable(),
  /** Who decided, and why. */
  by: z.string().nullable(),
  note: z.string().nullable(),
})
export type ReferralEvent = z.infer<typeof ReferralEvent>

export const ReferralDetail = Referral.extend({ events: z.array(ReferralEvent) })
export type ReferralDetail = z.infer<typeof ReferralDetail>

export const readReferral = defineCall({
  method: 'GET',
  path: '/api/marketing/referrals/people/:id',
  summary: 'One referral with what happened since',
  permission: 'growth.people',
  params,
  reply: ReferralDetail,
  refusals: { not_found: notFound },
})

export const reviewReferral = defineCall({
  method: 'POST',
  path: '/api/marketing/referrals/people/:id/review',
  summary: 'Decide about a suspicious referral; a rejected one earns no reward',
  permission: 'growth.people',
  params,
  body: z.strictObject({
    decision: Decision,
    reason: Text(500),
    /** The newest decision that was seen; null when there was none. */
    seenReview: Id.nullable().optional(),
  }),
  reply: ReferralDetail,
  refusals: {
    not_found: notFound,
    not_suspicious: [409, 'Nothing about this referral is suspicious: there is nothing to decide.'],
    stale: staleRefusal('this referral', ReferralDetail),
  },
})
export type ReviewReferral = BodyOf<typeof reviewReferral>
