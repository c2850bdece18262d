import { formatPercent } from '@limber/contract/kit/formats/numbers.ts'

const HOUR = 60
const DAY = 24 * HOUR

/** `18 min`, `3 h 5 min`, `2.4 days`. */
export function timeText(minutes: number): string {
  if (minutes < HOUR) return `${minutes} min`
  if (minutes >= 2 * DAY) return `${Number((minutes / DAY).toFixed(1))} days`
  const rest = minutes % HOUR
  const hours = Math.floor(minutes / HOUR)
  return rest === 0 || hours >= 10 ? `${hours} h` : `${hours} h ${rest} min`
}

/** `92%`; `--` when there is nothing to share. */
export const shareText = (part: number, whole: number) =>
  whole === 0 ? '--' : formatPercent(Math.round((part / whole) * 100))
