import type { RatioName } from './figure.ts'

const divide = (part: number, by: number): number | null => (by === 0 ? null : part / by)
const percent = (part: number, by: number): number | null => (by === 0 ? null : (part / by) * 100)

/**
 * How each ratio is calculated from its parts, in the order of `ratioFigures`. The overview, the map and the figure dialog
 * share it. Null when the divisor is zero.
 */
export const ratioOf = {
  growthPct: percent,
  churnRatePct: percent,
  bookingGrowthPct: (now: number, before: number) => percent(now - before, before),
  activePct: percent,
  perSession: (revenue: number, sessions: number, booked: number, credits: number) =>
    divide(revenue, sessions + booked + credits),
  perStretcher: divide,
  avgRating: (mean: number): number | null => mean,
  teamConversionRate: percent,
  campaignRate: percent,
} satisfies Record<RatioName, (...parts: number[]) => number | null>
