import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

/** An event as the rollups need it: the person as a number, times in hundredths of a millisecond. */
export interface RawEvent {
  at: number
  action_type: string
  path: string
  person: number
  time: number
  failed: number
}

const FETCH = 5_000

/** The events of a span sorted by time, in batches. */
export async function* readRawEvents(db: Db, from: Date, to: Date): AsyncGenerator<RawEvent[]> {
  await sql`declare raw_events no scroll cursor for
    select (extract(epoch from created_at) * 1000)::bigint as at, action_type, path, coalesce(user_id, -worker_id, 0) as person,
      floor(response_time * 100 + 0.5)::bigint as time, (event_outcome = 'failure')::int as failed
    from events where created_at >= ${sql.lit(from.toISOString())}::timestamptz and created_at < ${sql.lit(to.toISOString())}::timestamptz
    order by created_at`.execute(db)
  for (;;) {
    const { rows } = await sql<RawEvent>`fetch ${sql.lit(FETCH)} from raw_events`.execute(db)
    if (rows.length === 0) break
    yield rows
  }
  await sql`close raw_events`.execute(db)
}
