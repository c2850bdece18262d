import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { isValidOn } from './validity.queries.ts'

export interface TypeRecord extends Omit<Row<'certification_types'>, 'created_at'> {
  certifications: number
  valid: number
  courses: { id: string; courseName: string }[]
}

const columns = (
  today: string,
) => sql`t.id, t.name, t.description, t.valid_months, t.is_required, t.retired_at, t.version,
  coalesce((select jsonb_agg(jsonb_build_object('id', c.course_key, 'courseName', c.title) order by lower(c.title), c.id)
    from certification_courses n join training_courses c on c.id = n.course_id where n.type_id = t.id), '[]') as courses,
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

/** The courses in production, by name. */
export async function findCourses(db: Db) {
  const { rows } = await sql<{ id: string; courseName: string }>`
    select course_key as id, title as "courseName" from training_courses where is_active order by lower(title), id limit 500`.execute(
    db,
  )
  return rows
}

/** Sets the courses that a type needs. Returns whether all of them exist. */
export async function saveCourses(db: Db, typeId: number, keys: readonly string[]): Promise<boolean> {
  const wanted = [...new Set(keys)]
  const { rows } = await sql<{ id: number }>`
    select id from training_courses where course_key = any(${wanted}) order by id for key share`.execute(db)
  const ids = rows.map(({ id }) => id)
  await sql`delete from certification_courses where type_id = ${typeId} and course_id <> all(${ids}::bigint[])`.execute(
    db,
  )
  await sql`insert into certification_courses (type_id, course_id) select ${typeId}::bigint, unnest(${ids}::bigint[]) on conflict do nothing`.execute(
    db,
  )
  return ids.length === wanted.length
}

/** The names of the courses that a type needs and a user has not completed. */
export async function findMissingCourses(db: Db, typeId: number, customerId: number): Promise<string[]> {
  const { rows } = await sql<{ title: string }>`
    select c.title from certification_courses n join training_courses c on c.id = n.course_id
    where n.type_id = ${typeId} and not exists (
      select from training_enrolments e
      where e.course_id = n.course_id and e.customer_id = ${customerId} and e.completed_at is not null)
    order by lower(c.title), c.id`.execute(db)
  return rows.map(({ title }) => title)
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
