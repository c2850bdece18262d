import { USAGE_DAYS } from '@limber/contract/access/api-keys/api-key.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { LIVE_CHANNEL, liveText } from '#platform/live/notify.ts'

/** What one process counted since it last wrote. */
export interface CountedUse {
  days: readonly { id: number; day: string; calls: number; errors: number }[]
  last: readonly { id: number; at: Date; address: string }[]
  deprecated: readonly { variable: string; day: string; calls: number }[]
  /** A key was used for the first time: screens that wait for it are told. */
  isFirstUse: boolean
}

/** Adds up what was counted. Rows are taken in one order, so that processes that write at once do not block each other. */
export const saveUse = (db: Db, { days, last, deprecated, isFirstUse }: CountedUse) =>
  sql`
    with counted as (
      insert into api_key_usage as u (api_key_id, day, calls, errors)
      select r.id, r.day, r.calls, r.errors
      from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as r(id bigint, day date, calls bigint, errors bigint)
      where exists (select from api_keys k where k.id = r.id)
      order by r.id, r.day
      on conflict (api_key_id, day) do update set calls = u.calls + excluded.calls, errors = u.errors + excluded.errors
    ), used as (
      update api_keys k set last_used_at = l.at, last_used_address = l.address
      from (select k.id, r.at, r.address from api_keys k
        join jsonb_to_recordset(${JSON.stringify(last)}::jsonb) as r(id bigint, at timestamptz, address text) on r.id = k.id
        order by k.id for update of k) l
      where k.id = l.id and (k.last_used_at is null or k.last_used_at <= l.at)
    ), old_way as (
      insert into deprecated_key_usage as u (variable, day, calls)
      select r.variable, r.day, r.calls
      from jsonb_to_recordset(${JSON.stringify(deprecated)}::jsonb) as r(variable text, day date, calls bigint)
      order by r.variable, r.day
      on conflict (variable, day) do update set calls = u.calls + excluded.calls
    )
    select case when ${isFirstUse}::boolean then pg_notify(${LIVE_CHANNEL}, ${liveText('api-keys')}) end`.execute(db)

/** Calls and errors by day since a day, oldest first; days without calls count 0. */
export async function listUsageDays(db: Db, keyId: number, since: string) {
  const { rows } = await sql<{ day: string; calls: number; errors: number }>`
    select d.day::date as day, coalesce(u.calls, 0)::bigint as calls, coalesce(u.errors, 0)::bigint as errors
    from generate_series(${since}::date, ${since}::date + ${USAGE_DAYS - 1}::int, interval '1 day') as d(day)
    left join api_key_usage u on u.api_key_id = ${keyId} and u.day = d.day::date order by d.day`.execute(db)
  return rows
}

/** The most calls in one minute since a moment. The counters of the limit are kept for a day. */
export async function findPeak(db: Db, limitKey: string, since: Date): Promise<number> {
  const { rows } = await sql<{ peak: number }>`
    select coalesce(max(count), 0)::int as peak from rate_limits where key = ${limitKey} and window_at >= ${since}`.execute(
    db,
  )
  return rows[0]?.peak ?? 0
}

export const listDeprecatedUse = (db: Db, day: string) =>
  db.selectFrom('deprecated_key_usage').select(['variable', 'calls']).where('day', '=', day).execute()

/** Forgets use that no screen shows any more. */
export async function forgetOldUse(db: Db, before: string): Promise<void> {
  await db.deleteFrom('api_key_usage').where('day', '<', before).execute()
  await db.deleteFrom('deprecated_key_usage').where('day', '<', before).execute()
}
