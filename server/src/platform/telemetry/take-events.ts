import { sql } from 'kysely'
import type { Erased } from '../customer-hooks.ts'
import type { Db } from '../db/db.ts'

/** Takes batches that are committed and not rolled up yet. Whoever takes them adds them up in the same transaction. */
export async function takeDeltas(db: Db, most: number): Promise<string[]> {
  const { rows } = await sql<{ body: string }>`
    delete from event_deltas where id in (select id from event_deltas order by id limit ${most}) returning body`.execute(
    db,
  )
  return rows.map((row) => row.body)
}

/** Batches that the snapshot holds need no rolling up any more. */
export const deleteDeltas = (db: Db) => db.deleteFrom('event_deltas').execute()

/** Notes which group each failure went into, by what tells groups apart: exactly those that were counted. */
export async function assignFailureGroups(
  db: Db,
  groups: readonly { id: number }[],
  ids: readonly number[],
): Promise<void> {
  await sql`
    update event_failures f set group_id = r.id
    from jsonb_to_recordset(${JSON.stringify(groups)}::jsonb) as r(id bigint, source text, method text, path text, status int)
    where f.id = any(${ids}::bigint[])
      and f.source = r.source and f.method = r.method and f.path = r.path and f.status = r.status`.execute(db)
}

const BATCH = 5_000

/** Forgets single failures from before a moment that are in a group; says how many. */
export async function deleteGroupedFailures(db: Db, before: Date): Promise<number> {
  let failures = 0
  for (let gone = BATCH; gone === BATCH; failures += gone) {
    const { numAffectedRows } = await sql`
      delete from event_failures where id in (select id from event_failures where at < ${before} and group_id is not null limit ${BATCH})`.execute(
      db,
    )
    gone = Number(numAffectedRows ?? 0)
  }
  return failures
}

/** Unties events and failures from customers. */
export const eraseEvents = ({ ids }: Erased) => [
  sql`update events set user_id = null, ip_address = null, url = path where user_id = any(${ids}::bigint[])`,
  sql`update event_failures set user_id = null, address = null, url = path, text = null, request_id = null
    where user_id = any(${ids}::bigint[])`,
]
