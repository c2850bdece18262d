import { sql } from 'kysely'
import type { Db } from '../db/db.ts'

/** Counts a try under a key, in the database so that all processes share the count. */
export async function countTry(
  db: Db,
  key: string,
  times: number,
  seconds: number,
  now: Date,
): Promise<{ isOver: boolean; left: number; retryAfter: number }> {
  const window = seconds * 1000
  const start = Math.floor(now.getTime() / window) * window
  const row = await sql<{ count: number }>`
    insert into rate_limits (key, window_at, count) values (${key}, ${new Date(start)}, 1)
    on conflict (key, window_at) do update set count = rate_limits.count + 1
    returning count`.execute(db)
  const count = row.rows[0]?.count ?? 1
  const retryAfter = Math.max(1, Math.ceil((start + window - now.getTime()) / 1000))
  return { isOver: count > times, left: Math.max(0, times - count), retryAfter }
}

export const deleteOldTries = (db: Db, before: Date) =>
  sql`delete from rate_limits where window_at < ${before}`.execute(db)
