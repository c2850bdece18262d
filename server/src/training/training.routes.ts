import { assetRoutes } from './asset.routes.ts'
import { courseRoutes } from './course.routes.ts'
import { enrolmentRoutes } from './enrolment.routes.ts'
import { figuresRoutes } from './figures.routes.ts'
import { lessonRoutes } from './lesson.routes.ts'
import { moduleRoutes } from './module.routes.ts'
import { portalRoutes } from './portal.routes.ts'
import { readinessRoutes } from './readiness.routes.ts'
import { uploadRoutes } from './upload.routes.ts'

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
