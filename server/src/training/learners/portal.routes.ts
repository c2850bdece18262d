import { randomInt } from 'node:crypto'
import { recordProgress, startAttempt, submitAttempt } from '@limber/contract/training/learners/portal.ts'
import type { TypedContent } from '@limber/contract/training/lessons/content.ts'
import {
  type Answer,
  isCorrect,
  isPassing,
  isScorable,
  type Question,
  scoreOf,
} from '@limber/contract/training/lessons/question.ts'
import { MINUTE, SECOND, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { quizzesOf } from '../lessons/content.rules.ts'
import { modernContent } from '../lessons/lesson.present.ts'
import { type EndTrainingContext, endTraining } from './end-training.ts'
import {
  type AttemptRecord,
  closeAttempt,
  completeCourse,
  findOpenAttempt,
  findPassed,
  findQuizState,
  findUnmetPrerequisites,
  insertAttempt,
  type LearnerLesson,
  lockAttempt,
  lockLearnerLesson,
  type ScoredAttempt,
  saveProgress,
} from './learner.queries.ts'

/** Network delay: answers that arrive this long after the deadline still count. */
const GRACE_PERIOD = 30 * SECOND

/** The lesson, if the learner may take it now. */
async function openLesson(call: typeof recordProgress | typeof startAttempt, db: Db, userId: number, lessonId: number) {
  const lesson = await lockLearnerLesson(db, userId, lessonId)
  if (!lesson?.is_live) throw refuse(call, 'not_found')
  if (!lesson.is_enrolled) throw refuse(call, 'not_enrolled')
  const unmet = await findUnmetPrerequisites(db, userId, lesson)
  if (unmet.length > 0) throw refuse(call, 'locked', { values: { what: unmet.join(', ') } })
  return lesson
}

const typedOf = (lesson: LearnerLesson) =>
  ({ content_type: lesson.content_type, content_data: modernContent(lesson) }) as TypedContent

/** Whether every quiz of the lesson is passed. A quiz that cannot be scored yet counts too and cannot be skipped. */
async function hasPassedQuizzes(db: Db, userId: number, lesson: LearnerLesson): Promise<boolean> {
  const quizzes = quizzesOf(typedOf(lesson))
  if (quizzes.length === 0) return true
  const passed = await findPassed(db, userId, lesson.id)
  return quizzes.every(({ id }) => passed.has(id))
}

/** Completes the course if all of it is done. The last required course also ends the training of a stretcher. */
async function completeIfDone(context: EndTrainingContext, userId: number, courseId: number): Promise<boolean> {
  const isCompleted = await completeCourse(context.db, userId, courseId, context.now)
  if (isCompleted) await endTraining(context, [userId])
  return isCompleted
}

/** Scores answers against the questions of the attempt; late answers count for nothing. */
export function scoreAttempt(attempt: AttemptRecord, answers: ReadonlyMap<string, Answer>, now: Date): ScoredAttempt {
  const is_late = attempt.due_at !== null && now.getTime() > attempt.due_at.getTime() + GRACE_PERIOD
  const counted = is_late ? new Map<string, Answer>() : answers
  const score = scoreOf(attempt.questions, counted)
  const results = attempt.questions.flatMap((question): [string, boolean][] => {
    const right = isCorrect(question, counted.get(question.id))
    return right === undefined ? [] : [[question.id, right]]
  })
  return {
    answers: Object.fromEntries(answers),
    results: Object.fromEntries(results),
    is_late,
    points: score.earned,
    possible: score.possible,
    score: is_late ? 0 : score.percent,
    is_passed: !is_late && isPassing(score, attempt.passing_score),
  }
}

function shuffle<T>(list: readonly T[]): T[] {
  const shuffled = [...list]
  for (let at = shuffled.length - 1; at > 0; at--) {
    const other = randomInt(at + 1)
    ;[shuffled[at], shuffled[other]] = [shuffled[other] as T, shuffled[at] as T]
  }
  return shuffled
}

/** A question without its correct answer. */
const presentQuestion = ({ id, trainingQuizQuestion, type, options, points }: Question) => ({
  id,
  text: trainingQuizQuestion,
  type,
  options: type === 'short_answer' ? [] : type === 'true_false' ? ['True', 'False'] : options,
  points,
})

export const portalRoutes = [
  serve(recordProgress, async (context) => {
    const { user_id, lesson_id, state, seconds } = context.body
    const { db, now, publish } = context
    const lesson = await openLesson(recordProgress, db, user_id, lesson_id)
    const isCompleted = state === 'completed'
    if (isCompleted && !(await hasPassedQuizzes(db, user_id, lesson))) throw refuse(recordProgress, 'quiz_not_passed')
    const noted = await saveProgress(db, { userId: user_id, lesson, seconds, isCompleted, now })
    const course_completed = await completeIfDone(context, user_id, lesson.course_id)
    publish('training', { course: lesson.course_key, learner: user_id })
    return { success: true, data: { lesson_completed: noted.isCompleted, course_completed, seconds: noted.seconds } }
  }).expecting({ training_progress_lesson_id_fkey: 'not_found' }),

  serve(startAttempt, async ({ body: { user_id, lesson_id, component }, db, now, publish }) => {
    const lesson = await openLesson(startAttempt, db, user_id, lesson_id)
    const placed = quizzesOf(typedOf(lesson)).find((one) => one.component === component)
    if (!placed) throw refuse(startAttempt, 'not_a_quiz')
    const { quiz, id } = placed
    if (quiz.questions.length === 0) throw refuse(startAttempt, 'no_questions')
    if (!isScorable(quiz.questions)) throw refuse(startAttempt, 'nothing_to_score')
    const state = await findQuizState(db, user_id, lesson_id, id)
    if (state?.is_passed) throw refuse(startAttempt, 'passed')
    let attempt = await findOpenAttempt(db, user_id, lesson_id, id)
    if (attempt?.due_at && now.getTime() > attempt.due_at.getTime() + GRACE_PERIOD) {
      await closeAttempt(db, attempt.id, scoreAttempt(attempt, new Map(), now), now)
      attempt = undefined
    }
    const allowed = state?.allowed ?? quiz.maxAttempts
    const used = state?.attempts ?? 0
    // A learner who returns within the time limit continues the same attempt.
    if (!attempt) {
      if (used >= allowed) throw refuse(startAttempt, 'no_attempts_left', { keepsWrites: true })
      const questions = quiz.randomizeQuestions ? shuffle(quiz.questions) : quiz.questions
      const due_at = quiz.timeLimit ? shift(now, quiz.timeLimit * MINUTE) : null
      const draft = {
        lesson_id,
        component: id,
        number: used + 1,
        questions,
        passing_score: quiz.passingScore,
        started_at: now,
        due_at,
      }
      attempt = { ...draft, id: await insertAttempt(db, { ...draft, customer_id: user_id }), submitted_at: null }
      await saveProgress(db, { userId: user_id, lesson, seconds: 0, isCompleted: false, now })
      publish('training', { course: lesson.course_key, learner: user_id })
    }
    return {
      success: true,
      data: {
        attempt_id: attempt.id,
        started_at: attempt.started_at.toISOString(),
        due_at: attempt.due_at?.toISOString() ?? null,
        attempts_used: attempt.number,
        attempts_left: Math.max(0, allowed - attempt.number),
        passing_score: attempt.passing_score,
        questions: attempt.questions.map(presentQuestion),
      },
    }
  }).expecting({ training_attempts_lesson_id_fkey: 'not_found', training_progress_lesson_id_fkey: 'not_found' }),

  serve(submitAttempt, async (context) => {
    const { user_id, attempt_id, answers } = context.body
    const { db, now, publish } = context
    const attempt = await lockAttempt(db, user_id, attempt_id)
    if (!attempt) throw refuse(submitAttempt, 'not_found')
    if (attempt.submitted_at) throw refuse(submitAttempt, 'closed')
    const lesson = await lockLearnerLesson(db, user_id, attempt.lesson_id)
    if (!lesson) throw refuse(submitAttempt, 'not_found')
    const given = new Map<string, Answer>()
    for (const { question_id, answer } of answers) {
      if (!attempt.questions.some(({ id }) => id === question_id))
        throw refuse(submitAttempt, 'unknown_question', { values: { id: question_id } })
      if (given.has(question_id)) throw refuse(submitAttempt, 'twice', { values: { id: question_id } })
      given.set(question_id, answer)
    }
    const scored = scoreAttempt(attempt, given, now)
    await closeAttempt(db, attempt_id, scored, now)
    const isCompleted = scored.is_passed && (await hasPassedQuizzes(db, user_id, lesson))
    const noted = await saveProgress(db, { userId: user_id, lesson, seconds: 0, isCompleted, now })
    const course_completed = await completeIfDone(context, user_id, lesson.course_id)
    const state = await findQuizState(db, user_id, attempt.lesson_id, attempt.component)
    const attempts_left = Math.max(0, (state?.allowed ?? 0) - (state?.attempts ?? 0))
    publish('training', { course: lesson.course_key, learner: user_id })
    return {
      success: true,
      data: {
        attempt_id,
        is_late: scored.is_late,
        score: scored.score,
        points: scored.points,
        possible: scored.possible,
        is_passed: scored.is_passed,
        attempts_left,
        lesson_completed: noted.isCompleted,
        course_completed,
        review:
          scored.is_passed || attempts_left === 0
            ? attempt.questions.map((question) => ({
                question,
                answer: given.get(question.id) ?? null,
                is_right: isCorrect(question, scored.is_late ? undefined : given.get(question.id)) ?? null,
              }))
            : null,
      },
    }
  }).expecting({ training_progress_lesson_id_fkey: 'not_found' }),
]
