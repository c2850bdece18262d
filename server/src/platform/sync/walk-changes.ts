import type { Tombstone } from '@limber/contract/kit/batch.ts'
import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { refusals } from '../http/refusal.ts'
import { findExternalIds } from './external-refs.queries.ts'
import type { Resource } from './resources.ts'

interface Query {
  updated_since?: string | undefined
  cursor?: string | undefined
  limit: number
}

interface Change {
  record_id: number
  seq: number
  changed_at: Date
  deleted_reason: 'erased' | 'merged' | 'deleted' | null
  merged_into_id: number | null
}

// Times follow numbers closely, not strictly: the first of these changes may not be that of the earliest one.
const NEARBY = 100

/**
 * One page of a resource's records, the latest change last. A record that changes during a walk moves to its end; a
 * transaction that has not ended holds back later ones, so that none is passed over.
 */
export async function walkChanges<Item extends { id: number }>(
  db: Db,
  resource: Resource,
  { updated_since, cursor, limit }: Query,
  load: (db: Db, ids: readonly number[]) => Promise<readonly Item[]>,
) {
  const since = updated_since === undefined ? null : new Date(updated_since)
  const start = cursor === undefined ? await findStart(db, resource, since) : readCursor(cursor)
  const horizon = await findHorizon(db)
  const { rows } = await sql<Change>`
    select record_id, seq, changed_at, deleted_reason, merged_into_id from record_changes
    where resource = ${resource} and (seq, record_id) > (${start.seq}::bigint, ${start.id}::bigint)
      and seq <= ${horizon}
      ${since ? sql`and changed_at >= ${since}` : sql``}
    order by seq, record_id limit ${limit + 1}`.execute(db)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const present = page.flatMap((row) => (row.deleted_reason ? [] : [row.record_id]))
  const records = new Map((await load(db, present)).map((item) => [item.id, item]))
  const externalIds = await findExternalIds(
    db,
    resource,
    page.map((row) => row.record_id),
  )
  const items = page.flatMap((row): (Tombstone | (Item & RecordHead))[] => {
    const head = { id: row.record_id, external_ids: externalIds.get(row.record_id) ?? {} }
    const at = row.changed_at.toISOString()
    if (row.deleted_reason) return [tombstone(head, at, row)]
    const record = records.get(row.record_id)
    // Deleted since the page was read: its tombstone comes at the end of the walk.
    return record ? [{ ...record, ...head, updated_at: at }] : []
  })
  return { items, next_cursor: rows.length > limit && last ? printCursor(last) : null }
}

type RecordHead = { id: number; external_ids: Record<string, string>; updated_at: string }

const tombstone = (head: Omit<RecordHead, 'updated_at'>, at: string, row: Change): Tombstone => ({
  ...head,
  deleted_at: at,
  reason: row.deleted_reason ?? 'deleted',
  ...(row.merged_into_id !== null && { merged_into: row.merged_into_id }),
})

/** One record with what every record of the API has; undefined when it is gone. */
export async function findRecord<Item extends { id: number }>(
  db: Db,
  resource: Resource,
  id: number,
  load: (db: Db, ids: readonly number[]) => Promise<readonly Item[]>,
) {
  const change = await db
    .selectFrom('record_changes')
    .select(['changed_at', 'deleted_reason'])
    .where('resource', '=', resource)
    .where('record_id', '=', id)
    .executeTakeFirst()
  if (!change || change.deleted_reason) return undefined
  const [record] = await load(db, [id])
  const external_ids = (await findExternalIds(db, resource, [id])).get(id) ?? {}
  return record && { ...record, id, external_ids, updated_at: change.changed_at.toISOString() }
}

interface Place {
  seq: number
  id: number
}

const BEGINNING: Place = { seq: 0, id: 0 }

/** Up to here no change can come any more. It is a statement of its own: what ended before it must be seen after it. */
async function findHorizon(db: Db): Promise<number> {
  const { rows } = await sql<{ horizon: number }>`select change_horizon() as horizon`.execute(db)
  return rows[0]?.horizon ?? 0
}

/** Where the changes since a time begin, without reading those before it. */
async function findStart(db: Db, resource: Resource, since: Date | null): Promise<Place> {
  if (!since) return BEGINNING
  const { rows } = await sql<{ seq: number | null }>`
    select min(seq) as seq from (
      select seq from record_changes where resource = ${resource} and changed_at >= ${since}
      order by changed_at limit ${NEARBY}) first`.execute(db)
  return { seq: rows[0]?.seq ?? 0, id: 0 }
}

const printCursor = ({ seq, record_id }: Change) => Buffer.from(`${seq}.${record_id}`).toString('base64url')

function readCursor(cursor: string): Place {
  const [, seq, id] = /^(\d{1,16})\.(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (seq === undefined || id === undefined) throw refusals.badRequest('cursor: is not valid')
  return { seq: Number(seq), id: Number(id) }
}
