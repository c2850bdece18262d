import type { Dashboard } from '@limber/contract/analytics/dashboard/dashboard.ts'
import type { Timeframe } from '@limber/contract/analytics/events/event.ts'
import { formatDay, formatTime, formatTimeRange, formatWeekday } from '@limber/contract/kit/formats/dates.ts'
import { dayIn, inputFromMoment } from '@limber/contract/kit/zone-time.ts'
import { now } from '#platform/clock.ts'
import { dayAt } from '../labels.ts'

interface Point {
  tick: string
  title: string
  value: number
  before: number
}

interface Ticking {
  zone: string
  isNarrow: boolean
}

function tickOf(timeframe: Timeframe, at: Date, place: number, { zone, isNarrow }: Ticking): string {
  const every = (count: number) => place % (isNarrow ? count * 2 : count) === 0
  const day = dayIn(zone, at)
  if (timeframe === 'hour') return every(3) ? formatTime(at, { zone }) : ''
  if (timeframe === 'day') return every(4) ? formatTime(at, { zone }) : ''
  if (timeframe === 'month') return every(5) ? formatDay(day, { now: now() }) : ''
  if (!inputFromMoment(at, zone).endsWith('T00:00')) return ''
  return isNarrow ? formatWeekday(day) : dayAt(at, zone)
}

function titleOf(timeframe: Timeframe, at: Date, end: Date, zone: string): string {
  if (timeframe === 'month') return dayAt(at, zone)
  const day = timeframe === 'hour' ? '' : `${dayAt(at, zone)}, `
  return `${day}${formatTimeRange(at, end, { zone })}`
}

const STEPS: Record<Timeframe, number> = { hour: 5 * 60_000, day: 3_600_000, week: 3 * 3_600_000, month: 86_400_000 }

/** The points of the chart with their labels, in the company's time zone. */
export function chartPoints({ events_over_time: series, span, zone }: Dashboard, isNarrow = false): Point[] {
  const starts = series.timestamps.map((text) => new Date(text))
  return starts.map((at, place) => {
    const end = starts[place + 1] ?? new Date(at.getTime() + STEPS[span.timeframe])
    return {
      tick: tickOf(span.timeframe, at, place, { zone, isNarrow }),
      title: titleOf(span.timeframe, at, end, zone),
      value: series.total_events_over_time[place] ?? 0,
      before: series.previous_total_events_over_time[place] ?? 0,
    }
  })
}
