import { z } from 'zod'
import { Dollars } from '#kit/dollars.ts'
import { Day, Moment } from '#kit/values.ts'

/** The range of growth figures in company days, including today. */
export const GrowthRange = z.enum(['7d', '30d', '90d'])
export type GrowthRange = z.infer<typeof GrowthRange>

export const growthRanges = GrowthRange.options
export const DEFAULT_RANGE: GrowthRange = '30d'

/** Number of days in a range. */
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

/** A city name as typed. */
export const CityName = z.string().trim().min(1).max(120)

/** Payouts in one category; `avg` is 0 when there are none. */
const Payout = z.object({ total: Dollars, count: z.int(), avg: Dollars })

/** The figures of one place in a range. `figure.ts` defines each of them. */
export const PlaceMetrics = z.object({
  users: z.int(),
  activeUsers: z.int(),
  churnedUsers: z.int(),
  /** Completed sessions. */
  sessions: z.int(),
  bookedSessions: z.int(),
  revenue: Dollars,
  stretchers: z.int(),
  /** Null when no session was rated. */
  avgRating: z.number().nullable(),
  /** Number of ratings behind the average, so that averages of several places can be combined. */
  ratings: z.int(),
  availableCredits: z.int(),
  /** Per category; contains every category, including those without a payout. */
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

/** The same figures for the previous range, where they can be calculated for the past. */
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

/** The first and last day of the figures, and when they were calculated. */
export const Span = z.object({
  range: GrowthRange,
  from: Day,
  to: Day,
  refreshedAt: Moment,
})
export type Span = z.infer<typeof Span>
