import type { Area } from '#platform/area.ts'
import { withExports } from '#platform/exports/export.ts'
import { importsExports } from './exports.ts'
import { importMapRoutes } from './import-maps.routes.ts'
import { importRowRoutes } from './import-rows.routes.ts'
import { importJobs } from './imports.jobs.ts'
import { importRoutes } from './imports.routes.ts'
import { uploadRoutes } from './upload.routes.ts'

export const importsArea: Area = {
  routes: () => withExports([...importRoutes, ...uploadRoutes, ...importRowRoutes, ...importMapRoutes], importsExports),
  jobs: importJobs,
}
