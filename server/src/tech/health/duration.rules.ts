import { DAY, HOUR, MINUTE, SECOND } from '#platform/clock.ts'

/** `3 days`, `2 h 5 min`, `40 s`. */
export function durationText(ms: number): string {
  const size = Math.max(0, ms)
  if (size < MINUTE) return `${Math.round(size / SECOND)} s`
  if (size < HOUR) return `${Math.floor(size / MINUTE)} min`
  if (size < DAY) return `${Math.floor(size / HOUR)} h ${Math.floor((size % HOUR) / MINUTE)} min`
  const days = Math.floor(size / DAY)
  return days === 1 ? '1 day' : `${days} days`
}
