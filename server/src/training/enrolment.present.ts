import type { Enrolment } from '@limber/contract/training/enrolment.ts'
import type { EnrolmentRecord } from './enrolment.queries.ts'

export const presentEnrolment = (row: EnrolmentRecord): Enrolment => ({
  user_id: row.user_id,
  name: row.name,
  email: row.email,
  state: row.state,
  enrolled_at: row.enrolled_at.toISOString(),
  started_at: row.started_at?.toISOString() ?? null,
  completed_at: row.completed_at?.toISOString() ?? null,
  last_seen_at: row.last_seen_at?.toISOString() ?? null,
  lessons_done: row.lessons_done,
  lessons: row.lessons,
  stuck_lesson_id: row.stuck_lesson_id,
})
