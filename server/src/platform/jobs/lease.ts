import { sql } from 'kysely'
import { MINUTE } from '../clock.ts'
import { databaseNow, databaseTime } from '../db/database-time.ts'
import { describeError, type Log } from '../telemetry/log.ts'

// One process at a time works on a row. When it dies, the lease expires and another process takes over. Only the
// database's clock decides (decision 5). Short work sets `leased_until` and times out before it; long work renews
// `beat_at`.

export const LEASE = 2 * MINUTE

/** Claims a row for short work, in the statement that checks `isFree`. */
export const claimed = { leased_until: databaseTime(LEASE) }

export const released = { leased_until: null }

/** The row was released, or its lease expired. */
export const isFree = sql<boolean>`(leased_until is null or leased_until <= ${databaseNow})`

/** Claims a row for long work, or renews the claim. */
export const alive = { beat_at: databaseNow }

/** No heartbeat for this many milliseconds: the process died. */
export const isLost = (silence: number) => sql<boolean>`beat_at < ${databaseTime(-silence)}`

/** Runs long work and renews its claim at an interval. A failed heartbeat is only logged; the next one follows soon. */
export async function keepAlive<T>(log: Log, every: number, beat: () => Promise<unknown>, work: () => Promise<T>) {
  let beating: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    beating = beating.then(beat).catch((error) => log.warn('heartbeat was not written', describeError(error)))
  }, every)
  timer.unref()
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await beating
  }
}
