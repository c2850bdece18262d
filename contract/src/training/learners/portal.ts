import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { Id, Moment } from '#kit/values.ts'
import { Answer, MAX_QUESTIONS, Question, QuestionType } from '../lessons/question.ts'
import { success } from '../values.ts'

/*
 * Server-to-server calls from the learner portal, with its API key. The portal authenticates the
 * learner and never sends the key to a browser, so `user_id` is vouched for by the portal.
 */

const keyRefusals = {
  not_connected: [503, 'The learner portal is not connected. Set a portal key first.'],
  wrong_key: [401, 'The portal key is missing or wrong.'],
} as const
const learnerRefusals = {
  ...keyRefusals,
  not_found: [404, 'This lesson does not exist or is not in production.'],
  not_enrolled: [403, 'This user is not enrolled in this course.'],
  locked: [409, 'Complete first: {what}.'],
} as const

const component = z.int().min(0).max(100).nullable().default(null)

/** Records a learner's progress. A lesson with a quiz is completed only by passing the quiz. */
export const recordProgress = defineCall({
  method: 'POST',
  path: '/api/training/progress',
  summary: 'Record that a learner opened or completed a lesson',
  permission: 'api-key',
  scope: 'training:write',
  deprecatedHeader: 'x-portal-key',
  limit: { by: 'address', times: 6000, seconds: 60 },
  body: z.strictObject({
    user_id: Id,
    lesson_id: Id,
    state: z.enum(['started', 'completed']),
    /** Time spent since the last report, capped at the time that has passed since then. */
    seconds: z.int().min(0).max(86_400).default(0),
  }),
  reply: z.object({
    success,
    data: z.object({ lesson_completed: z.boolean(), course_completed: z.boolean(), seconds: z.int() }),
  }),
  refusals: { ...learnerRefusals, quiz_not_passed: [409, 'Pass the quiz in this lesson to complete it.'] },
})

const AskedQuestion = z.object({
  id: z.string(),
  text: z.string(),
  type: QuestionType,
  options: z.array(z.string()),
  points: z.int(),
})

/** Starts an attempt and its time limit. The questions do not include the answers. */
export const startAttempt = defineCall({
  method: 'POST',
  path: '/api/training/attempts/start',
  summary: 'Start a quiz attempt',
  permission: 'api-key',
  scope: 'training:write',
  deprecatedHeader: 'x-portal-key',
  limit: { by: 'address', times: 3000, seconds: 60 },
  body: z.strictObject({ user_id: Id, lesson_id: Id, component }),
  reply: z.object({
    success,
    data: z.object({
      attempt_id: Id,
      started_at: Moment,
      /** The deadline for the answers; null if there is no time limit. */
      due_at: Moment.nullable(),
      /** Includes this attempt. */
      attempts_used: z.int(),
      attempts_left: z.int(),
      passing_score: z.number(),
      questions: z.array(AskedQuestion),
    }),
  }),
  refusals: {
    ...learnerRefusals,
    not_a_quiz: [422, 'This lesson does not have this quiz.'],
    passed: [409, 'This quiz has already been passed.'],
    no_attempts_left: [409, 'No attempts are left for this quiz.'],
    no_questions: [422, 'This quiz has no questions yet.'],
    nothing_to_score: [422, 'This quiz is not ready: none of its questions can be scored.'],
  },
})

/** Scores an attempt on the server, against the questions that were sent. */
export const submitAttempt = defineCall({
  method: 'POST',
  path: '/api/training/attempts',
  summary: 'Submit the answers of an attempt',
  permission: 'api-key',
  scope: 'training:write',
  deprecatedHeader: 'x-portal-key',
  limit: { by: 'address', times: 3000, seconds: 60 },
  body: z.strictObject({
    user_id: Id,
    attempt_id: Id,
    answers: z.array(z.strictObject({ question_id: z.string().max(64), answer: Answer })).max(MAX_QUESTIONS),
  }),
  reply: z.object({
    success,
    data: z.object({
      attempt_id: Id,
      /** Submitted after the deadline; nothing counts. */
      is_late: z.boolean(),
      score: z.number(),
      points: z.int(),
      possible: z.int(),
      is_passed: z.boolean(),
      attempts_left: z.int(),
      lesson_completed: z.boolean(),
      course_completed: z.boolean(),
      /** Each question with the correct answer, after the quiz is passed or no attempt is left. */
      review: z
        .array(z.object({ question: Question, answer: Answer.nullable(), is_right: z.boolean().nullable() }))
        .nullable(),
    }),
  }),
  refusals: {
    ...keyRefusals,
    not_found: [404, 'This attempt does not exist.'],
    closed: [409, 'This attempt has already been submitted.'],
    unknown_question: [422, 'The question "{id}" is not part of this attempt.'],
    twice: [422, 'The question "{id}" has two answers.'],
  },
})
