import { type RawBuilder, sql } from 'kysely'
import { type Clock, SECOND, systemClock } from '../clock.ts'
import { describeError, type Log } from '../telemetry/log.ts'
import type { Db } from './db.ts'

/**
 * The database's own clock, inside of a statement. Leases are made and judged by it alone: processes whose clocks differ
 * must not both believe that a lease is over.
 */
export const databaseNow = sql<Date>`clock_timestamp()`

/** The database's clock, moved by milliseconds. */
export const databaseTime = (ms: number): RawBuilder<Date> =>
  sql<Date>`clock_timestamp() + ${ms} * interval '1 millisecond'`

/** How far apart the clocks of two processes may be; what lies further ahead was not written by an honest clock. */
export const MAX_CLOCK_SKEW = 10 * SECOND

/** Does a moment lie ahead of now, by more than clocks may differ? */
export const isInFuture = (at: Date, now: Date) => at.getTime() - now.getTime() > MAX_CLOCK_SKEW

const MEASURE_EVERY = 30 * SECOND
// An answer that took longer says too little about when it was given.
const MAX_DELAY = 1 * SECOND

/**
 * A clock that follows the database's, so that all processes agree although their machines do not. Between two
 * measurements it counts by the monotonic clock: setting the machine's clock does not move it.
 */
export function followDatabaseClock(db: Db, log: Log): Clock & { start(): Promise<void>; close(): void } {
  let known = { time: systemClock.now().getTime(), at: performance.now() }
  async function measure(maxDelay: number) {
    const before = performance.now()
    const { rows } = await sql<{ now: Date }>`select ${databaseNow} as now`.execute(db)
    const after = performance.now()
    const [row] = rows
    if (row && after - before <= maxDelay) known = { time: row.now.getTime(), at: (before + after) / 2 }
  }
  const timer = setInterval(() => {
    measure(MAX_DELAY).catch((error) => log.debug('database clock was not read', describeError(error)))
  }, MEASURE_EVERY)
  timer.unref()
  return {
    // The machine's clock may be off by more than any answer takes.
    start: () => measure(Number.POSITIVE_INFINITY),
    now: () => new Date(known.time + performance.now() - known.at),
    close: () => clearInterval(timer),
  }
}
