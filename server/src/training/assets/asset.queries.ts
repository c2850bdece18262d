import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import type { StagedFile } from '#platform/uploads/receive-files.ts'

export interface AssetRecord extends Omit<Row<'training_assets'>, 'course_id' | 'worker_id'> {
  course_key: string | null
  uses: number
  uploaded_by: string | null
}

const columns = sql`a.id, a.name, a.type, a.filename, a.mime_type, a.quality, a.original_size, a.final_size, a.width, a.height, a.duration, a.pages,
  c.course_key, a.lesson_id, w.name as uploaded_by, a.created_at, (select count(*) from training_asset_uses u where u.asset_id = a.id) as uses`
const joins = sql`left join training_courses c on c.id = a.course_id left join workers w on w.id = a.worker_id`

interface Page {
  lessonId: number | undefined
  courseKey: string | undefined
  type: Row<'training_assets'>['type'] | undefined
  pattern: string | undefined
  limit: number
  offset: number
}

/** One page, newest first, with the total, in one statement. The files of a lesson are those uploaded for it or shown in it. */
export async function findAssets(db: Db, page: Page): Promise<{ total: number; rows: AssetRecord[] }> {
  const conditions = [
    page.lessonId === undefined
      ? sql`true`
      : sql`(lesson_id = ${page.lessonId} or id in (select asset_id from training_asset_uses where lesson_id = ${page.lessonId} and not is_kept))`,
    page.courseKey === undefined
      ? sql`true`
      : sql`course_id = (select id from training_courses where course_key = ${page.courseKey})`,
    page.type === undefined ? sql`true` : sql`type = ${page.type}`,
    page.pattern === undefined ? sql`true` : sql`lower(filename) like lower(${page.pattern})`,
  ]
  const { rows } = await sql<{ total: number } & (AssetRecord | { id: null })>`
    with matches as materialized (select id, created_at from training_assets where ${sql.join(conditions, sql` and `)})
    select t.total, ${columns}
    from (select count(*) as total from matches) t
    left join (select id from matches order by created_at desc, id desc limit ${page.limit} offset ${page.offset}) p on true
    left join training_assets a on a.id = p.id ${joins}
    order by a.created_at desc, a.id desc`.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.filter((row): row is (typeof rows)[number] & AssetRecord => row.id !== null),
  }
}

export async function findAsset(db: Db, id: number): Promise<AssetRecord | undefined> {
  const { rows } = await sql<AssetRecord>`select ${columns} from training_assets a ${joins} where a.id = ${id}`.execute(
    db,
  )
  return rows[0]
}

/** Locks the asset until the transaction ends. */
export async function lockAsset(db: Db, id: number): Promise<AssetRecord | undefined> {
  await sql`select from training_assets where id = ${id} for update`.execute(db)
  return findAsset(db, id)
}

export const removeAsset = (db: Db, id: number) => db.deleteFrom('training_assets').where('id', '=', id).execute()

/** The fields needed to serve a file. */
export const findFile = (db: Db, name: string) =>
  db
    .selectFrom('training_assets')
    .select(['name', 'filename', 'mime_type', 'final_size'])
    .where('name', '=', name)
    .executeTakeFirst()

/** The course and lesson of an upload; `lessonId` is null if the lesson does not belong to the course. */
export async function findTarget(db: Db, courseKey: string | undefined, lessonId: number | undefined) {
  const { rows } = await sql<{ course_id: number | null; lesson_id: number | null }>`
    select (select id from training_courses where course_key = ${courseKey ?? null}) as course_id,
      (select l.id from training_lessons l join training_courses c on c.id = l.course_id
        where l.id = ${lessonId ?? null} and (${courseKey ?? null}::text is null or c.course_key = ${courseKey ?? null})) as lesson_id`.execute(
    db,
  )
  return { courseId: rows[0]?.course_id ?? null, lessonId: rows[0]?.lesson_id ?? null }
}

interface NewAsset {
  file: StagedFile
  quality: 'low' | 'medium' | 'high'
  courseId: number | null
  lessonId: number | null
  workerId: number
  now: Date
}

export async function insertAsset(db: Db, { file, quality, courseId, lessonId, workerId, now }: NewAsset) {
  const { id } = await db
    .insertInto('training_assets')
    .values({
      name: file.name,
      type: file.kind.type,
      filename: file.filename,
      mime_type: file.kind.mime,
      quality,
      original_size: file.originalSize,
      final_size: file.finalSize,
      width: file.width,
      height: file.height,
      duration: file.duration,
      pages: file.pages,
      course_id: courseId,
      lesson_id: lessonId,
      worker_id: workerId,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export interface UseRecord {
  course_key: string
  course_title: string
  module_key: string
  module_title: string
  lesson_id: number
  lesson_title: string
  is_live: boolean
}

/** The lessons that use a file. */
export async function findUses(db: Db, id: number): Promise<UseRecord[]> {
  const { rows } = await sql<UseRecord>`
    select c.course_key, c.title as course_title, m.module_key, m.title as module_title, l.id as lesson_id, l.title as lesson_title,
      (c.is_active and m.is_active and l.is_active and not u.is_kept) as is_live
    from training_asset_uses u join training_lessons l on l.id = u.lesson_id join training_modules m on m.id = l.module_id
      join training_courses c on c.id = l.course_id
    where u.asset_id = ${id} order by c.title, m.position, l.position limit 500`.execute(db)
  return rows
}

/** The given names that have a record. */
export async function findKnownNames(db: Db, names: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`select name from training_assets where name = any(${names})`.execute(db)
  return new Set(rows.map(({ name }) => name))
}
