import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Day, Id } from '#kit/values.ts'
import { DEFAULT_RANGE, GrowthRange, Span } from '../values.ts'

/** Percent with two decimals; null when the divisor is zero. */
const Percent = z.number().nullable()
const query = z.strictObject({ range: GrowthRange.default(DEFAULT_RANGE) })

export const Warning = z.object({
  kind: z.enum(['pilot', 'renewal', 'no_contact']),
  businessId: Id,
  name: z.string(),
  /** The renewal date, the end of the pilot or the last contact. A partner that was never contacted has its creation date. */
  day: Day,
  /** The pilot has ended or the renewal date has passed, and no one has decided what happens next. */
  isOverdue: z.boolean(),
  neverContacted: z.boolean(),
})
export type Warning = z.infer<typeof Warning>

export const readHealthOverview = defineCall({
  method: 'GET',
  path: '/api/marketing/health-overview',
  summary: 'Users, bookings and partners at a glance',
  permission: 'growth.tab',
  query,
  reply: z.object({
    users: z.object({
      total: z.int(),
      withAddress: z.int(),
      withinServiceArea: z.int(),
      outsideServiceArea: z.int(),
      withWaiver: z.int(),
      joined: z.int(),
      growthPct: Percent,
      churned: z.int(),
      churnRatePct: Percent,
    }),
    bookings: z.object({ current: z.int(), previous: z.int(), growthPct: Percent, cancelled: z.int() }),
    businesses: z.object({ total: z.int(), upcomingRenewals: z.int(), noRecentContact: z.int() }),
    /** Ended pilots, then renewals with the most overdue first, then partners without contact, longest first. */
    warnings: z.array(Warning),
    span: Span,
  }),
})
export type HealthOverview = ReplyOf<typeof readHealthOverview>

const Trend = z.array(z.object({ date: Day, count: z.int() }))

export const readHealthTrends = defineCall({
  method: 'GET',
  path: '/api/marketing/health-trends',
  summary: 'Daily trends of users, churn, bookings and partners',
  permission: 'growth.tab',
  query,
  reply: z.object({
    /** Users who joined on the day. */
    userGrowth: Trend,
    /** Users who count as churned on that day. */
    churn: Trend,
    /** Bookings made on the day. */
    bookings: Trend,
    /** Number of partners at the end of the day. */
    businesses: Trend,
    span: Span,
  }),
})
export type HealthTrends = ReplyOf<typeof readHealthTrends>
