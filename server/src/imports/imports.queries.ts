import type { ImportResource } from '@limber/contract/imports/import-kinds.ts'
import type { ImportState } from '@limber/contract/imports/import-values.ts'
import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'

export type ImportRecord = Row<'imports'> & { worker_name: string | null }

const withWorker = (db: Db) =>
  db
    .selectFrom('imports')
    .leftJoin('workers', 'workers.id', 'imports.created_by')
    .selectAll('imports')
    .select('workers.name as worker_name')

interface Page {
  resources: readonly ImportResource[]
  state: ImportState | undefined
  limit: number
  offset: number
}

export async function findImports(db: Db, { resources, state, limit, offset }: Page) {
  const wanted = sql<boolean>`resource = any(${resources}::text[]) and (${state ?? null}::text is null or state = ${state ?? null})`
  const { total } = await db
    .selectFrom('imports')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where(wanted)
    .executeTakeFirstOrThrow()
  const rows = await withWorker(db)
    .where(sql<boolean>`imports.resource = any(${resources}::text[])`)
    .$if(state !== undefined, (query) => query.where('imports.state', '=', state as ImportState))
    .orderBy('imports.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { total, rows }
}

export const findImport = (db: Db, id: number): Promise<ImportRecord | undefined> =>
  withWorker(db).where('imports.id', '=', id).executeTakeFirst()

/** Locks an import against a change of its state. */
export async function lockImport(db: Db, id: number): Promise<ImportRecord | undefined> {
  await sql`select from imports where id = ${id} for update`.execute(db)
  return findImport(db, id)
}

export const insertImport = (
  db: Db,
  values: Pick<
    Row<'imports'>,
    | 'resource'
    | 'source'
    | 'file_name'
    | 'file_key'
    | 'file_bytes'
    | 'file_digest'
    | 'encoding'
    | 'delimiter'
    | 'row_count'
    | 'profile'
    | 'created_by'
    | 'created_at'
  >,
) =>
  db
    .insertInto('imports')
    .values({
      ...values,
      profile: JSON.stringify(values.profile),
      state: 'uploaded',
      columns: null,
      dates: null,
      error: null,
      started_at: null,
      checked_at: null,
      applied_at: null,
      undone_at: null,
      undo_until: null,
      runner: null,
      beat_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()

/** Other imports of the same file and kind, the newest first. */
export const findSameFile = (
  db: Db,
  { id, file_digest, resource }: Pick<ImportRecord, 'id' | 'file_digest' | 'resource'>,
) =>
  db
    .selectFrom('imports')
    .select(['id', 'state', 'created_at'])
    .where('file_digest', '=', file_digest)
    .where('resource', '=', resource)
    .where('id', '<>', id)
    .where('state', 'in', ['applying', 'applied', 'canceled', 'undoing'])
    .where(sql<boolean>`(state <> 'canceled' or undo_until is not null)`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Lets only one import of a file begin at a time, and finds one that is not finished. */
export async function findUnfinished(db: Db, digest: string, resource: ImportResource): Promise<number | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended('import ' || ${digest}::text, 0))`.execute(db)
  const row = await db
    .selectFrom('imports')
    .select('id')
    .where('file_digest', '=', digest)
    .where('resource', '=', resource)
    .where('state', 'in', ['checking', 'applying', 'undoing'])
    .executeTakeFirst()
  return row?.id
}

/** Starts a check, an apply or an undo; a job does the rest. */
export const startState = (
  db: Db,
  id: number,
  state: 'checking' | 'applying' | 'undoing',
  values: {
    columns?: Record<string, string>
    dates?: Row<'imports'>['dates']
    source?: string
    tells_people?: boolean
    undo_until?: Date
    total: number
  },
  now: Date,
) => {
  const { columns, ...rest } = values
  return db
    .updateTable('imports')
    .set({
      ...rest,
      ...(columns && { columns: JSON.stringify(columns) }),
      state,
      done: 0,
      line_reached: 0,
      error: null,
      started_at: now,
      runner: null,
      beat_at: null,
    })
    .where('id', '=', id)
    .execute()
}

export const setState = (
  db: Db,
  id: number,
  values: Partial<Pick<Row<'imports'>, 'state' | 'error' | 'applied_at' | 'file_key'>>,
) => db.updateTable('imports').set(values).where('id', '=', id).execute()

export const removeImport = (db: Db, id: number) => db.deleteFrom('imports').where('id', '=', id).execute()

/** Imports that ended before a moment and still have their file or rows. */
export const findExpired = (db: Db, before: Date) =>
  db
    .selectFrom('imports')
    .select(['id', 'file_key'])
    // The file may be gone already: an erasure forgets it.
    .where(sql<boolean>`(file_key is not null or exists (select from import_rows r where r.import_id = imports.id))`)
    .where('created_at', '<', before)
    .where('state', 'not in', ['checking', 'applying', 'undoing'])
    .where(sql<boolean>`coalesce(applied_at, created_at) < ${before}`)
    .execute()

/** Forgets the file of an import and what its rows contain; its counts stay. */
export async function forgetFile(db: Db, id: number) {
  await sql`with gone as (delete from import_rows where import_id = ${id})
    update imports set file_key = null where id = ${id}`.execute(db)
}

export async function findKnownKeys(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('imports').select('file_key').where('file_key', 'is not', null).execute()
  return new Set(rows.map(({ file_key }) => file_key ?? ''))
}
