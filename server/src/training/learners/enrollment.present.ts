import type { Candidate, Enrollment } from '@limber/contract/training/learners/enrollment.ts'
import type { CandidateRecord, EnrollmentRecord } from './enrollment.queries.ts'

/** The `component` value in the tables for the quiz of a quiz lesson. */
const NO_COMPONENT = -1

export const presentEnrollment = (row: EnrollmentRecord): Enrollment => ({
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
  stuck: (row.stuck ?? []).map(({ component, ...lesson }) => ({
    ...lesson,
    component: component === NO_COMPONENT ? null : component,
  })),
})

export const presentCandidate = (row: CandidateRecord): Candidate => ({
  user_id: row.user_id,
  name: row.name,
  email: row.email,
  isStretcher: row.is_stretcher,
})
