import type { Area } from '#platform/area.ts'
import { withExports } from '#platform/exports/export.ts'
import { assetRoutes } from './assets/asset.routes.ts'
import { uploadRoutes } from './assets/upload.routes.ts'
import { courseRoutes } from './courses/course.routes.ts'
import { courseHistory, moduleHistory } from './courses/course-history.queries.ts'
import { moduleRoutes } from './courses/module.routes.ts'
import { readinessRoutes } from './courses/readiness.routes.ts'
import { trainingExports } from './exports.ts'
import { enrollmentRoutes } from './learners/enrollment.routes.ts'
import { figuresRoutes } from './learners/figures.routes.ts'
import { eraseAnswers, mergeTraining } from './learners/learner-customer.queries.ts'
import { learnerSources } from './learners/learner-timeline.queries.ts'
import { portalRoutes } from './learners/portal.routes.ts'
import { lessonRoutes } from './lessons/lesson.routes.ts'
import { lessonHistory } from './lessons/lesson-history.queries.ts'
import { trainingJobs, trainingSchedules } from './training.jobs.ts'

export const trainingArea: Area = {
  routes: () =>
    withExports(
      [
        ...courseRoutes,
        ...moduleRoutes,
        ...lessonRoutes,
        ...readinessRoutes,
        ...assetRoutes,
        ...uploadRoutes,
        ...enrollmentRoutes,
        ...figuresRoutes,
        ...portalRoutes,
      ],
      trainingExports,
    ),
  jobs: trainingJobs,
  schedules: trainingSchedules,
  timeline: learnerSources,
  histories: [courseHistory, moduleHistory, lessonHistory],
  onErase: eraseAnswers,
  onMerge: mergeTraining,
}
