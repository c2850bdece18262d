import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { isValidOn } from './validity.queries.ts'

export interface TypeRecord extends Omit<Row<'certification_types'>, 'created_at'> {
  certifications: number
  valid: number
}

const columns = (
  today: string,
) => sql`t.id, t.name, t.description, t.valid_months, t.is_required, t.retired_at, t.version,
  (select count(*) from certifications k where k.type_id = t.id) as certifications,
  (select count(*) from certifications k where k.type_id = t.id and ${isValidOn('k', today)}) as valid`

/** Keeps the unpaged list usable. */
export const MAX_TYPES = 200

export async function findTypes(db: Db, today: string): Promise<TypeRecord[]> {
  const { rows } = await sql<TypeRecord>`
    select ${columns(today)} from certification_types t order by lower(t.name), t.id limit ${MAX_TYPES}`.execute(db)
  return rows
}

export async function findType(db: Db, id: number, today: string): Promise<TypeRecord | undefined> {
  const { rows } = await sql<TypeRecord>`
    select ${columns(today)} from certification_types t where t.id = ${id}`.execute(db)
  return rows[0]
}

/** A type that is publicly known, because the public page of one of its certifications was opened. */
export async function findPublicType(db: Db, id: number) {
  const { rows } = await sql<Pick<TypeRecord, 'id' | 'name' | 'description'>>`
    select t.id, t.name, t.description from certification_types t
    where t.id = ${id} and exists (select from certifications k where k.type_id = t.id and k.first_opened_at is not null)`.execute(
    db,
  )
  return rows[0]
}

/** Locks the type against changes and deletion until the transaction ends. */
export async function lockType(db: Db, id: number, today: string): Promise<TypeRecord | undefined> {
  await sql`select from certification_types where id = ${id} for update`.execute(db)
  return findType(db, id, today)
}

/** Locks the type against deletion only. */
export async function lockTypeForUse(db: Db, id: number) {
  const { rows } = await sql<Pick<TypeRecord, 'id' | 'valid_months' | 'retired_at'>>`
    select id, valid_months, retired_at from certification_types where id = ${id} for key share`.execute(db)
  return rows[0]
}

export const countTypes = async (db: Db) =>
  (await sql<{ count: number }>`select count(*) as count from certification_types`.execute(db)).rows[0]?.count ?? 0

type TypeDraft = Omit<Row<'certification_types'>, 'id' | 'retired_at' | 'version' | 'created_at'>

/** Returns nothing when the name is taken. */
export const insertType = (db: Db, draft: TypeDraft, now: Date) =>
  db
    .insertInto('certification_types')
    .values({ ...draft, retired_at: null, created_at: now })
    .onConflict((conflict) => conflict.expression(sql`lower(name)`).doNothing())
    .returning('id')
    .executeTakeFirst()

export const isTypeNameTaken = async (db: Db, name: string, except: number) =>
  (await db
    .selectFrom('certification_types')
    .select('id')
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .where('id', '<>', except)
    .executeTakeFirst()) !== undefined

export const saveType = (db: Db, id: number, change: TypeDraft & { retired_at: Date | null }) =>
  db
    .updateTable('certification_types')
    .set({ ...change, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()

export const removeType = (db: Db, id: number) => db.deleteFrom('certification_types').where('id', '=', id).execute()
