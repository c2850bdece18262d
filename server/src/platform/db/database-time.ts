import { type RawBuilder, sql } from 'kysely'
import { type Clock, SECOND, systemClock } from '../clock.ts'
import { describeError, type Log } from '../telemetry/log.ts'
import type { Db } from './db.ts'

/**
 * The database's clock inside a statement. Leases use only this clock, so that processes with different clocks never both
 * consider a lease expired.
 */
export const databaseNow = sql<Date>`clock_timestamp()`

/** The database's clock plus some milliseconds. */
export const databaseTime = (ms: number): RawBuilder<Date> =>
  sql<Date>`clock_timestamp() + ${ms} * interval '1 millisecond'`

/** The allowed difference between the clocks of two processes. A timestamp further in the future is not trusted. */
export const MAX_CLOCK_SKEW = 10 * SECOND

/** True for a moment further in the future than clock skew explains. */
export const isInFuture = (at: Date, now: Date) => at.getTime() - now.getTime() > MAX_CLOCK_SKEW

const MEASURE_EVERY = 30 * SECOND
// A slower reply is too imprecise.
const MAX_DELAY = 1 * SECOND

/**
 * A clock that follows the database's, so that all processes agree. Between measurements it uses the monotonic clock, so
 * that setting the machine's clock does not affect it.
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
    // At start, even a slow reply is better than the machine's clock.
    start: () => measure(Number.POSITIVE_INFINITY),
    now: () => new Date(known.time + performance.now() - known.at),
    close: () => clearInterval(timer),
  }
}
