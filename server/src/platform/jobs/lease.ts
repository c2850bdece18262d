import { sql } from 'kysely'
import { MINUTE } from '../clock.ts'
import { databaseNow, databaseTime } from '../db/database-time.ts'
import { describeError, type Log } from '../telemetry/log.ts'

// One process at a time works on a row; when it dies, the lease expires and another takes the row up. The database's
// clock alone decides (decision 5). Short work has `leased_until` and gives up before it; long work renews `beat_at`.

export const LEASE = 2 * MINUTE

/** Claims a row for short work, in the statement that checks `isFree`. */
export const claimed = { leased_until: databaseTime(LEASE) }

export const released = { leased_until: null }

/** Nobody works on the row: it was released, or its lease expired. */
export const isFree = sql<boolean>`(leased_until is null or leased_until <= ${databaseNow})`

/** Claims a row for long work, and extends the claim. */
export const alive = { beat_at: databaseNow }

/** Long work has been silent for this many milliseconds: its process died. */
export const isLost = (silence: number) => sql<boolean>`beat_at < ${databaseTime(-silence)}`

/** Does long work and extends its claim meanwhile. A beat that fails is logged; the next one follows soon. */
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
