import { DAY, HOUR, MINUTE, SECOND, shift } from '#platform/clock.ts'

/** Waits between attempts. */
export const RETRY_AFTER: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

/** After this long without a success, an endpoint is switched off. */
export const MAX_FAILING = 5 * DAY

/** Spreads retries over a tenth of their wait, so that they do not all come at once. */
const JITTER = 0.1

/** When to try again after a number of failed tries; undefined when it is over. `random` is from 0 to 1. */
export function nextAttempt(tries: number, now: Date, random: number): Date | undefined {
  const wait = RETRY_AFTER[tries - 1]
  return wait === undefined ? undefined : shift(now, wait * (1 + JITTER * random))
}

export const isSuccess = (status: number | null) => status !== null && status >= 200 && status < 300

export const GONE = 410
