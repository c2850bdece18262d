import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination } from '#kit/page.ts'
import { Id, Moment } from '#kit/values.ts'
import { Key, success } from '../values.ts'

export const EnrollmentState = z.enum(['not_started', 'learning', 'stuck', 'completed'])
export type EnrollmentState = z.infer<typeof EnrollmentState>

/** A learner in a course. */
export const Enrollment = z.object({
  user_id: Id,
  name: z.string(),
  email: z.string(),
  state: EnrollmentState,
  enrolled_at: Moment,
  started_at: Moment.nullable(),
  completed_at: Moment.nullable(),
  last_seen_at: Moment.nullable(),
  /** Completed required lessons, out of the required lessons the course has now. */
  lessons_done: z.int(),
  lessons: z.int(),
  /** For stuck learners: every quiz with no attempts left, by lesson and, in a mixed lesson, component. */
  stuck: z.array(z.object({ lesson_id: Id, lesson_title: z.string(), component: z.int().nullable() })),
})
export type Enrollment = z.infer<typeof Enrollment>

const noCourse = [404, 'This course does not exist.'] as const

export const listEnrollments = defineCall({
  method: 'POST',
  path: '/api/training/enrolments/list',
  summary: 'List the learners of a course with their progress',
  permission: 'training.manage',
  reads: true,
  body: z.strictObject({
    course_key: Key,
    search: z.string().max(200).default(''),
    state: EnrollmentState.nullish(),
    page: z.int().min(1).max(1_000_000).default(1),
    limit: z.int().min(1).max(200).default(50),
  }),
  reply: z.object({ data: z.array(Enrollment), pagination: Pagination }),
  refusals: { not_found: noCourse },
})

export const exportEnrollments = exportCall(listEnrollments, 'learners', {
  filters: { course_key: Key, search: z.string().max(200).default(''), state: EnrollmentState.optional() },
})

/** A user who can be enrolled. */
export const Candidate = z.object({ user_id: Id, name: z.string(), email: z.string(), isStretcher: z.boolean() })
export type Candidate = z.infer<typeof Candidate>

export const findCandidates = defineCall({
  method: 'POST',
  path: '/api/training/enrolments/candidates',
  summary: 'Find up to 20 users who are not in the course, by ID, name or email, stretchers first',
  permission: 'training.manage',
  reads: true,
  body: z.strictObject({ course_key: Key, search: z.string().trim().min(1).max(200) }),
  reply: z.object({ data: z.array(Candidate) }),
  refusals: { not_found: noCourse },
})

export const enrollLearner = defineCall({
  method: 'POST',
  path: '/api/training/enrolments/create',
  summary: 'Enroll a user in a course in production; an existing enrollment is kept',
  permission: 'training.manage',
  body: z.strictObject({ course_key: Key, user_id: Id }),
  reply: z.object({ success, data: Enrollment }),
  refusals: {
    not_found: noCourse,
    no_user: [422, 'This user does not exist.'],
    not_in_production: [422, 'This course is not in production yet.'],
  },
})

export const removeLearner = defineCall({
  method: 'POST',
  path: '/api/training/enrolments/remove',
  summary: 'Remove a user from a course and delete their attempts and progress',
  permission: 'training.manage',
  body: z.strictObject({ course_key: Key, user_id: Id }),
  reply: z.object({
    success,
    data: z.object({ user_id: Id, deleted: z.object({ attempts: z.int(), progress: z.int() }) }),
  }),
  refusals: { not_found: noCourse, not_enrolled: [404, 'This user is not enrolled in this course.'] },
})

export const grantAttempt = defineCall({
  method: 'POST',
  path: '/api/training/attempts/grant',
  summary: 'Grant one more attempt to a learner who has none left on a quiz',
  permission: 'training.manage',
  body: z.strictObject({ lesson_id: Id, user_id: Id, component: z.int().min(0).max(100).nullable().default(null) }),
  reply: z.object({ success, data: z.object({ attempts_left: z.int() }) }),
  refusals: {
    not_found: [404, 'This lesson does not exist.'],
    not_a_quiz: [422, 'This lesson does not have this quiz.'],
    not_enrolled: [422, 'This user is not enrolled in this course.'],
    passed: [409, 'This learner has already passed the quiz.'],
    attempts_left: [409, 'This learner still has attempts left.'],
  },
})
