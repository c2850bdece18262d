import type { Timeframe } from '@limber/contract/analytics/events/event.ts'
import { whole } from '#ui/format/counted.ts'

/** Where there is room for short words only. */
export const NARROW = '(max-width: 767px)'

export const timeframes: readonly { value: Timeframe; label: string }[] = [
  { value: 'hour', label: 'Hour' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
]

export const names: Record<Timeframe, { current: string; previous: string; against: string }> = {
  hour: { current: 'This hour', previous: 'Hour before', against: 'the hour before' },
  day: { current: 'Last 24 hours', previous: 'Day before', against: 'the day before' },
  week: { current: 'This week', previous: 'Week before', against: 'the week before' },
  month: { current: 'Last 30 days', previous: '30 days before', against: 'the 30 days before' },
}

const format = (zone: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options })

/** How moments of the chart are written, by the clocks of the company. */
export function makeClock(zone: string) {
  const time = format(zone, { hour: '2-digit', minute: '2-digit' })
  const weekday = format(zone, { weekday: 'short' })
  const day = format(zone, { weekday: 'short', day: 'numeric' })
  const dayOfMonth = format(zone, { day: 'numeric', month: 'short' })
  const fullDay = format(zone, { weekday: 'short', day: 'numeric', month: 'short' })
  // The comma of the locale would part what belongs together.
  const plain = (text: string) => text.replace(',', '')
  return {
    time: (at: Date) => time.format(at),
    weekday: (at: Date) => weekday.format(at),
    day: (at: Date) => plain(day.format(at)),
    dayOfMonth: (at: Date) => dayOfMonth.format(at),
    fullDay: (at: Date) => plain(fullDay.format(at)),
    isMidnight: (at: Date) => time.format(at) === '00:00',
  }
}

export type ZoneClock = ReturnType<typeof makeClock>

/** The span of the figures in words: `Mon 9 Nov to Sun 15 Nov`. */
export function spanText(timeframe: Timeframe, from: string, to: string, clock: ZoneClock): string {
  const start = new Date(from)
  const end = new Date(to)
  if (timeframe === 'hour') return `${clock.time(start)} to ${clock.time(end)}`
  if (timeframe === 'day')
    return `${clock.fullDay(start)} ${clock.time(start)} to ${clock.fullDay(end)} ${clock.time(end)}`
  const last = new Date(end.getTime() - 1)
  return `${clock.fullDay(start)} to ${clock.fullDay(last)}`
}

/** Milliseconds as people read them: small ones with a decimal. */
export const msText = (ms: number) => (ms < 10 ? ms.toFixed(1) : whole(Math.round(ms)))

/** A share in percent with one decimal. */
export const shareText = (part: number, all: number) => `${all === 0 ? '0.0' : ((part / all) * 100).toFixed(1)}%`
