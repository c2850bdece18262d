import { readCourseFigures } from '@limber/contract/training/learners/figures.ts'
import { listTrainingFigure } from '@limber/contract/training/learners/training-figure.ts'
import { DAY, shift } from '#platform/clock.ts'
import { findFigurePage } from '#platform/figures/figure.queries.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { findCourse } from '../courses/course.queries.ts'
import { presentFigures } from './figures.present.ts'
import { readLessonFigures, readQuestionFigures, readQuizFigures, readStuck, readTotals } from './figures.queries.ts'
import { trainingSources } from './training-figure.queries.ts'

/** A learner in the middle of a lesson counts as dropped off after one week of inactivity, as stuck after two. */
const DROPPED_OFF_AFTER = 7 * DAY
const STUCK_AFTER = 14 * DAY

export const figuresRoutes = [
  serve(readCourseFigures, async ({ body, db, now }) => {
    const course = await findCourse(db, body.course_key)
    if (!course) throw refuse(readCourseFigures, 'not_found')
    const [totals, lessons, quizzes, questions, stuck] = await Promise.all([
      readTotals(db, course.id, now),
      readLessonFigures(db, course.id, shift(now, -DROPPED_OFF_AFTER)),
      readQuizFigures(db, course.id),
      readQuestionFigures(db, course.id),
      readStuck(db, course.id, shift(now, -STUCK_AFTER)),
    ])
    return { data: presentFigures({ totals, lessons, quizzes, questions, stuck }) }
  }),
  serve(listTrainingFigure, async ({ params: { figure }, query: { course_key, ...page }, db }) => {
    const course = await findCourse(db, course_key)
    if (!course) throw refuse(listTrainingFigure, 'not_found')
    return findFigurePage(db, trainingSources[figure](course.id), page)
  }),
]
