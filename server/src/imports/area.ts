import type { Area } from '#platform/area.ts'
import { withExports } from '#platform/exports/export.ts'
import { importsExports } from './exports.ts'
import { importMapRoutes } from './import-maps.routes.ts'
import { eraseImportRows } from './import-rows.queries.ts'
import { importRowRoutes } from './import-rows.routes.ts'
import { importJobs, importSchedules } from './imports.jobs.ts'
import { importRoutes } from './imports.routes.ts'
import { type FileReaders, recordFileRoutes } from './record-file.routes.ts'
import type { ImportTargets } from './run/run-import.ts'
import { uploadRoutes } from './upload.routes.ts'

/** Imports write through the batches of the areas that own the records. */
export const importsArea = (targets: ImportTargets, readers: FileReaders): Area => ({
  routes: () =>
    withExports(
      [...importRoutes, ...uploadRoutes, ...importRowRoutes, ...importMapRoutes, ...recordFileRoutes(readers)],
      importsExports,
    ),
  onErase: eraseImportRows,
  jobs: importJobs(targets),
  schedules: importSchedules,
})
