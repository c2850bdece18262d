import type { Timeframe } from '@limber/contract/analytics/events/event.ts'
import { DAY, HOUR, MINUTE } from '#platform/clock.ts'

/** Counts are kept by five minutes for the last two days, and by the hour. */
export const FIVE_MINUTES = { tier: 0, size: 5 * MINUTE } as const
export const HOURS = { tier: 1, size: HOUR } as const
export const TIERS = [FIVE_MINUTES, HOURS] as const
export const FIVE_MINUTES_KEPT = 2 * DAY

const shapes = {
  hour: { ...FIVE_MINUTES, step: 5 * MINUTE, points: 12 },
  day: { ...HOURS, step: HOUR, points: 24 },
  week: { ...HOURS, step: 6 * HOUR, points: 28 },
  month: { ...HOURS, step: DAY, points: 30 },
} as const

export interface ErrorWindow {
  tier: 0 | 1
  from: Date
  to: Date
  /** Milliseconds of one point of the trend. */
  step: number
  points: number
}

/** The stretch that a timeframe means: whole steps, the last of which is under way. */
export function windowOf(timeframe: Timeframe, now: Date): ErrorWindow {
  const { tier, size, step, points } = shapes[timeframe]
  const end = (Math.floor(now.getTime() / size) + 1) * size
  return { tier, from: new Date(end - step * points), to: now, step, points }
}

/** The counts of one group as a line of points. */
export function trendOf({ from, step, points }: ErrorWindow, counts: readonly { at: Date; count: number }[]): number[] {
  const trend = new Array<number>(points).fill(0)
  for (const { at, count } of counts) {
    const place = Math.floor((at.getTime() - from.getTime()) / step)
    if (place >= 0 && place < points) trend[place] = (trend[place] ?? 0) + count
  }
  return trend
}
