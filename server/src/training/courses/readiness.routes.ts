import { badgeOf, checkReadiness } from '@limber/contract/training/courses/course.ts'
import { contentOf, MAX_LESSONS } from '@limber/contract/training/lessons/lesson.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { presentLesson } from '../lessons/lesson.present.ts'
import { type FullLesson, findLessons, findUsedFiles } from '../lessons/lesson.queries.ts'
import { presentCourse } from './course.present.ts'
import { findCourse, findCourseStates } from './course.queries.ts'
import { findModules } from './module.queries.ts'
import { listReadinessItems } from './readiness.rules.ts'

export const readinessRoutes = [
  serve(checkReadiness, async ({ body, db }) => {
    const course = await findCourse(db, body.course_key)
    if (!course) throw refuse(checkReadiness, 'not_found')
    const [modules, lessons, before, files] = await Promise.all([
      findModules(db, course.id),
      findLessons(db, { courseId: course.id, withContent: true, limit: MAX_LESSONS, offset: 0 }),
      findCourseStates(db, course.prerequisites),
      findUsedFiles(db, course.id),
    ])
    const items = listReadinessItems(
      { prerequisites: before },
      modules,
      (lessons as FullLesson[]).map((row) => ({ ...row, typed: contentOf(presentLesson(row)) })),
      files,
    )
    return {
      data: {
        badge: badgeOf(presentCourse(course)),
        canActivate: course.modules > 0 && course.lessons > 0,
        items,
      },
    }
  }),
]
