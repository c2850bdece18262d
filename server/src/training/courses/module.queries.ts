import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { type CourseRecord, courseColumns } from './course.queries.ts'

export interface ModuleRecord extends Row<'training_modules'> {
  course_key: string
  prerequisites: string[]
  lessons: number
}

const columns = sql`m.id, m.course_id, c.course_key, m.module_key, m.title, m.description, m.estimated_duration_minutes, m.is_required, m.is_active,
  m.position, m.created_at, m.updated_at, m.version,
  array(select r.module_key from training_module_prerequisites p join training_modules r on r.id = p.requires_id
    where p.module_id = m.id order by r.position) as prerequisites,
  (select count(*) from training_lessons l where l.module_id = m.id) as lessons`

export async function findModule(db: Db, courseId: number, key: string): Promise<ModuleRecord | undefined> {
  const { rows } = await sql<ModuleRecord>`
    select ${columns} from training_modules m join training_courses c on c.id = m.course_id
    where m.course_id = ${courseId} and m.module_key = ${key}`.execute(db)
  return rows[0]
}

/** One page of the modules of a course, in order. */
export async function findModules(
  db: Db,
  courseId: number,
  { limit, offset }: { limit: number; offset: number } = { limit: 500, offset: 0 },
): Promise<ModuleRecord[]> {
  const { rows } = await sql<ModuleRecord>`
    select ${columns} from training_modules m join training_courses c on c.id = m.course_id
    where m.course_id = ${courseId} order by m.position, m.id limit ${limit} offset ${offset}`.execute(db)
  return rows
}

type PrintedModule = Omit<ModuleRecord, 'created_at' | 'updated_at'> & { created_at: string; updated_at: string }

/** A course with its modules in order, in one statement. */
export async function findCourseWithModules(
  db: Db,
  key: string,
): Promise<{ course: CourseRecord; modules: ModuleRecord[] } | undefined> {
  const { rows } = await sql<CourseRecord & { parts: PrintedModule[] }>`
    select ${courseColumns}, coalesce((select json_agg(one) from (
      select ${columns} from training_modules m where m.course_id = c.id order by m.position, m.id limit 500) one), '[]') as parts
    from training_courses c where c.course_key = ${key}`.execute(db)
  if (!rows[0]) return undefined
  const { parts, ...course } = rows[0]
  const modules = parts.map(({ created_at, updated_at, ...module }) => ({
    ...module,
    created_at: new Date(created_at),
    updated_at: new Date(updated_at),
  }))
  return { course, modules }
}

export interface ModuleChange {
  title?: string
  description?: string | null
  estimated_duration_minutes?: number | null
  is_required?: boolean
  is_active?: boolean
}

/** Appends a module to its course; undefined if the key is taken. */
export async function insertModule(
  db: Db,
  courseId: number,
  key: string,
  module: ModuleChange & { title: string },
  now: Date,
) {
  const row = await db
    .insertInto('training_modules')
    .values({
      description: null,
      estimated_duration_minutes: null,
      ...module,
      course_id: courseId,
      module_key: key,
      position: sql<number>`(select coalesce(max(position) + 1, 0) from training_modules where course_id = ${courseId})`,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.constraint('training_modules_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export const saveModule = (db: Db, id: number, change: ModuleChange, now: Date) =>
  db
    .updateTable('training_modules')
    .set({ ...change, version: sql`version + 1`, updated_at: now })
    .where('id', '=', id)
    .execute()

/** All modules of a course with their prerequisites. */
export async function readModuleRequirements(db: Db, courseId: number) {
  const { rows } = await sql<{ key: string; title: string; requires: string[] }>`
    select m.module_key as key, m.title,
      array(select r.module_key from training_module_prerequisites p join training_modules r on r.id = p.requires_id where p.module_id = m.id) as requires
    from training_modules m where m.course_id = ${courseId}`.execute(db)
  return rows
}

export async function setModulePrerequisites(db: Db, courseId: number, id: number, keys: readonly string[]) {
  await sql`delete from training_module_prerequisites where module_id = ${id}`.execute(db)
  await sql`insert into training_module_prerequisites (module_id, requires_id, course_id)
    select ${id}, id, ${courseId} from training_modules where course_id = ${courseId} and module_key = any(${keys})`.execute(
    db,
  )
}

/** Renumbers the modules of a course in the given order, in one statement. */
export const setModuleOrder = (db: Db, courseId: number, keys: readonly string[]) =>
  sql`update training_modules m set position = o.place - 1
    from unnest(${keys}::text[]) with ordinality as o (key, place)
    where m.course_id = ${courseId} and m.module_key = o.key and m.position <> o.place - 1`.execute(db)

/** Counts what is deleted along with a module. */
export async function countDeletedWithModule(db: Db, id: number) {
  const { rows } = await sql<{ lessons: number; attempts: number; progress: number }>`
    select (select count(*) from training_lessons where module_id = ${id}) as lessons,
      (select count(*) from training_attempts a join training_lessons l on l.id = a.lesson_id where l.module_id = ${id}) as attempts,
      (select count(*) from training_progress p join training_lessons l on l.id = p.lesson_id where l.module_id = ${id}) as progress`.execute(
    db,
  )
  return rows[0] ?? { lessons: 0, attempts: 0, progress: 0 }
}

export const removeModule = (db: Db, id: number) => db.deleteFrom('training_modules').where('id', '=', id).execute()
