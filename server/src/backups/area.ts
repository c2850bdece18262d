import type { Area } from '#platform/area.ts'
import { withExports } from '#platform/exports/export.ts'
import { backupGauges } from './backup.gauges.ts'
import { backupProbe } from './backup.probe.ts'
import { backupRoutes } from './backup.routes.ts'
import { backupJobs, backupSchedules } from './backups.jobs.ts'
import { backupsExports } from './exports.ts'

export const backupsArea: Area = {
  routes: () => withExports(backupRoutes, backupsExports),
  jobs: backupJobs,
  schedules: backupSchedules,
  probes: [backupProbe],
  gauges: [backupGauges],
}
