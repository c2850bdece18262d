import type { Dashboard } from '@limber/contract/analytics/dashboard/dashboard.ts'
import type { Timeframe } from '@limber/contract/analytics/events/event.ts'
import { makeClock, type ZoneClock } from '../words.ts'

interface Point {
  tick: string
  title: string
  value: number
  before: number
}

interface Ticking {
  clock: ZoneClock
  isNarrow: boolean
}

function tickOf(timeframe: Timeframe, at: Date, place: number, { clock, isNarrow }: Ticking): string {
  const every = (count: number) => place % (isNarrow ? count * 2 : count) === 0
  if (timeframe === 'hour') return every(3) ? clock.time(at) : ''
  if (timeframe === 'day') return every(4) ? clock.time(at) : ''
  if (timeframe === 'month') return every(5) ? clock.dayOfMonth(at) : ''
  if (!clock.isMidnight(at)) return ''
  return isNarrow ? clock.weekday(at) : clock.day(at)
}

function titleOf(timeframe: Timeframe, at: Date, end: Date, clock: ZoneClock): string {
  if (timeframe === 'month') return clock.fullDay(at)
  const day = timeframe === 'hour' ? '' : `${clock.fullDay(at)}, `
  return `${day}${clock.time(at)} to ${clock.time(end)}`
}

const STEPS: Record<Timeframe, number> = { hour: 5 * 60_000, day: 3_600_000, week: 3 * 3_600_000, month: 86_400_000 }

/** The points of the chart with their words, by the clocks of the company. */
export function chartPoints({ events_over_time: series, span, zone }: Dashboard, isNarrow = false): Point[] {
  const clock = makeClock(zone)
  const starts = series.timestamps.map((text) => new Date(text))
  const seen = new Set<string>()
  return starts.map((at, place) => {
    const end = starts[place + 1] ?? new Date(at.getTime() + STEPS[span.timeframe])
    const title = titleOf(span.timeframe, at, end, clock)
    // When the clocks go back, an hour comes twice.
    const isAgain = seen.has(title)
    seen.add(title)
    return {
      tick: tickOf(span.timeframe, at, place, { clock, isNarrow }),
      title: isAgain ? `${title} again` : title,
      value: series.total_events_over_time[place] ?? 0,
      before: series.previous_total_events_over_time[place] ?? 0,
    }
  })
}
