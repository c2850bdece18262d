import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Pagination } from '#kit/page.ts'
import { Id, Moment } from '#kit/values.ts'
import { Key, success } from '../values.ts'

export const EnrolmentState = z.enum(['not_started', 'learning', 'stuck', 'completed'])
export type EnrolmentState = z.infer<typeof EnrolmentState>

/** A learner in a course. */
export const Enrolment = z.object({
  user_id: Id,
  name: z.string(),
  email: z.string(),
  state: EnrolmentState,
  enrolled_at: Moment,
  started_at: Moment.nullable(),
  completed_at: Moment.nullable(),
  last_seen_at: Moment.nullable(),
  /** Required lessons done, of all that the course has now. */
  lessons_done: z.int(),
  lessons: z.int(),
  /** Every quiz whose attempts are used up, for those who are stuck: its lesson, and its component of a mixed one. */
  stuck: z.array(z.object({ lesson_id: Id, lesson_title: z.string(), component: z.int().nullable() })),
})
export type Enrolment = z.infer<typeof Enrolment>

const noCourse = [404, 'This course does not exist.'] as const

export const listEnrolments = defineCall({
  method: 'POST',
  path: '/api/training/enrolments/list',
  summary: 'Who is enrolled in a course, and how far',
  permission: 'training.manage',
  reads: true,
  body: z.strictObject({
    course_key: Key,
    search: z.string().max(200).default(''),
    state: EnrolmentState.nullish(),
    page: z.int().min(1).max(1_000_000).default(1),
    limit: z.int().min(1).max(200).default(50),
  }),
  reply: z.object({ data: z.array(Enrolment), pagination: Pagination }),
  refusals: { not_found: noCourse },
})
export type EnrolmentList = ReplyOf<typeof listEnrolments>

/** Somebody who could be enrolled. */
export const Candidate = z.object({ user_id: Id, name: z.string(), email: z.string(), isStretcher: z.boolean() })
export type Candidate = z.infer<typeof Candidate>

export const findCandidates = defineCall({
  method: 'POST',
  path: '/api/training/enrolments/candidates',
  summary: 'Users by ID, name or e-mail who are not in the course yet, stretchers first, twenty at most',
  permission: 'training.manage',
  reads: true,
  body: z.strictObject({ course_key: Key, search: z.string().trim().min(1).max(200) }),
  reply: z.object({ data: z.array(Candidate) }),
  refusals: { not_found: noCourse },
})

export const enrolLearner = defineCall({
  method: 'POST',
  path: '/api/training/enrolments/create',
  summary: 'Enrol a user in a course in production; one who is enrolled already stays so',
  permission: 'training.manage',
  body: z.strictObject({ course_key: Key, user_id: Id }),
  reply: z.object({ success, data: Enrolment }),
  refusals: {
    not_found: noCourse,
    no_user: [422, 'This user does not exist.'],
    not_in_production: [422, 'This course is not in production yet.'],
  },
})

export const removeLearner = defineCall({
  method: 'POST',
  path: '/api/training/enrolments/remove',
  summary: 'Take a user out of a course, with attempts and progress',
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
  summary: 'Give a learner who has used up the attempts of a quiz one more',
  permission: 'training.manage',
  body: z.strictObject({ lesson_id: Id, user_id: Id, component: z.int().min(0).max(100).nullable().default(null) }),
  reply: z.object({ success, data: z.object({ attempts_left: z.int() }) }),
  refusals: {
    not_found: [404, 'This lesson does not exist.'],
    not_a_quiz: [422, 'This lesson has no such quiz.'],
    not_enrolled: [422, 'This user is not enrolled in this course.'],
    passed: [409, 'This learner has passed the quiz already.'],
    attempts_left: [409, 'This learner still has attempts left.'],
  },
})
