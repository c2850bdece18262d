import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { Id, Moment } from '#kit/values.ts'
import { QuestionType } from '../lessons/question.ts'
import { Key } from '../values.ts'

/** How learners answer one question of a quiz. */
export const QuestionFigures = z.object({
  question_id: z.string(),
  text: z.string(),
  type: QuestionType,
  answered: z.int(),
  correct: z.int(),
  /** Between 0 and 1; null before the first answer. */
  share: z.number().nullable(),
})
export type QuestionFigures = z.infer<typeof QuestionFigures>

export const QuizFigures = z.object({
  lesson_id: Id,
  /** The component of a mixed lesson; null for a quiz lesson. */
  component: z.int().nullable(),
  title: z.string(),
  attempts: z.int(),
  learners: z.int(),
  /** Learners who passed. */
  passed: z.int(),
  passRate: z.number().nullable(),
  averageScore: z.number().nullable(),
  medianSeconds: z.number().nullable(),
  questions: z.array(QuestionFigures),
})
export type QuizFigures = z.infer<typeof QuizFigures>

export const LessonFigures = z.object({
  lesson_id: Id,
  title: z.string(),
  module_key: z.string(),
  module_title: z.string(),
  /** Learners who opened the lesson, and learners who finished it. */
  reached: z.int(),
  completed: z.int(),
  /** Learners who opened the lesson, did not finish it, and have been inactive for a week. */
  droppedOff: z.int(),
  medianSeconds: z.number().nullable(),
})
export type LessonFigures = z.infer<typeof LessonFigures>

export const StuckLearner = z.object({
  user_id: Id,
  name: z.string(),
  lesson_id: Id,
  lesson_title: z.string(),
  component: z.int().nullable(),
  reason: z.enum(['attempts_used', 'idle']),
  attempts: z.int(),
  best_score: z.number().nullable(),
  since: Moment,
})
export type StuckLearner = z.infer<typeof StuckLearner>

export const CourseFigures = z.object({
  /** False while no learner has started: there are no figures to show yet. */
  hasFigures: z.boolean(),
  enrolled: z.int(),
  started: z.int(),
  completed: z.int(),
  completionRate: z.number().nullable(),
  /** Median days from the first opened lesson to completion. */
  medianDays: z.number().nullable(),
  /** Median time spent in lessons by learners who completed the course. */
  medianSeconds: z.number().nullable(),
  attempts: z.int(),
  /** Share of submitted attempts that passed. */
  passRate: z.number().nullable(),
  /** Learners who started and who completed, by week, oldest first. */
  weeks: z.array(z.object({ week: z.iso.date(), started: z.int(), completed: z.int() })),
  lessons: z.array(LessonFigures),
  quizzes: z.array(QuizFigures),
  /** The first 100, stuck longest first. */
  stuck: z.array(StuckLearner),
})
export type CourseFigures = z.infer<typeof CourseFigures>

export const readCourseFigures = defineCall({
  method: 'POST',
  path: '/api/training/courses/analytics',
  summary: 'Get the analytics of a course',
  permission: 'training.manage',
  reads: true,
  body: z.strictObject({ course_key: Key }),
  reply: z.object({ data: CourseFigures }),
  refusals: { not_found: [404, 'This course does not exist.'] },
})
