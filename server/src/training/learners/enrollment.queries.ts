import type { EnrollmentState } from '@limber/contract/training/learners/enrollment.ts'
import { type RawBuilder, sql } from 'kysely'
import { customersMatching } from '#platform/db/customers-matching.ts'
import type { Db, Row } from '#platform/db/db.ts'

export interface EnrollmentRecord extends Omit<Row<'training_enrolments'>, 'course_id' | 'customer_id'> {
  user_id: number
  name: string
  email: string
  state: EnrollmentState
  lessons_done: number
  lessons: number
  stuck: { lesson_id: number; lesson_title: string; component: number }[] | null
}

interface Wanted {
  courseId: number
  userId?: number | undefined
  pattern?: string | undefined
  state?: EnrollmentState | undefined
  limit: number
  offset: number
}

/** Learners of a course by name, with the total, in one statement. */
export async function findEnrollments(db: Db, wanted: Wanted): Promise<{ total: number; rows: EnrollmentRecord[] }> {
  const { courseId } = wanted
  const ofUser = (id: RawBuilder<unknown>) => (wanted.userId === undefined ? sql`true` : sql`${id} = ${wanted.userId}`)
  const conditions = [
    ofUser(sql`e.customer_id`),
    wanted.pattern === undefined ? sql`true` : sql`c.search_text like lower(${wanted.pattern})`,
  ]
  const { rows } = await sql<{ total: number } & (EnrollmentRecord | { user_id: null })>`
    with stuck as materialized (
      select q.customer_id, jsonb_agg(jsonb_build_object('lesson_id', q.lesson_id, 'lesson_title', l.title, 'component', q.component)
        order by m.position, l.position, q.component) as quizzes
      from training_quiz_states q join training_lessons l on l.id = q.lesson_id join training_modules m on m.id = l.module_id
      where q.course_id = ${courseId} and ${ofUser(sql`q.customer_id`)} and not q.is_passed and not q.is_open and q.attempts >= q.allowed
      group by q.customer_id),
    needed as materialized (
      select l.id from training_lessons l join training_modules m on m.id = l.module_id
      where l.course_id = ${courseId} and l.is_active and m.is_active and l.is_required and m.is_required),
    everyone as materialized (
      select e.customer_id as user_id, c.first_name || ' ' || c.last_name as name, c.email, e.enrolled_at, e.started_at, e.completed_at, e.last_seen_at,
        case when e.completed_at is null then s.quizzes end as stuck,
        case when e.completed_at is not null then 'completed' when s.quizzes is not null then 'stuck'
          when e.started_at is not null then 'learning' else 'not_started' end as state
      from training_enrolments e join customers c on c.id = e.customer_id left join stuck s on s.customer_id = e.customer_id
      where e.course_id = ${courseId} and ${sql.join(conditions, sql` and `)}),
    matches as materialized (select * from everyone where ${wanted.state ?? null}::text is null or state = ${wanted.state ?? null})
    select t.total, p.*, (select count(*) from needed) as lessons,
      (select count(*) from training_progress g join needed n on n.id = g.lesson_id
        where g.customer_id = p.user_id and g.completed_at is not null) as lessons_done
    from (select count(*) as total from matches) t
    left join (select * from matches order by name, user_id limit ${wanted.limit} offset ${wanted.offset}) p on true
    order by p.name, p.user_id`.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.filter((row): row is (typeof rows)[number] & EnrollmentRecord => row.user_id !== null),
  }
}

export interface CandidateRecord {
  user_id: number
  name: string
  email: string
  is_stretcher: boolean
}

/** Matching users who are not in the course, stretchers first. If very many users match, only some of them. */
export async function findCandidateRows(
  db: Db,
  wanted: { courseId: number; search: string; id: number | undefined; limit: number },
): Promise<CandidateRecord[]> {
  const { rows } = await sql<CandidateRecord>`
    with matches as materialized (${customersMatching(wanted.search)} union select ${wanted.id ?? 0}::bigint)
    select c.id as user_id, c.first_name || ' ' || c.last_name as name, c.email, s.id is not null as is_stretcher
    from matches m join customers c on c.id = m.id left join stretchers s on s.customer_id = c.id
    where c.merged_into_id is null and c.erased_at is null
      and not exists (select from training_enrolments e where e.course_id = ${wanted.courseId} and e.customer_id = c.id)
    order by (c.id = ${wanted.id ?? 0}) desc, is_stretcher desc, lower(c.first_name || ' ' || c.last_name), c.id
    limit ${wanted.limit}`.execute(db)
  return rows
}

