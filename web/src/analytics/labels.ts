import type { Timeframe } from '@limber/contract/analytics/events/event.ts'
import { formatDay, formatMomentRange, formatTimeRange } from '@limber/contract/kit/formats/dates.ts'
import { formatInteger, formatPercent } from '@limber/contract/kit/formats/numbers.ts'
import { dayIn } from '@limber/contract/kit/zone-time.ts'
import { now } from '#platform/clock.ts'

/** Room for short labels only. */
export const NARROW = '(max-width: 767px)'

export const timeframes: readonly { value: Timeframe; label: string }[] = [
  { value: 'hour', label: 'Hour' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
]

export const names: Record<Timeframe, { current: string; previous: string; against: string }> = {
  hour: { current: 'This hour', previous: 'Previous hour', against: 'the previous hour' },
  day: { current: 'Last 24 hours', previous: 'Previous 24 hours', against: 'the previous 24 hours' },
  week: { current: 'This week', previous: 'Previous week', against: 'the previous week' },
  month: { current: 'Last 30 days', previous: 'Previous 30 days', against: 'the previous 30 days' },
}

/** A day of the chart: `Mon, Nov 9`. */
export const dayAt = (at: Date, zone: string) => formatDay(dayIn(zone, at), { now: now(), hasWeekday: true })

/** The span of the figures: `Mon, Nov 9 – Sun, Nov 15`. */
export function spanText(timeframe: Timeframe, from: string, to: string, zone: string): string {
  const [start, end] = [new Date(from), new Date(to)]
  if (timeframe === 'hour') return formatTimeRange(start, end, { zone })
  if (timeframe === 'day') return formatMomentRange(start, end, { zone, now: now(), hasWeekday: true })
  return `${dayAt(start, zone)} – ${dayAt(new Date(end.getTime() - 1), zone)}`
}

/** Formats milliseconds; small values get a decimal. */
export const msText = (ms: number) => (ms < 10 ? ms.toFixed(1) : formatInteger(Math.round(ms)))

/** Formats a share as a percentage with one decimal. */
export const shareText = (part: number, all: number) => formatPercent(all === 0 ? 0 : (part / all) * 100, 1)
