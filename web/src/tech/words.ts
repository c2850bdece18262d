import type { Timeframe } from '@limber/contract/analytics/event.ts'

export const timeframes: readonly { value: Timeframe; label: string }[] = [
  { value: 'hour', label: 'Hour' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
]

export const spans: Record<Timeframe, string> = {
  hour: 'the last hour',
  day: 'the last 24 hours',
  week: 'the last 7 days',
  month: 'the last 30 days',
}

export const whole = (value: number) => value.toLocaleString('en-US')
export const timesText = (count: number) => (count === 1 ? 'once' : `${whole(count)} times`)

/** `8 ms`, `1.3 s`. */
export function durationText(ms: number): string {
  if (ms < 10) return `${Math.round(ms * 10) / 10} ms`
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
