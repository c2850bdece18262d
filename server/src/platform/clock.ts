/** The only reader of the time; tests put their own in its place. */
export interface Clock {
  now(): Date
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() }

/** A clock that stands still until it is moved. */
export function fixedClock(start: string | Date): Clock & { set(to: string | Date): void; advance(ms: number): void } {
  let at = new Date(start).getTime()
  return {
    now: () => new Date(at),
    set: (to) => {
      at = new Date(to).getTime()
    },
    advance: (ms) => {
      at += ms
    },
  }
}

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** A moment some milliseconds before or after another. */
export const shift = (from: Date, ms: number) => new Date(from.getTime() + ms)

/** Milliseconds that passed since a reading of `stopwatch()`. */
export const stopwatch = () => {
  const start = performance.now()
  return () => performance.now() - start
}
