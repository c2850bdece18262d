import type { ContentData, ContentType, MixedComponent } from '@limber/contract/training/lessons/content.ts'
import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'

export interface LessonRecord extends Omit<Row<'training_lessons'>, 'content' | 'kept_components' | 'styles'> {
  course_key: string
  module_key: string
  prerequisites: number[]
  references: number[]
}

export interface FullLesson extends LessonRecord {
  content: ContentData
  kept_components: MixedComponent[] | null
  styles: string
}

const columns = sql`l.id, l.course_id, c.course_key, l.module_id, m.module_key, l.lesson_key, l.title, l.description, l.content_type, l.duration_minutes,
  l.is_required, l.is_active, l.passing_score, l.max_attempts, l.position, l.question_count, l.allows_html, l.created_at, l.updated_at, l.version,
  array(select requires_id from training_lesson_prerequisites p where p.lesson_id = l.id order by requires_id) as prerequisites,
  array(select refers_to from training_lesson_references r where r.lesson_id = l.id order by refers_to) as "references"`
const fullColumns = sql`${columns}, l.content, l.kept_components, l.styles`
const from = sql`from training_lessons l join training_modules m on m.id = l.module_id join training_courses c on c.id = l.course_id`

// The driver returns arrays of int8 as text.
const numbers = <T extends LessonRecord>(row: T): T => ({
  ...row,
  prerequisites: row.prerequisites.map(Number),
  references: row.references.map(Number),
})

export async function findLesson(db: Db, id: number): Promise<FullLesson | undefined> {
  const { rows } = await sql<FullLesson>`select ${fullColumns} ${from} where l.id = ${id}`.execute(db)
  return rows[0] && numbers(rows[0])
}

/** The lesson, with its course locked: other changes to either wait. */
export async function lockLesson(db: Db, id: number): Promise<FullLesson | undefined> {
  await sql`select from training_courses where id = (select course_id from training_lessons where id = ${id}) for no key update`.execute(
    db,
  )
  return findLesson(db, id)
}

interface LessonFilter {
  courseId: number
  moduleId?: number | undefined
  withContent: boolean
  limit: number
  offset: number
}

/** Lessons in course order, in one statement. */
export async function findLessons(db: Db, wanted: LessonFilter): Promise<(LessonRecord & Partial<FullLesson>)[]> {
  const { rows } = await sql<LessonRecord & Partial<FullLesson>>`
    select ${wanted.withContent ? fullColumns : columns} ${from}
    where l.course_id = ${wanted.courseId} and ${wanted.moduleId === undefined ? sql`true` : sql`l.module_id = ${wanted.moduleId}`}
    order by m.position, m.id, l.position, l.id limit ${wanted.limit} offset ${wanted.offset}`.execute(db)
  return rows.map(numbers)
}

export interface LessonChange {
  title?: string
  description?: string | null
  content_type?: ContentType
  content?: string
  kept_components?: string | null
  styles?: string
  question_count?: number
  allows_html?: boolean
  duration_minutes?: number | null
  is_required?: boolean
  is_active?: boolean
  passing_score?: number | null
  max_attempts?: number
  module_id?: number
}

const endOf = (moduleId: number) =>
  sql<number>`(select coalesce(max(position) + 1, 0) from training_lessons where module_id = ${moduleId})`

