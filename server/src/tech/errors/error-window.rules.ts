import type { Timeframe } from '@limber/contract/analytics/events/event.ts'
import { DAY, HOUR, MINUTE } from '#platform/clock.ts'

/** Counts are stored per five minutes for two days, and per hour. */
export const FIVE_MINUTES = { tier: 0, size: 5 * MINUTE } as const
export const HOURS = { tier: 1, size: HOUR } as const
export const TIERS = [FIVE_MINUTES, HOURS] as const
export const FIVE_MINUTE_RETENTION = 2 * DAY

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
  /** Length of one trend point in milliseconds. */
  step: number
  points: number
}

/** The window of a timeframe in whole steps, including the current one. */
export function windowOf(timeframe: Timeframe, now: Date): ErrorWindow {
  const { tier, size, step, points } = shapes[timeframe]
  const end = (Math.floor(now.getTime() / size) + 1) * size
  return { tier, from: new Date(end - step * points), to: now, step, points }
}

export function trendOf({ from, step, points }: ErrorWindow, counts: readonly { at: Date; count: number }[]): number[] {
  const trend = new Array<number>(points).fill(0)
  for (const { at, count } of counts) {
    const index = Math.floor((at.getTime() - from.getTime()) / step)
    if (index >= 0 && index < points) trend[index] = (trend[index] ?? 0) + count
  }
  return trend
}
