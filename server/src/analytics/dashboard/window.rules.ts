import type { Timeframe } from '@limber/contract/analytics/events/event.ts'
import { DAY, HOUR, MINUTE } from '#platform/clock.ts'
import { dayStart, type LocalTime } from './local-time.rules.ts'

/**
 * A span of time and its parts: whole local days from `daysFrom`, hours from `hoursFrom`, five-minute blocks from
 * `fivesFrom`, minutes from `minutesFrom` to `to`. A part that starts where the next one starts is empty.
 */
export interface Span {
  daysFrom: number
  hoursFrom: number
  fivesFrom: number
  minutesFrom: number
  to: number
}

export interface Window {
  current: Span
  /** The previous period up to the same point in time, so that a morning is compared with a morning. */
  previous: Span
  /** Start of each chart point. */
  points: number[]
  previousPoints: number[]
  /** Start of each sparkline point. Each is one rollup or a few minutes. */
  steps: number[]
}

export const FIVE_MINUTES = 5 * MINUTE
const DAYS = { week: 7, month: 30 } as const
const THREE_HOURS = [0, 3, 6, 9, 12, 15, 18, 21]

export const floorTo = (at: number, size: number) => Math.floor(at / size) * size
const range = (count: number) => Array.from({ length: count }, (_, place) => place)

/** Counted in minutes: the last hour, or the last 24 hours with the current hour still incomplete. */
function recentWindow(now: number, period: number, step: number): Window {
  const to = floorTo(now, MINUTE) + MINUTE
  const from = floorTo(now, step) + step - period
  const fivesFrom = period === HOUR ? from : floorTo(to - 1, HOUR)
  const span = (back: number): Span => ({
    daysFrom: from - back,
    hoursFrom: from - back,
    fivesFrom: fivesFrom - back,
    minutesFrom: floorTo(to - 1, FIVE_MINUTES) - back,
    to: to - back,
  })
  const points = range(period / step).map((place) => from + place * step)
  return {
    current: span(0),
    previous: span(period),
    points,
    previousPoints: points.map((at) => at - period),
    steps: points,
  }
}

/** Whole local days up to today, with the hours of today so far. */
function dayWindow(now: number, days: number, local: LocalTime): Window {
  const today = local.dayOf(now)
  const to = floorTo(now, HOUR) + HOUR
  const shownHour = local.hourOf(to - 1) + 1
  const previousTo = local.at(today - days, shownHour)
  const span = (first: number, end: number): Span => ({
    daysFrom: local.at(first, 0),
    hoursFrom: dayStart(local, end - 1),
    fivesFrom: end,
    minutesFrom: end,
    to: end,
  })
  const starts = range(days).map((place) => today - days + 1 + place)
  const hours = days === DAYS.week ? THREE_HOURS : [0]
  const points = starts.flatMap((day) => hours.map((hour) => ({ day, hour, at: local.at(day, hour) })))
  const shown = points.filter((point) => point.at < to)
  return {
    current: span(today - days + 1, to),
    previous: span(today - 2 * days + 1, previousTo),
    points: shown.map((point) => point.at),
    previousPoints: shown.map((point) => local.at(point.day - days, point.hour)),
    steps: starts.map((day) => local.at(day, 0)),
  }
}

/** The window of a timeframe at a moment. */
export function windowOf(timeframe: Timeframe, at: Date, local: LocalTime): Window {
  const now = at.getTime()
  if (timeframe === 'hour') return recentWindow(now, HOUR, FIVE_MINUTES)
  if (timeframe === 'day') return recentWindow(now, DAY, HOUR)
  return dayWindow(now, DAYS[timeframe], local)
}

/** The index of the last mark at or before a moment; -1 before the first. */
export function indexAtOrBefore(marks: readonly number[], at: number): number {
  let low = 0
  let high = marks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((marks[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}
