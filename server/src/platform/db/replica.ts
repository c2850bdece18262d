import { SECOND } from '../clock.ts'
import { describeError, type Log } from '../telemetry/log.ts'
import type { Db } from './db.ts'
import { openDb } from './db.ts'
import { type DatabasePool, openPool } from './pool.ts'

/** A replica that is further behind is not read. */
const MAX_LAG = 5 * SECOND
const MEASURE_EVERY = SECOND

export interface Replica {
  /** The replica, or undefined while it is too far behind, or does not answer. */
  db(): Db | undefined
  /** Milliseconds behind; undefined before the first measurement. */
  lag(): number | undefined
  close(): Promise<void>
}

/** Positions in the WAL, as `X/Y` in hexadecimal digits. */
function position(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/**
 * Reads a replica. Its lag is the age of the newest position of the primary that it has reached: exact to a second, also
 * on an idle primary and with clocks that differ. A replica that does not answer grows old by itself.
 */
export function openReplica(url: string, primary: DatabasePool, size: number, log: Log): Replica {
  const pool = openPool(url, { size, onError: (error) => log.debug('replica lost', describeError(error)) })
  const db = openDb(pool)
  let seen: { at: number; position: bigint }[] = []
  let reachedAt: number | undefined
  let measuring: Promise<void> | undefined

  async function measure() {
    const at = performance.now()
    const { rows: now } = await primary.query<{ position: string }>('select pg_current_wal_lsn()::text as position')
    seen.push({ at, position: position(now[0]?.position ?? '0/0') })
    const { rows: there } = await pool.query<{ position: string | null }>(
      'select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end::text as position',
    )
    const reached = position(there[0]?.position ?? '0/0')
    const newest = seen.findLastIndex((each) => each.position <= reached)
    reachedAt = seen[newest]?.at ?? reachedAt
    seen = seen.slice(Math.max(newest, 0)).slice(-100)
  }

  const timer = setInterval(() => {
    measuring ??= measure()
      .catch((error) => log.debug('lag of the replica was not measured', describeError(error)))
      .finally(() => {
        measuring = undefined
      })
  }, MEASURE_EVERY)
  timer.unref()

  const lag = () => (reachedAt === undefined ? undefined : performance.now() - reachedAt)
  return {
    db: () => ((lag() ?? MAX_LAG) < MAX_LAG ? db : undefined),
    lag,
    async close() {
      clearInterval(timer)
      await measuring
      await pool.end()
    },
  }
}
