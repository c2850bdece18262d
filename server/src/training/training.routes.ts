import { assetRoutes } from './asset.routes.ts'
import { courseRoutes } from './course.routes.ts'
import { lessonRoutes } from './lesson.routes.ts'
import { moduleRoutes } from './module.routes.ts'
import { readinessRoutes } from './readiness.routes.ts'
import { uploadRoutes } from './upload.routes.ts'

export const trainingRoutes = [
  ...courseRoutes,
  ...moduleRoutes,
  ...lessonRoutes,
  ...readinessRoutes,
  ...assetRoutes,
  ...uploadRoutes,
]
