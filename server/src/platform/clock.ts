/** The only source of the current time. Tests replace it. */
export interface Clock {
  now(): Date
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() }

/** A clock that moves only when it is told to. */
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

/** Adds milliseconds to a moment. */
export const shift = (from: Date, ms: number) => new Date(from.getTime() + ms)

/** Starts measuring; the returned function gives the elapsed milliseconds. */
export const stopwatch = () => {
  const start = performance.now()
  return () => performance.now() - start
}
