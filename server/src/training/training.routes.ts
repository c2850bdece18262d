import { assetRoutes } from './assets/asset.routes.ts'
import { uploadRoutes } from './assets/upload.routes.ts'
import { courseRoutes } from './courses/course.routes.ts'
import { moduleRoutes } from './courses/module.routes.ts'
import { readinessRoutes } from './courses/readiness.routes.ts'
import { enrolmentRoutes } from './learners/enrolment.routes.ts'
import { figuresRoutes } from './learners/figures.routes.ts'
import { portalRoutes } from './learners/portal.routes.ts'
import { lessonRoutes } from './lessons/lesson.routes.ts'

export const trainingRoutes = [
  ...courseRoutes,
  ...moduleRoutes,
  ...lessonRoutes,
  ...readinessRoutes,
  ...assetRoutes,
  ...uploadRoutes,
  ...enrolmentRoutes,
  ...figuresRoutes,
  ...portalRoutes,
]
