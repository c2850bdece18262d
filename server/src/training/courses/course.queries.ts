import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'

export interface CourseRecord extends Omit<Row<'training_courses'>, 'estimated_duration_hours' | 'search_text'> {
  hours: number | null
  prerequisites: string[]
  modules: number
  lessons: number
  enrolled: number
  learning: number
}

export const courseColumns = sql`c.id, c.course_key, c.title, c.description, c.difficulty_level, c.estimated_duration_hours::float8 as hours,
  c.is_required, c.is_active, c.stylesheet, c.theme, c.styles, c.created_at, c.updated_at, c.version,
  array(select r.course_key from training_course_prerequisites p join training_courses r on r.id = p.requires_id
    where p.course_id = c.id order by r.course_key) as prerequisites,
  (select count(*) from training_modules m where m.course_id = c.id) as modules,
  (select count(*) from training_lessons l where l.course_id = c.id) as lessons,
  kept_count('course ' || c.id, 'enrolled') as enrolled, kept_count('course ' || c.id, 'learning') as learning`

export async function findCourse(db: Db, key: string): Promise<CourseRecord | undefined> {
  const { rows } = await sql<CourseRecord>`
    select ${courseColumns} from training_courses c where c.course_key = ${key}`.execute(db)
  return rows[0]
}

/** Locks the course against other edits until the transaction ends. Learner writes do not wait for it. */
export async function lockCourse(db: Db, key: string): Promise<CourseRecord | undefined> {
  await sql`select from training_courses where course_key = ${key} for no key update`.execute(db)
  return findCourse(db, key)
}

const PREREQUISITES_LOCK = 7_214_065

/** Serializes changes to course prerequisites, so that two concurrent changes cannot form a loop together. */
export const lockPrerequisites = (db: Db) => sql`select pg_advisory_xact_lock(${PREREQUISITES_LOCK})`.execute(db)

/** One page by title, with the total, in one statement. */
export async function findCourses(
  db: Db,
  { pattern, limit, offset }: { pattern: string | undefined; limit: number; offset: number },
): Promise<{ total: number; rows: CourseRecord[] }> {
  const found = pattern === undefined ? sql`true` : sql`search_text like lower(${pattern})`
  const { rows } = await sql<{ total: number } & (CourseRecord | { id: null })>`
    with matches as materialized (select id, lower(title) as word from training_courses where ${found})
    select t.total, ${courseColumns}
    from (select count(*) as total from matches) t
    left join (select id from matches order by word, id limit ${limit} offset ${offset}) page on true
    left join training_courses c on c.id = page.id
    order by lower(c.title), c.id`.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.filter((row): row is (typeof rows)[number] & CourseRecord => row.id !== null),
  }
}

export interface CourseChange {
  title?: string
  description?: string | null
  difficulty_level?: 'beginner' | 'intermediate' | 'advanced'
  estimated_duration_hours?: number | null
  is_required?: boolean
  is_active?: boolean
  stylesheet?: string
  theme?: string | null
  styles?: string
}

const asColumns = ({ estimated_duration_hours: hours, ...change }: CourseChange) => ({
  ...change,
  ...(hours !== undefined && { estimated_duration_hours: hours === null ? null : String(hours) }),
})

/** Inserts a course; undefined if the key is taken. */
export async function insertCourse(db: Db, key: string, course: CourseChange & { title: string }, now: Date) {
  const row = await db
    .insertInto('training_courses')
    .values({
      description: null,
      theme: null,
      ...asColumns(course),
      title: course.title,
      course_key: key,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.constraint('training_courses_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export const saveCourse = (db: Db, id: number, change: CourseChange, now: Date) =>
  db
    .updateTable('training_courses')
    .set({ ...asColumns(change), version: sql`version + 1`, updated_at: now })
    .where('id', '=', id)
    .execute()

/** All prerequisites between courses, with the titles of those courses. */
export async function readCourseRequirements(db: Db) {
  const { rows } = await sql<{ course: string; title: string; requires: string[] }>`
    select c.course_key as course, c.title,
      array(select r.course_key from training_course_prerequisites p join training_courses r on r.id = p.requires_id where p.course_id = c.id) as requires
    from training_courses c`.execute(db)
  return rows
}

export async function setCoursePrerequisites(db: Db, id: number, keys: readonly string[]) {
  await sql`delete from training_course_prerequisites where course_id = ${id}`.execute(db)
  await sql`insert into training_course_prerequisites (course_id, requires_id)
    select ${id}, id from training_courses where course_key = any(${keys})`.execute(db)
}

/** Counts what is deleted along with a course. */
export async function countDeletedWithCourse(db: Db, id: number) {
  const { rows } = await sql<{ modules: number; lessons: number; attempts: number; progress: number; assets: number }>`
    select (select count(*) from training_modules where course_id = ${id}) as modules,
      (select count(*) from training_lessons where course_id = ${id}) as lessons,
      (select count(*) from training_attempts a join training_lessons l on l.id = a.lesson_id where l.course_id = ${id}) as attempts,
      (select count(*) from training_progress p join training_lessons l on l.id = p.lesson_id where l.course_id = ${id}) as progress,
      (select count(*) from training_assets where course_id = ${id}) as assets`.execute(db)
  return rows[0] ?? { modules: 0, lessons: 0, attempts: 0, progress: 0, assets: 0 }
}

/** Deletes a course with everything in it; returns the names of the files to delete. */
export async function removeCourse(db: Db, id: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with gone as (delete from training_courses where id = ${id})
    select name from training_assets where course_id = ${id}`.execute(db)
  return rows.map(({ name }) => name)
}

/** Titles of courses, and whether each is in production. */
export const findCourseStates = (db: Db, keys: readonly string[]) =>
  db
    .selectFrom('training_courses')
    .select(['course_key', 'title', 'is_active'])
    .where('course_key', 'in', keys.length > 0 ? keys : [''])
    .orderBy('title')
    .execute()
