import { paginate } from '@limber/contract/kit/page.ts'
import {
  enrollLearner,
  findCandidates,
  grantAttempt,
  listEnrollments,
  removeLearner,
} from '@limber/contract/training/learners/enrollment.ts'
import type { TypedContent } from '@limber/contract/training/lessons/content.ts'
import { containing } from '#platform/db/like.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { findCourse } from '../courses/course.queries.ts'
import { quizzesOf } from '../lessons/content.rules.ts'
import { modernContent } from '../lessons/lesson.present.ts'
import { endTraining } from './end-training.ts'
import { presentCandidate, presentEnrollment } from './enrollment.present.ts'
import {
  findCandidateRows,
  findEnrollments,
  findTrainees,
  insertEnrollment,
  isUser,
  removeEnrollment,
} from './enrollment.queries.ts'
import { addExtraAttempt, findQuizState, lockLearnerLesson } from './learner.queries.ts'

const MAX_CANDIDATES = 20

export const enrollmentRoutes = [
  serve(listEnrollments, async ({ body: { course_key, search, state, page, limit }, db }) => {
    const course = await findCourse(db, course_key)
    if (!course) throw refuse(listEnrollments, 'not_found')
    const { total, rows } = await findEnrollments(db, {
      courseId: course.id,
      pattern: search.trim() === '' ? undefined : containing(search.trim()),
      state: state ?? undefined,
      limit,
      offset: (page - 1) * limit,
    })
    return { data: rows.map(presentEnrollment), pagination: paginate(page, limit, total) }
  }),

  serve(findCandidates, async ({ body: { course_key, search }, db }) => {
    const course = await findCourse(db, course_key)
    if (!course) throw refuse(findCandidates, 'not_found')
    const id = /^[1-9]\d{0,14}$/.test(search) ? Number(search) : undefined
    const wanted = { courseId: course.id, search, id, limit: MAX_CANDIDATES }
    return { data: (await findCandidateRows(db, wanted)).map(presentCandidate) }
  }),

  serve(enrollLearner, async ({ body: { course_key, user_id }, db, now, audit, publish }) => {
    const course = await findCourse(db, course_key)
    if (!course) throw refuse(enrollLearner, 'not_found')
    if (!course.is_active) throw refuse(enrollLearner, 'not_in_production')
    if (!(await isUser(db, user_id))) throw refuse(enrollLearner, 'no_user')
    if (await insertEnrollment(db, course.id, user_id, now)) {
      audit({ action: 'learner_enrolled', subject: 'course', subjectId: course_key, after: { user_id } })
      publish('training', { course: course_key, learner: user_id })
    }
    const [row] = (await findEnrollments(db, { courseId: course.id, userId: user_id, limit: 1, offset: 0 })).rows
    if (!row) throw refuse(enrollLearner, 'no_user')
    return { success: true, data: presentEnrollment(row) }
  }).expecting({
    training_enrolments_course_id_fkey: 'not_found',
    training_enrolments_customer_id_fkey: 'no_user',
  }),

  serve(removeLearner, async ({ body: { course_key, user_id }, db, now, audit, publish, emit }) => {
    const course = await findCourse(db, course_key)
    if (!course) throw refuse(removeLearner, 'not_found')
    const trainees = await findTrainees(db, course.id, user_id)
    const deleted = await removeEnrollment(db, course.id, user_id)
    if (!deleted) throw refuse(removeLearner, 'not_enrolled')
    audit({ action: 'learner_removed', subject: 'course', subjectId: course_key, before: { user_id, ...deleted } })
    await endTraining({ db, now, audit, publish, emit }, trainees)
    publish('training', { course: course_key, learner: user_id })
    return { success: true, data: { user_id, deleted } }
  }),

  serve(grantAttempt, async ({ body: { lesson_id, user_id, component }, db, audit, publish }) => {
    const lesson = await lockLearnerLesson(db, user_id, lesson_id)
    if (!lesson) throw refuse(grantAttempt, 'not_found')
    const typed = { content_type: lesson.content_type, content_data: modernContent(lesson) } as TypedContent
    const quiz = quizzesOf(typed).find((one) => one.component === component)
    if (!quiz) throw refuse(grantAttempt, 'not_a_quiz')
    if (!lesson.is_enrolled) throw refuse(grantAttempt, 'not_enrolled')
    const state = await findQuizState(db, user_id, lesson_id, quiz.id)
    if (state?.is_passed) throw refuse(grantAttempt, 'passed')
    if (!state || state.attempts < state.allowed) throw refuse(grantAttempt, 'attempts_left')
    await addExtraAttempt(db, lesson_id, user_id, quiz.id)
    audit({ action: 'attempt_granted', subject: 'lesson', subjectId: lesson_id, after: { user_id, component } })
    publish('training', { course: lesson.course_key, learner: user_id })
    return { success: true, data: { attempts_left: state.allowed + 1 - state.attempts } }
  }).expecting({ training_extra_attempts_lesson_id_fkey: 'not_found' }),
]