/** Whether the user exists and is neither merged nor erased. */
export async function isUser(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from customers where id = ${id} and merged_into_id is null and erased_at is null`.execute(db)
  return rows.length > 0
}

/** Enrolls a user; returns whether the enrollment is new. */
export async function insertEnrollment(db: Db, courseId: number, userId: number, now: Date): Promise<boolean> {
  const { rows } =
    await sql`insert into training_enrolments (course_id, customer_id, enrolled_at) values (${courseId}, ${userId}, ${now})
    on conflict do nothing returning 1`.execute(db)
  return rows.length > 0
}

/** Enrolls users in every required course in production; returns the number of new enrollments. */
export async function enrollInRequired(db: Db, userIds: readonly number[], now: Date): Promise<number> {
  const { rows } = await sql`insert into training_enrolments (course_id, customer_id, enrolled_at)
    select c.id, u.id, ${now} from training_courses c cross join unnest(${userIds}::bigint[]) as u(id)
    where c.is_required and c.is_active order by c.id, u.id
    on conflict do nothing returning 1`.execute(db)
  return rows.length
}

/** The progress of users in the required courses they are enrolled in. */
export async function findRequiredProgress(db: Db, userIds: readonly number[]) {
  const { rows } = await sql<{ user_id: number; required: number; completed: number }>`
    select e.customer_id as user_id, count(*) as required, count(e.completed_at) as completed
    from training_enrolments e join training_courses c on c.id = e.course_id
    where e.customer_id = any(${userIds}::bigint[]) and c.is_required group by e.customer_id`.execute(db)
  return rows
}

/** The required courses that a user is enrolled in, by name. */
export async function findRequiredCourses(db: Db, userId: number) {
  const { rows } = await sql<{ course_key: string; title: string; completed_at: Date | null }>`
    select c.course_key, c.title, e.completed_at
    from training_enrolments e join training_courses c on c.id = e.course_id
    where e.customer_id = ${userId} and c.is_required order by lower(c.title), c.id`.execute(db)
  return rows
}

/** Stretchers in training who are enrolled in the course and have not completed it: one user or all. */
export async function findTrainees(db: Db, courseId: number, userId?: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select e.customer_id as id from training_enrolments e join stretchers s on s.customer_id = e.customer_id and s.status = 'in_training'
    where e.course_id = ${courseId} and e.completed_at is null and (${userId ?? null}::bigint is null or e.customer_id = ${userId ?? null})
    order by 1`.execute(db)
  return rows.map(({ id }) => id)
}

/** Removes a learner from a course with all records; undefined if the learner is not enrolled. */
export async function removeEnrollment(db: Db, courseId: number, userId: number) {
  const { rows } = await sql<{ attempts: number; progress: number; enrolled: number }>`
    with own as materialized (select id from training_lessons where course_id = ${courseId}),
    attempts as (delete from training_attempts where customer_id = ${userId} and lesson_id in (select id from own) returning 1),
    progress as (delete from training_progress where customer_id = ${userId} and lesson_id in (select id from own) returning 1),
    extra as (delete from training_extra_attempts where customer_id = ${userId} and lesson_id in (select id from own)),
    gone as (delete from training_enrolments where course_id = ${courseId} and customer_id = ${userId} returning 1)
    select (select count(*) from attempts) as attempts, (select count(*) from progress) as progress, (select count(*) from gone) as enrolled`.execute(
    db,
  )
  const [{ enrolled, ...deleted } = { enrolled: 0, attempts: 0, progress: 0 }] = rows
  return enrolled > 0 ? deleted : undefined
}
