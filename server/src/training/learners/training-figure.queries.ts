import { companyZone } from '@limber/contract/kit/company.ts'
import type { TrainingFigure } from '@limber/contract/training/learners/training-figure.ts'
import { type RawBuilder, sql } from 'kysely'
import type { FigureSource } from '#platform/figures/figure.queries.ts'

type Sql = RawBuilder<unknown>

const dayOf = (moment: Sql) => sql`(${moment} at time zone ${companyZone()})::date`
const name = sql`c.first_name || ' ' || c.last_name as name`

const learners = (
  courseId: number,
  moment: Sql,
  { amount = sql`null::numeric`, value = 'count' as FigureSource['value'] } = {},
) => ({
  rows: sql`
    select c.id, ${name}, c.email as detail, ${dayOf(moment)} as day, ${amount} as amount, c.id as user_id
    from training_enrolments e join customers c on c.id = e.customer_id where e.course_id = ${courseId} and ${moment} is not null`,
  value,
})

const attempts = (courseId: number, which: Sql): FigureSource => ({
  rows: sql`
    select a.id, ${name}, l.title || case when a.is_passed then ', passed' else ', not passed' end as detail,
      ${dayOf(sql`a.submitted_at`)} as day, null::numeric as amount, c.id as user_id
    from training_attempts a join training_lessons l on l.id = a.lesson_id join customers c on c.id = a.customer_id
    where l.course_id = ${courseId} and a.submitted_at is not null and ${which}`,
  value: 'count',
})

/** The learners or attempts behind a figure of a course. */
export const trainingSources: Record<TrainingFigure, (courseId: number) => FigureSource> = {
  enrolled: (id) => learners(id, sql`e.enrolled_at`),
  started: (id) => learners(id, sql`e.started_at`),
  completed: (id) => learners(id, sql`e.completed_at`),
  completionTime: (id) =>
    learners(id, sql`e.completed_at`, {
      amount: sql`extract(epoch from e.completed_at - e.started_at) / 86400`,
      value: 'median',
    }),
  attempts: (id) => attempts(id, sql`true`),
  passedAttempts: (id) => attempts(id, sql`a.is_passed`),
}
