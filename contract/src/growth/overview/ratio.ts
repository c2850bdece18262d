import type { RatioName } from './figure.ts'

const divide = (part: number, by: number): number | null => (by === 0 ? null : part / by)
const percent = (part: number, by: number): number | null => (by === 0 ? null : (part / by) * 100)

/**
 * How each ratio is made of its parts, in the order in which `ratioFigures` names them: once for the overview, the map and
 * what a number opens to. Nothing where there is nothing to divide by.
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
} satisfies Record<RatioName, (...parts: number[]) => number | null>
