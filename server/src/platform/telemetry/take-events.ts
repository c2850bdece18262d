import { sql } from 'kysely'
import type { Erased } from '../customer-hooks.ts'
import type { Db } from '../db/db.ts'

/** Removes and returns committed batches that are not rolled up yet. The caller rolls them up in the same transaction. */
export async function takeDeltas(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ body: string }>`
    delete from event_deltas where id in (select id from event_deltas order by id limit ${limit}) returning body`.execute(
    db,
  )
  return rows.map((row) => row.body)
}

/** For a rebuild: batches that are part of its snapshot must not be rolled up again. */
export const deleteDeltas = (db: Db) => db.deleteFrom('event_deltas').execute()

/** Assigns the counted failures to their groups, matched by the columns that define a group. */
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

/** Deletes grouped failures from before a moment; returns how many. */
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

/** Removes customers from events and failures. */
export const eraseEvents = ({ ids }: Erased) => [
  sql`update events set user_id = null, ip_address = null, url = path where user_id = any(${ids}::bigint[])`,
  sql`update event_failures set user_id = null, address = null, url = path, text = null, request_id = null
    where user_id = any(${ids}::bigint[])`,
]
