import { sql } from 'kysely'
import type { Erased } from '#platform/customer-hooks.ts'
import type { Db } from '#platform/db/db.ts'

export const eraseAnswers = ({ ids }: Erased) => [
  sql`update training_attempts set answers = '{}'
    where customer_id = any(${ids}::bigint[]) and answers is not null`,
]

/**
 * Merges the training of a duplicate account. Where both accounts have the same course or lesson, the result combines
 * their progress. Attempts at a quiz move only if the remaining account has none, or if only the duplicate has passed.
 * Moving all of them would use up the attempts the remaining account has left.
 */
export async function mergeTraining(db: Db, from: number, into: number) {
  await sql`
    with gone as (delete from training_enrolments where customer_id = ${from} returning *)
    insert into training_enrolments as e (course_id, customer_id, enrolled_at, started_at, completed_at, last_seen_at)
    select course_id, ${into}, enrolled_at, started_at, completed_at, last_seen_at from gone
    on conflict (course_id, customer_id) do update set enrolled_at = least(e.enrolled_at, excluded.enrolled_at), started_at = least(e.started_at, excluded.started_at),
      completed_at = least(e.completed_at, excluded.completed_at), last_seen_at = greatest(e.last_seen_at, excluded.last_seen_at)`.execute(
    db,
  )
  await sql`
    with gone as (delete from training_progress where customer_id = ${from} returning *)
    insert into training_progress as g (lesson_id, customer_id, started_at, completed_at, reported_at, seconds)
    select lesson_id, ${into}, started_at, completed_at, reported_at, seconds from gone
    on conflict (lesson_id, customer_id) do update set started_at = least(g.started_at, excluded.started_at), completed_at = least(g.completed_at, excluded.completed_at),
      reported_at = greatest(g.reported_at, excluded.reported_at), seconds = g.seconds + excluded.seconds`.execute(db)
  await sql`
    with own as materialized (
      select lesson_id, component, max(number) as last, bool_or(coalesce(is_passed, false)) as is_passed
      from training_attempts where customer_id = ${into} group by lesson_id, component),
    gone as (delete from training_extra_attempts x where customer_id = ${from}
      and not exists (select from own o where o.lesson_id = x.lesson_id and o.component = x.component) returning *),
    extra as (
      insert into training_extra_attempts as x (lesson_id, customer_id, component, extra) select lesson_id, ${into}, component, extra from gone
      on conflict (lesson_id, customer_id, component) do update set extra = greatest(x.extra, excluded.extra)),
    moving as (
      select a.id, coalesce(o.last, 0) + row_number() over (partition by a.lesson_id, a.component order by a.number) as number
      from training_attempts a left join own o on o.lesson_id = a.lesson_id and o.component = a.component
      where a.customer_id = ${from} and (o.lesson_id is null or (a.is_passed and not o.is_passed)))
    update training_attempts a set customer_id = ${into}, number = m.number from moving m where a.id = m.id`.execute(db)
}
