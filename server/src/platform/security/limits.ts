import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../db/db.ts'

/** A statement that counts tries, each a key, the start of its window, and 1. */
export const countTryText = (tries: string) =>
  `insert into rate_limits (key, window_at, count) ${tries}
    on conflict (key, window_at) do update set count = rate_limits.count + 1 returning count`

const COUNT_TRY = countTryText('values ($1, $2, 1)')

/** Counts a try under a key, in the database so that all processes share the count. */
export async function countTry(
  db: Db,
  key: string,
  times: number,
  seconds: number,
  now: Date,
): Promise<{ isOver: boolean; left: number; retryAfter: number }> {
  const row = await db.executeQuery<{ count: number }>(
    CompiledQuery.raw(COUNT_TRY, [key, windowStart(now, seconds).toISOString()]),
  )
  return judgeTries(row.rows[0]?.count ?? 1, times, seconds, now)
}

/** When the window of a limit began. */
export const windowStart = (now: Date, seconds: number) =>
  new Date(Math.floor(now.getTime() / (seconds * 1000)) * seconds * 1000)

/** What is left after so many tries in the window. */
export function judgeTries(count: number, times: number, seconds: number, now: Date) {
  const end = windowStart(now, seconds).getTime() + seconds * 1000
  const retryAfter = Math.max(1, Math.ceil((end - now.getTime()) / 1000))
  return { isOver: count > times, left: Math.max(0, times - count), retryAfter }
}

export const deleteOldTries = (db: Db, before: Date) =>
  sql`delete from rate_limits where window_at < ${before}`.execute(db)
