import type { ContentData, ContentType } from '@limber/contract/training/lessons/content.ts'
import type { Answer, Question } from '@limber/contract/training/lessons/question.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

export interface LearnerLesson {
  id: number
  course_id: number
  course_key: string
  module_id: number
  content_type: ContentType
  content: ContentData
  max_attempts: number
  is_live: boolean
  is_enrolled: boolean
}

/** The lesson from a learner's view. Locks the enrollment, so that one learner's calls run one after another. */
export async function lockLearnerLesson(db: Db, userId: number, lessonId: number): Promise<LearnerLesson | undefined> {
  await sql`select from training_enrolments
    where customer_id = ${userId} and course_id = (select course_id from training_lessons where id = ${lessonId}) for update`.execute(
    db,
  )
  const { rows } = await sql<LearnerLesson>`
    select l.id, l.course_id, c.course_key, l.module_id, l.content_type, l.content, l.max_attempts,
      (c.is_active and m.is_active and l.is_active) as is_live,
      exists (select from training_enrolments e where e.course_id = l.course_id and e.customer_id = ${userId}) as is_enrolled
    from training_lessons l join training_modules m on m.id = l.module_id join training_courses c on c.id = l.course_id
    where l.id = ${lessonId}`.execute(db)
  return rows[0]
}

/** Titles of what a learner must complete before a lesson. */
export async function findUnmetPrerequisites(
  db: Db,
  userId: number,
  { id, module_id, course_id }: LearnerLesson,
): Promise<string[]> {
  const isDone = sql`exists (select from training_progress g where g.lesson_id = r.id and g.customer_id = ${userId} and g.completed_at is not null)`
  const { rows } = await sql<{ title: string }>`
    select r.title from training_course_prerequisites p join training_courses r on r.id = p.requires_id
      where p.course_id = ${course_id} and not exists (
        select from training_enrolments e where e.course_id = r.id and e.customer_id = ${userId} and e.completed_at is not null)
    union all
    select m.title from training_module_prerequisites p join training_modules m on m.id = p.requires_id
      where p.module_id = ${module_id} and m.is_active and exists (
        select from training_lessons r where r.module_id = m.id and r.is_active and r.is_required and not ${isDone})
    union all
    select r.title from training_lesson_prerequisites p join training_lessons r on r.id = p.requires_id
      where p.lesson_id = ${id} and r.is_active and not ${isDone}
    limit 5`.execute(db)
  return rows.map(({ title }) => title)
}

/** Records a visit to a lesson. The reported time is capped at the time since the last report. */
export async function saveProgress(
  db: Db,
  {
    userId,
    lesson,
    seconds,
    isCompleted,
    now,
  }: { userId: number; lesson: LearnerLesson; seconds: number; isCompleted: boolean; now: Date },
): Promise<{ seconds: number; isCompleted: boolean }> {
  await sql`update training_enrolments set started_at = coalesce(started_at, ${now}), last_seen_at = ${now}
    where course_id = ${lesson.course_id} and customer_id = ${userId}`.execute(db)
  const { rows } = await sql<{ seconds: number; completed_at: Date | null }>`
    insert into training_progress (lesson_id, customer_id, started_at, reported_at, completed_at)
    values (${lesson.id}, ${userId}, ${now}, ${now}, ${isCompleted ? now : null})
    on conflict (lesson_id, customer_id) do update set
      seconds = training_progress.seconds + least(${seconds}::int, greatest(0, ceil(extract(epoch from ${now}::timestamptz - training_progress.reported_at)))::int),
      reported_at = ${now},
      completed_at = coalesce(training_progress.completed_at, excluded.completed_at)
    returning seconds, completed_at`.execute(db)
  return { seconds: rows[0]?.seconds ?? 0, isCompleted: rows[0]?.completed_at !== null }
}

