import type { CourseFigures } from '@limber/contract/training/learners/figures.ts'
import type { LessonFigure, QuestionFigure, QuizFigure, StuckRecord, Totals } from './figures.queries.ts'

const share = (part: number, whole: number) => (whole === 0 ? null : part / whole)

interface FigureRows {
  totals: Totals
  lessons: LessonFigure[]
  quizzes: QuizFigure[]
  questions: QuestionFigure[]
  stuck: StuckRecord[]
}

export const presentFigures = ({ totals, lessons, quizzes, questions, stuck }: FigureRows): CourseFigures => ({
  hasFigures: totals.started > 0,
  enrolled: totals.enrolled,
  started: totals.started,
  completed: totals.completed,
  completionRate: share(totals.completed, totals.enrolled),
  medianDays: totals.median_days,
  medianSeconds: totals.median_seconds,
  attempts: totals.attempts,
  passRate: share(totals.passed, totals.attempts),
  weeks: totals.weeks ?? [],
  lessons: lessons.map(({ dropped, median_seconds, ...lesson }) => ({
    ...lesson,
    droppedOff: dropped,
    medianSeconds: median_seconds,
  })),
  quizzes: quizzes.map(({ average, median_seconds, component, ...quiz }) => ({
    ...quiz,
    component: component < 0 ? null : component,
    passRate: share(quiz.passed, quiz.learners),
    averageScore: average,
    medianSeconds: median_seconds,
    questions: questions
      .filter((one) => one.lesson_id === quiz.lesson_id && one.component === component)
      .map(({ question_id, text, type, answered, correct }) => ({
        question_id,
        text,
        type,
        answered,
        correct,
        share: share(correct, answered),
      })),
  })),
  stuck: stuck.map(({ since, ...one }) => ({ ...one, since: since.toISOString() })),
})
