import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

const LOCK = 7_214_064

/** Serializes the requests of one worker, so that a second one sees the sums of the first. */
export const lockWorkerLimits = (db: Db, workerId: number) =>
  sql`select pg_advisory_xact_lock(${LOCK}, (${workerId}::bigint % 2147483647)::int)`.execute(db)

/** How many people a worker has written to in bulk since then, on any channel, without undone and canceled sends. */
export async function countBulkRecipients(db: Db, workerId: number, since: Date): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    select (coalesce((select sum(people) from notifications
        where created_by = ${workerId} and created_at > ${since} and status not in ('cancelled', 'undone')), 0)
      + coalesce((select sum(sent + skipped) from partner_outreach
        where worker_id = ${workerId} and created_at > ${since}), 0))::int as people`.execute(db)
  return rows[0]?.people ?? 0
}

/** Credits that a worker granted and removed on a day, added up. */
export async function countAdjustedCredits(db: Db, workerId: number, day: string, zone: string): Promise<number> {
  const { rows } = await sql<{ adjusted: number }>`
    select coalesce(sum(abs(delta)), 0)::int as adjusted from credit_entries
    where worker_id = ${workerId} and created_at >= ${day}::date::timestamp at time zone ${zone}`.execute(db)
  return rows[0]?.adjusted ?? 0
}