/** Marks the course as completed if every required lesson is done, or every lesson if none is required. */
export async function completeCourse(db: Db, userId: number, courseId: number, now: Date): Promise<boolean> {
  const { rows } = await sql<{ completed_at: Date | null }>`
    with live as materialized (
      select l.id, (l.is_required and m.is_required) as is_required
      from training_lessons l join training_modules m on m.id = l.module_id
      where l.course_id = ${courseId} and l.is_active and m.is_active),
    needed as (select id from live where is_required or not exists (select from live where is_required))
    update training_enrolments e set completed_at = coalesce(e.completed_at, case
      when exists (select from needed n where not exists (
        select from training_progress g where g.lesson_id = n.id and g.customer_id = ${userId} and g.completed_at is not null))
      then null else ${now}::timestamptz end)
    where e.course_id = ${courseId} and e.customer_id = ${userId} and e.started_at is not null
    returning completed_at`.execute(db)
  return (rows[0]?.completed_at ?? null) !== null
}

export interface QuizState {
  attempts: number
  allowed: number
  is_passed: boolean
}

/** A learner's state in a quiz; undefined before the first attempt. */
export async function findQuizState(
  db: Db,
  userId: number,
  lessonId: number,
  quiz: number,
): Promise<QuizState | undefined> {
  const { rows } = await sql<QuizState>`
    select attempts, allowed, is_passed from training_quiz_states
    where lesson_id = ${lessonId} and customer_id = ${userId} and quiz = ${quiz}`.execute(db)
  return rows[0]
}

/** The ids of the quizzes in a lesson that a learner has passed. */
export async function findPassed(db: Db, userId: number, lessonId: number): Promise<Set<number>> {
  const { rows } = await sql<{ component: number }>`
    select distinct component from training_attempts where lesson_id = ${lessonId} and customer_id = ${userId} and is_passed`.execute(
    db,
  )
  return new Set(rows.map(({ component }) => component))
}

export interface AttemptRecord {
  id: number
  lesson_id: number
  component: number
  number: number
  questions: Question[]
  passing_score: number
  started_at: Date
  due_at: Date | null
  submitted_at: Date | null
}

const columns = sql`id, lesson_id, component, number, questions, passing_score, started_at, due_at, submitted_at`

export async function findOpenAttempt(db: Db, userId: number, lessonId: number, quiz: number) {
  const { rows } = await sql<AttemptRecord>`
    select ${columns} from training_attempts
    where lesson_id = ${lessonId} and customer_id = ${userId} and component = ${quiz} and submitted_at is null
    order by number desc limit 1`.execute(db)
  return rows[0]
}

/** Locks an attempt of a learner until it is scored. */
export async function lockAttempt(db: Db, userId: number, id: number): Promise<AttemptRecord | undefined> {
  const { rows } = await sql<AttemptRecord>`
    select ${columns} from training_attempts where id = ${id} and customer_id = ${userId} for update`.execute(db)
  return rows[0]
}

export async function insertAttempt(
  db: Db,
  attempt: {
    lesson_id: number
    customer_id: number
    component: number
    number: number
    questions: readonly Question[]
    passing_score: number
    started_at: Date
    due_at: Date | null
  },
) {
  const row = await db
    .insertInto('training_attempts')
    .values({
      ...attempt,
      questions: JSON.stringify(attempt.questions),
      submitted_at: null,
      points: null,
      possible: null,
      score: null,
      is_passed: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export interface ScoredAttempt {
  answers: Record<string, Answer>
  results: Record<string, boolean>
  is_late: boolean
  points: number
  possible: number
  score: number
  is_passed: boolean
}

export const closeAttempt = (db: Db, id: number, { answers, results, ...scored }: ScoredAttempt, now: Date) =>
  db
    .updateTable('training_attempts')
    .set({ ...scored, answers: JSON.stringify(answers), results: JSON.stringify(results), submitted_at: now })
    .where('id', '=', id)
    .execute()

export const addExtraAttempt = (db: Db, lessonId: number, userId: number, quiz: number) =>
  sql`insert into training_extra_attempts (lesson_id, customer_id, component, extra) values (${lessonId}, ${userId}, ${quiz}, 1)
    on conflict (lesson_id, customer_id, component) do update set extra = training_extra_attempts.extra + 1`.execute(db)
