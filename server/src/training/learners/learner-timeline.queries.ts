import { sql } from 'kysely'
import { type TimelineSource, timelineSource } from '#platform/timeline.ts'

const shared = { group: 'training', title: 'Training', needs: [['training.manage']] } as const

const course = sql`jsonb_build_object('id', c.id, 'title', c.title)`

/** Courses that a customer takes. */
export const learnerSources: readonly TimelineSource[] = [
  timelineSource<{ id: number; title: string }>({
    ...{ ...shared, kind: 'enrolled' },
    rows: (
      customer,
    ) => sql`select e.enrolled_at as at, c.id, 'enrolled in course ' || c.title as words, ${course} as data
      from training_enrolments e join training_courses c on c.id = e.course_id where e.customer_id = ${customer}`,
    present: ({ id, title }) => ({ title: 'Enrolled in', text: title, link: { to: 'course', id } }),
  }),
  timelineSource<{ id: number; title: string }>({
    ...{ ...shared, kind: 'course_completed' },
    rows: (
      customer,
    ) => sql`select e.completed_at as at, c.id, 'completed course ' || c.title as words, ${course} as data
      from training_enrolments e join training_courses c on c.id = e.course_id
      where e.customer_id = ${customer} and e.completed_at is not null`,
    present: ({ id, title }) => ({ title: 'Completed', text: title, tone: 'green', link: { to: 'course', id } }),
  }),
  timelineSource<{ id: number; title: string; score: number; isPassed: boolean }>({
    ...{ ...shared, kind: 'quiz' },
    rows: (customer) => sql`select a.submitted_at as at, a.id, 'quiz ' || l.title as words,
        jsonb_build_object('id', l.course_id, 'title', l.title, 'score', a.score, 'isPassed', a.is_passed) as data
      from training_attempts a join training_lessons l on l.id = a.lesson_id
      where a.customer_id = ${customer} and a.submitted_at is not null`,
    present: ({ id, title, score, isPassed }) => ({
      title: isPassed ? 'Passed the quiz' : 'Did not pass the quiz',
      text: `${title}, ${Math.round(score)}%`,
      tone: isPassed ? 'green' : null,
      link: { to: 'course', id },
    }),
  }),
]
