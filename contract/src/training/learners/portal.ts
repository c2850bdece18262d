import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { Id, Moment } from '#kit/values.ts'
import { Answer, MAX_QUESTIONS, Question, QuestionType } from '../lessons/question.ts'
import { success } from '../values.ts'

/*
 * What the learner portal calls, program to program: key in the header X-Portal-Key. The portal has signed its learner
 * in; a browser never holds the key, so `user_id` is the portal's word, not the learner's.
 */

const keyRefusals = {
  not_connected: [503, 'The learner portal is not connected: no portal key is set.'],
  wrong_key: [401, 'The portal key is missing or wrong.'],
} as const
const learnerRefusals = {
  ...keyRefusals,
  not_found: [404, 'This lesson does not exist or is not in production.'],
  not_enrolled: [403, 'This user is not enrolled in this course.'],
  locked: [409, 'Complete first: {what}.'],
} as const

const component = z.int().min(0).max(100).nullable().default(null)

/** Notes how far a learner is. A lesson with a quiz is completed by passing it, never by saying so. */
export const recordProgress = defineCall({
  method: 'POST',
  path: '/api/training/progress',
  summary: 'Note that a learner opened or completed a lesson; key in the header X-Portal-Key',
  permission: 'public',
  machine: true,
  limit: { by: 'address', times: 6000, seconds: 60 },
  body: z.strictObject({
    user_id: Id,
    lesson_id: Id,
    state: z.enum(['started', 'completed']),
    /** Time spent since the last report; more than has passed since then is not believed. */
    seconds: z.int().min(0).max(86_400).default(0),
  }),
  reply: z.object({
    success,
    data: z.object({ lesson_completed: z.boolean(), course_completed: z.boolean(), seconds: z.int() }),
  }),
  refusals: { ...learnerRefusals, quiz_not_passed: [409, 'Pass the quiz of this lesson to complete it.'] },
})

const AskedQuestion = z.object({
  id: z.string(),
  text: z.string(),
  type: QuestionType,
  options: z.array(z.string()),
  points: z.int(),
})

/** Begins an attempt: from here the time runs. The questions come without their answers. */
export const startAttempt = defineCall({
  method: 'POST',
  path: '/api/training/attempts/start',
  summary: 'Begin an attempt at a quiz; key in the header X-Portal-Key',
  permission: 'public',
  machine: true,
  limit: { by: 'address', times: 3000, seconds: 60 },
  body: z.strictObject({ user_id: Id, lesson_id: Id, component }),
  reply: z.object({
    success,
    data: z.object({
      attempt_id: Id,
      started_at: Moment,
      /** When answers must have arrived; none: no limit. */
      due_at: Moment.nullable(),
      /** This one included. */
      attempts_used: z.int(),
      attempts_left: z.int(),
      passing_score: z.number(),
      questions: z.array(AskedQuestion),
    }),
  }),
  refusals: {
    ...learnerRefusals,
    not_a_quiz: [422, 'This lesson has no such quiz.'],
    passed: [409, 'This quiz is passed already.'],
    no_attempts_left: [409, 'All attempts of this quiz are used up.'],
    no_questions: [422, 'This quiz has no questions yet.'],
    nothing_to_score: [422, 'This quiz is not ready: none of its questions can be scored.'],
  },
})

/** Scores an attempt, on the server, against the questions that were asked. */
export const submitAttempt = defineCall({
  method: 'POST',
  path: '/api/training/attempts',
  summary: 'Hand in the answers of an attempt; key in the header X-Portal-Key',
  permission: 'public',
  machine: true,
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
      /** Handed in after the time: nothing counts. */
      is_late: z.boolean(),
      score: z.number(),
      points: z.int(),
      possible: z.int(),
      is_passed: z.boolean(),
      attempts_left: z.int(),
      lesson_completed: z.boolean(),
      course_completed: z.boolean(),
      /** Each question with what was right, once the quiz is passed or no attempt is left. */
      review: z
        .array(z.object({ question: Question, answer: Answer.nullable(), is_right: z.boolean().nullable() }))
        .nullable(),
    }),
  }),
  refusals: {
    ...keyRefusals,
    not_found: [404, 'This attempt does not exist.'],
    closed: [409, 'This attempt was handed in already.'],
    unknown_question: [422, 'The question "{id}" was not asked in this attempt.'],
    twice: [422, 'The question "{id}" is answered twice.'],
  },
})
