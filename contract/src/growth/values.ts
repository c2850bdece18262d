import { z } from 'zod'
import { Dollars } from '#kit/dollars.ts'
import { Day, Moment } from '#kit/values.ts'

/** How far back growth figures reach: so many days of the company, today included. */
export const GrowthRange = z.enum(['7d', '30d', '90d'])
export type GrowthRange = z.infer<typeof GrowthRange>

export const growthRanges = GrowthRange.options
export const DEFAULT_RANGE: GrowthRange = '30d'

/** The days of a range. */
export const daysOf = (range: GrowthRange): number => Number.parseInt(range, 10)

export const payoutCategories = [
  'session',
  'bonus',
  'commission',
  'mileage',
  'sick_pay',
  'break_time_pay',
  'expense_reimbursement',
] as const
export const PayoutCategory = z.enum(payoutCategories)
export type PayoutCategory = z.infer<typeof PayoutCategory>

/** A city as people write it. */
export const CityName = z.string().trim().min(1).max(120)

/** What was paid out in one category; `avg` is 0 when nothing was. */
const Payout = z.object({ total: Dollars, count: z.int(), avg: Dollars })

/** The figures of one place in a range. Each is explained in `figure.ts`. */
export const PlaceMetrics = z.object({
  users: z.int(),
  activeUsers: z.int(),
  churnedUsers: z.int(),
  /** Completed sessions. */
  sessions: z.int(),
  bookedSessions: z.int(),
  revenue: Dollars,
  stretchers: z.int(),
  /** Nothing when no session was rated. */
  avgRating: z.number().nullable(),
  /** How many ratings the average is made of, so that averages of several places can be joined. */
  ratings: z.int(),
  availableCredits: z.int(),
  /** Per category; all of them, also those without a payout. */
  payouts: z.object({
    session: Payout,
    bonus: Payout,
    commission: Payout,
    mileage: Payout,
    sick_pay: Payout,
    break_time_pay: Payout,
    expense_reimbursement: Payout,
  }),
})
export type PlaceMetrics = z.infer<typeof PlaceMetrics>

/** The same figures for the range before, as far as they can be told of a time that has passed. */
export const PlaceBefore = z.object({
  users: z.int(),
  activeUsers: z.int(),
  churnedUsers: z.int(),
  sessions: z.int(),
  revenue: Dollars,
  stretchers: z.int(),
  avgRating: z.number().nullable(),
  ratings: z.int(),
  availableCredits: z.int(),
  payouts: Dollars,
})
export type PlaceBefore = z.infer<typeof PlaceBefore>

/** Of which days figures are, both included, and when they were computed. */
export const Span = z.object({
  range: GrowthRange,
  from: Day,
  to: Day,
  refreshedAt: Moment,
})
export type Span = z.infer<typeof Span>
