import type { QuestionType } from '@limber/contract/training/lessons/question.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

export interface Totals {
  enrolled: number
  started: number
  completed: number
  median_days: number | null
  median_seconds: number | null
  attempts: number
  passed: number
  weeks: { week: string; started: number; completed: number }[] | null
}

/** Totals of the course, in one statement. */
export async function readTotals(db: Db, courseId: number, now: Date): Promise<Totals> {
  const { rows } = await sql<Totals>`
    with e as materialized (select * from training_enrolments where course_id = ${courseId}),
    spent as (
      select g.customer_id, sum(g.seconds) as seconds from training_progress g join training_lessons l on l.id = g.lesson_id
      where l.course_id = ${courseId} and g.customer_id in (select customer_id from e where completed_at is not null) group by 1),
    a as (select a.is_passed from training_attempts a join training_lessons l on l.id = a.lesson_id
      where l.course_id = ${courseId} and a.submitted_at is not null),
    week as (select w::date as day from generate_series(date_trunc('week', ${now}::timestamptz - interval '11 weeks'), ${now}::timestamptz, interval '1 week') w)
    select (select count(*) from e) as enrolled, (select count(started_at) from e) as started, (select count(completed_at) from e) as completed,
      (select percentile_cont(0.5) within group (order by extract(epoch from completed_at - started_at) / 86400)::float8 from e where completed_at is not null) as median_days,
      (select percentile_cont(0.5) within group (order by seconds)::float8 from spent) as median_seconds,
      (select count(*) from a) as attempts, (select count(*) from a where is_passed) as passed,
      (select json_agg(json_build_object('week', w.day,
        'started', (select count(*) from e where e.started_at >= w.day and e.started_at < w.day + 7),
        'completed', (select count(*) from e where e.completed_at >= w.day and e.completed_at < w.day + 7)) order by w.day) from week w) as weeks`.execute(
    db,
  )
  const [totals] = rows
  if (!totals) throw new Error('The count query returned no row')
  return totals
}

export interface LessonFigure {
  lesson_id: number
  title: string
  module_key: string
  module_title: string
  reached: number
  completed: number
  dropped: number
  median_seconds: number | null
}

export async function readLessonFigures(db: Db, courseId: number, idleSince: Date): Promise<LessonFigure[]> {
  const { rows } = await sql<LessonFigure>`
    select l.id as lesson_id, l.title, m.module_key, m.title as module_title, count(g.customer_id) as reached, count(g.completed_at) as completed,
      count(*) filter (where g.customer_id is not null and g.completed_at is null and e.completed_at is null and e.last_seen_at < ${idleSince}) as dropped,
      percentile_cont(0.5) within group (order by g.seconds) filter (where g.completed_at is not null)::float8 as median_seconds
    from training_lessons l join training_modules m on m.id = l.module_id
      left join training_progress g on g.lesson_id = l.id
      left join training_enrolments e on e.course_id = l.course_id and e.customer_id = g.customer_id
    where l.course_id = ${courseId}
    group by l.id, m.id order by m.position, m.id, l.position, l.id`.execute(db)
  return rows
}

export interface QuizFigure {
  lesson_id: number
  component: number
  title: string
  attempts: number
  learners: number
  passed: number
  average: number | null
  median_seconds: number | null
}

export async function readQuizFigures(db: Db, courseId: number): Promise<QuizFigure[]> {
  const { rows } = await sql<QuizFigure>`
    select l.id as lesson_id, q.place as component, l.title, count(*) as attempts, count(distinct a.customer_id) as learners,
      count(distinct a.customer_id) filter (where a.is_passed) as passed, avg(a.score)::float8 as average,
      percentile_cont(0.5) within group (order by extract(epoch from a.submitted_at - a.started_at))::float8 as median_seconds
    from training_quizzes q join training_attempts a on a.lesson_id = q.lesson_id and a.component = q.quiz
      join training_lessons l on l.id = q.lesson_id join training_modules m on m.id = l.module_id
    where q.course_id = ${courseId} and a.submitted_at is not null
    group by l.id, m.id, q.place order by m.position, m.id, l.position, l.id, q.place`.execute(db)
  return rows
}

export interface QuestionFigure {
  lesson_id: number
  component: number
  question_id: string
  text: string
  type: QuestionType
  answered: number
  correct: number
}

/** Each scored question in its most recently asked form. */
export async function readQuestionFigures(db: Db, courseId: number): Promise<QuestionFigure[]> {
  const { rows } = await sql<QuestionFigure>`
    select a.lesson_id, z.place as component, q.value ->> 'id' as question_id,
      (array_agg(q.value ->> 'trainingQuizQuestion' order by a.id desc))[1] as text,
      (array_agg(q.value ->> 'type' order by a.id desc))[1] as type,
      count(*) as answered, count(*) filter (where (a.results ->> (q.value ->> 'id'))::boolean) as correct
    from training_quizzes z join training_attempts a on a.lesson_id = z.lesson_id and a.component = z.quiz, jsonb_array_elements(a.questions) q
    where z.course_id = ${courseId} and a.submitted_at is not null and a.results ? (q.value ->> 'id')
    group by a.lesson_id, z.place, q.value ->> 'id'
    order by a.lesson_id, z.place, min(a.id), q.value ->> 'id'`.execute(db)
  return rows
}

export interface StuckRecord {
  user_id: number
  name: string
  lesson_id: number
  lesson_title: string
  component: number | null
  reason: 'attempts_used' | 'idle'
  attempts: number
  best_score: number | null
  since: Date
}

/** Learners with no attempts left on a quiz or with an abandoned lesson, stuck longest first. */
export async function readStuck(db: Db, courseId: number, idleSince: Date): Promise<StuckRecord[]> {
  const { rows } = await sql<StuckRecord>`
    with used as materialized (
      select s.customer_id, s.lesson_id, nullif(s.component, -1) as component, s.attempts, s.best_score, s.last_at
      from training_quiz_states s where s.course_id = ${courseId} and not s.is_passed and not s.is_open and s.attempts >= s.allowed),
    idle as (
      select distinct on (g.customer_id) g.customer_id, g.lesson_id, e.last_seen_at
      from training_progress g join training_lessons l on l.id = g.lesson_id
        join training_enrolments e on e.course_id = l.course_id and e.customer_id = g.customer_id
      where l.course_id = ${courseId} and g.completed_at is null and e.completed_at is null and e.last_seen_at < ${idleSince}
        and g.customer_id not in (select customer_id from used)
      order by g.customer_id, g.reported_at desc),
    both_kinds as (
      select customer_id, lesson_id, component, 'attempts_used' as reason, attempts, best_score, last_at as since from used
      union all select customer_id, lesson_id, null, 'idle', 0, null, last_seen_at from idle)
    select b.customer_id as user_id, c.first_name || ' ' || c.last_name as name, b.lesson_id, l.title as lesson_title, b.component, b.reason,
      b.attempts, b.best_score, b.since
    from both_kinds b join customers c on c.id = b.customer_id join training_lessons l on l.id = b.lesson_id
      join training_enrolments e on e.course_id = l.course_id and e.customer_id = b.customer_id and e.completed_at is null
    order by b.since, b.customer_id limit 100`.execute(db)
  return rows
}
