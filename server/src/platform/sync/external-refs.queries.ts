import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import type { Resource } from './resources.ts'

export interface KnownRef {
  recordId: number
  takenAt: Date | null
  contentHash: Buffer | null
}

/** One batch of a source and resource at a time: two could create the same record twice. */
export const lockSource = (db: Db, source: string, resource: Resource) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`batch:${source}:${resource}`}, 0))`.execute(db)

/** What is known of these external ids, by id. */
export async function findRefs(
  db: Db,
  source: string,
  resource: Resource,
  externalIds: readonly string[],
): Promise<Map<string, KnownRef>> {
  const { rows } = await sql<{
    external_id: string
    record_id: number
    taken_at: Date | null
    content_hash: Buffer | null
  }>`
    select external_id, record_id, taken_at, content_hash from external_refs
    where source = ${source} and resource = ${resource} and external_id = any(${externalIds}::text[])`.execute(db)
  return new Map(
    rows.map((row) => [
      row.external_id,
      { recordId: row.record_id, takenAt: row.taken_at, contentHash: row.content_hash },
    ]),
  )
}

export interface WantedRef {
  source: string
  resource: Resource
  externalId: string
}

export const refKey = ({ source, resource, externalId }: WantedRef) => JSON.stringify([source, resource, externalId])

/** The records behind external ids of any source and resource, by `refKey`. */
export async function findReferenced(db: Db, wanted: readonly WantedRef[]): Promise<Map<string, number>> {
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<{ source: string; resource: Resource; external_id: string; record_id: number }>`
    select r.source, r.resource, r.external_id, r.record_id
    from (select distinct * from unnest(${wanted.map((ref) => ref.source)}::text[],
      ${wanted.map((ref) => ref.resource)}::text[], ${wanted.map((ref) => ref.externalId)}::text[])
      as w(source, resource, external_id)) w
    join external_refs r using (source, resource, external_id)`.execute(db)
  return new Map(
    rows.map((row) => [
      refKey({ source: row.source, resource: row.resource, externalId: row.external_id }),
      row.record_id,
    ]),
  )
}

/** The external id that a source already gave each of these records. */
export async function findLinked(
  db: Db,
  source: string,
  resource: Resource,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ record_id: number; external_id: string }>`
    select record_id, external_id from external_refs
    where resource = ${resource} and source = ${source} and record_id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.record_id, row.external_id]))
}

export interface TakenRef {
  externalId: string
  recordId: number
  takenAt: Date | null
  contentHash: Buffer | null
}

/** Remembers what a source sent. A known id stays with its record; its version only rises. */
export async function saveRefs(db: Db, source: string, resource: Resource, refs: readonly TakenRef[], now: Date) {
  if (refs.length === 0) return
  await sql`
    insert into external_refs (source, resource, external_id, record_id, taken_at, content_hash, created_at)
    select ${source}, ${resource}, r.external_id, r.record_id, r.taken_at, r.content_hash, ${now}
    from unnest(${refs.map((ref) => ref.externalId)}::text[], ${refs.map((ref) => ref.recordId)}::bigint[],
      ${refs.map((ref) => ref.takenAt)}::timestamptz[], ${refs.map((ref) => ref.contentHash)}::bytea[])
      as r(external_id, record_id, taken_at, content_hash)
    on conflict (source, resource, external_id) do update set taken_at = greatest(external_refs.taken_at, excluded.taken_at)
    where excluded.taken_at is not null and excluded.taken_at is distinct from external_refs.taken_at`.execute(db)
}

/** Takes external ids from the records that have them. */
export async function removeRefs(db: Db, source: string, resource: Resource, externalIds: readonly string[]) {
  if (externalIds.length === 0) return
  await sql`
    delete from external_refs
    where source = ${source} and resource = ${resource} and external_id = any(${externalIds}::text[])`.execute(db)
}

/** All external ids of these records: `{ app: 'c-17' }` by record. */
export async function findExternalIds(
  db: Db,
  resource: Resource,
  ids: readonly number[],
): Promise<Map<number, Record<string, string>>> {
  const found = new Map<number, Record<string, string>>()
  if (ids.length === 0) return found
  const { rows } = await sql<{ record_id: number; external_ids: Record<string, string> }>`
    select record_id, jsonb_object_agg(source, external_id) as external_ids from external_refs
    where resource = ${resource} and record_id = any(${ids}::bigint[]) group by 1`.execute(db)
  for (const row of rows) found.set(row.record_id, row.external_ids)
  return found
}

/** Gives a record the id of another system; false when either already belongs to another. Repeating it is harmless. */
export async function attachExternalId(db: Db, ref: WantedRef, recordId: number, now: Date): Promise<boolean> {
  const { source, resource, externalId } = ref
  const attached = await db
    .insertInto('external_refs')
    .values({ source, resource, external_id: externalId, record_id: recordId, created_at: now })
    .onConflict((taken) => taken.doNothing())
    .returning('record_id')
    .executeTakeFirst()
  if (!attached) return (await findReferenced(db, [ref])).get(refKey(ref)) === recordId
  await sql`select note_changes(${resource}, array[${recordId}::bigint])`.execute(db)
  return true
}