/** Appends a lesson to its module; undefined if the key is taken. */
export async function insertLesson(
  db: Db,
  place: { course_id: number; module_id: number; lesson_key: string },
  lesson: LessonChange & { title: string; content_type: ContentType; content: string },
  now: Date,
) {
  const row = await db
    .insertInto('training_lessons')
    .values({
      description: null,
      duration_minutes: null,
      passing_score: null,
      ...lesson,
      ...place,
      position: endOf(place.module_id),
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.constraint('training_lessons_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export const saveLesson = (db: Db, id: number, change: LessonChange, now: Date) =>
  db
    .updateTable('training_lessons')
    .set({
      ...change,
      ...(change.module_id !== undefined && { position: endOf(change.module_id) }),
      version: sql`version + 1`,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()

export async function isLessonKeyTaken(db: Db, moduleId: number, key: string): Promise<boolean> {
  const { rows } =
    await sql`select from training_lessons where module_id = ${moduleId} and lesson_key = ${key}`.execute(db)
  return rows.length > 0
}

/** All lessons of a module with their prerequisites. */
export async function readLessonRequirements(db: Db, moduleId: number) {
  const { rows } = await sql<{ id: number; title: string; requires: string[] }>`
    select l.id, l.title, array(select requires_id::text from training_lesson_prerequisites p where p.lesson_id = l.id) as requires
    from training_lessons l where l.module_id = ${moduleId}`.execute(db)
  return rows
}

/** The given ids that are lessons of the course. */
export async function findLessonIds(db: Db, courseId: number, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from training_lessons where course_id = ${courseId} and id = any(${ids}::bigint[])`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export async function hasDependents(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`select from training_lesson_prerequisites where requires_id = ${id} limit 1`.execute(db)
  return rows.length > 0
}

export async function setLessonPrerequisites(db: Db, id: number, moduleId: number, ids: readonly number[]) {
  await sql`delete from training_lesson_prerequisites where lesson_id = ${id}`.execute(db)
  await sql`insert into training_lesson_prerequisites (lesson_id, requires_id, module_id)
    select ${id}, r, ${moduleId} from unnest(${ids}::bigint[]) r`.execute(db)
}

export async function setLessonReferences(db: Db, id: number, courseId: number, ids: readonly number[]) {
  await sql`delete from training_lesson_references where lesson_id = ${id}`.execute(db)
  await sql`insert into training_lesson_references (lesson_id, refers_to, course_id)
    select ${id}, r, ${courseId} from unnest(${ids}::bigint[]) r`.execute(db)
}

export interface FileUses {
  /** Names of the uploaded files that the lesson shows. */
  shown: readonly string[]
  /** Names of the files in kept components, which return if the lesson becomes mixed again. */
  kept: readonly string[]
}

/** Stores which uploaded files a lesson uses. */
export async function setAssetUses(db: Db, id: number, { shown, kept }: FileUses) {
  await sql`
    with gone as (
      delete from training_asset_uses u using training_assets a
      where u.lesson_id = ${id} and a.id = u.asset_id and a.name <> all(${[...shown, ...kept]}))
    insert into training_asset_uses (asset_id, lesson_id, is_kept)
    select id, ${id}, name <> all(${shown}) from training_assets where name = any(${[...shown, ...kept]})
    on conflict (asset_id, lesson_id) do update set is_kept = excluded.is_kept`.execute(db)
}

/** Renumbers the lessons of a module in the given order, in one statement. */
export const setLessonOrder = (db: Db, moduleId: number, ids: readonly number[]) =>
  sql`update training_lessons l set position = o.place - 1
    from unnest(${ids}::bigint[]) with ordinality as o (id, place)
    where l.module_id = ${moduleId} and l.id = o.id and l.position <> o.place - 1`.execute(db)

/** Counts what is deleted along with a lesson. */
export async function countDeletedWithLesson(db: Db, id: number) {
  const { rows } = await sql<{ attempts: number; progress: number }>`
    select (select count(*) from training_attempts where lesson_id = ${id}) as attempts,
      (select count(*) from training_progress where lesson_id = ${id}) as progress`.execute(db)
  return rows[0] ?? { attempts: 0, progress: 0 }
}

export const removeLesson = (db: Db, id: number) => db.deleteFrom('training_lessons').where('id', '=', id).execute()

/** Deletes the files that were uploaded for these lessons and are used in no other; returns their names. */
export async function removeOwnAssets(db: Db, lessons: { lessonId: number } | { moduleId: number }): Promise<string[]> {
  const which =
    'lessonId' in lessons
      ? sql`select ${lessons.lessonId}::bigint`
      : sql`select id from training_lessons where module_id = ${lessons.moduleId}`
  const { rows } = await sql<{ name: string }>`
    delete from training_assets a where a.lesson_id in (${which})
      and not exists (select from training_asset_uses u where u.asset_id = a.id and u.lesson_id not in (${which}))
    returning name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Counts the lessons of a course outside the given module or except the given lesson. */
export async function countOtherLessons(db: Db, courseId: number, but: { moduleId: number } | { lessonId: number }) {
  const rest = 'moduleId' in but ? sql`module_id <> ${but.moduleId}` : sql`id <> ${but.lessonId}`
  const { rows } = await sql<{ count: number }>`
    select count(*) from training_lessons where course_id = ${courseId} and ${rest}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Names of existing files that the lessons of a course use. */
export async function findUsedFiles(db: Db, courseId: number): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select distinct a.name from training_asset_uses u join training_assets a on a.id = u.asset_id
      join training_lessons l on l.id = u.lesson_id where l.course_id = ${courseId}`.execute(db)
  return new Set(rows.map(({ name }) => name))
}
