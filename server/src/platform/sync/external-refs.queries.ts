import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import type { Resource } from './resources.ts'

export interface KnownRef {
  recordId: number
  takenAt: Date | null
  contentHash: Buffer | null
}

/** Lets no batch of a source and resource run until the transaction ends. */
export const lockSource = (db: Db, source: string, resource: Resource) =>
  sql`select pg_advisory_xact_lock(batch_lock(${source}, ${resource}, ''))`.execute(db)

/** A record that another has the natural key of, with the external id that the source gave it. */
export interface KeyOwner {
  id: number
  linkedAs: string | null
}

export interface Known {
  refs: Map<string, KnownRef>
  /** By natural key. */
  owners: Map<string, KeyOwner>
}

interface Asked {
  externalIds: readonly string[]
  /** Where natural keys are found. */
  keyColumn: { table: string; column: string } | undefined
  keys: readonly string[]
}

/**
 * Waits for batches that could create the same records, and says what is known of these external ids and natural keys.
 * Without `names`, all batches of the source and resource wait for each other. A batch waits once.
 */
export async function openBatch(
  db: Db,
  source: string,
  resource: Resource,
  names: readonly string[] | null,
  { externalIds, keyColumn, keys }: Asked,
): Promise<Known> {
  const { rows } = await sql<{
    external_id: string | null
    record_id: number
    taken_at: Date | null
    content_hash: Buffer | null
    natural_key: string | null
  }>`
    select * from open_batch(${source}, ${resource}, ${names?.toSorted() ?? null}::text[], ${externalIds}::text[],
      ${keyColumn?.table ?? null}::text, ${keyColumn?.column ?? null}::text, ${keyColumn ? keys : []}::text[])`.execute(
    db,
  )
  const known: Known = { refs: new Map(), owners: new Map() }
  for (const { external_id, record_id, taken_at, content_hash, natural_key } of rows)
    if (natural_key !== null) known.owners.set(natural_key, { id: record_id, linkedAs: external_id })
    else known.refs.set(external_id ?? '', { recordId: record_id, takenAt: taken_at, contentHash: content_hash })
  return known
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
  const refs = [...new Map(wanted.map((ref) => [refKey(ref), ref])).values()]
  const { rows } = await sql<{ source: string; resource: Resource; external_id: string; record_id: number }>`
    select r.source, r.resource, r.external_id, r.record_id
    from unnest(${refs.map((ref) => ref.source)}::text[], ${refs.map((ref) => ref.resource)}::text[],
      ${refs.map((ref) => ref.externalId)}::text[]) as w(source, resource, external_id)
    join external_refs r using (source, resource, external_id)`.execute(db)
  return new Map(
    rows.map((row) => [
      refKey({ source: row.source, resource: row.resource, externalId: row.external_id }),
      row.record_id,
    ]),
  )
}

export interface TakenRef {
  externalId: string
  recordId: number
  takenAt: Date | null
  contentHash: Buffer | null
}

/** Remembers what a source sent, as a call that can be part of a statement. */
export const saveRefsCall = (source: string, resource: Resource, refs: readonly TakenRef[], now: Date) =>
  sql`save_refs(${source}, ${resource}, ${refs.map((ref) => ref.externalId)}::text[],
    ${refs.map((ref) => ref.recordId)}::bigint[], ${refs.map((ref) => ref.takenAt)}::timestamptz[],
    ${refs.map((ref) => ref.contentHash)}::bytea[], ${now}::timestamptz)`

/** Takes external ids from the records that have them. */
export async function removeRefs(db: Db, source: string, resource: Resource, externalIds: readonly string[]) {
  if (externalIds.length === 0) return
  await sql`
    delete from external_refs
    where source = ${source} and resource = ${resource} and external_id = any(${externalIds}::text[])`.execute(db)
}

/** Takes their external ids from records that are gone. */
export async function removeRefsOf(db: Db, resource: Resource, ids: readonly number[]) {
  if (ids.length === 0) return
  await sql`delete from external_refs where resource = ${resource} and record_id = any(${ids}::bigint[])`.execute(db)
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
