import type { Area } from '#platform/area.ts'
import { backupProbe } from './backup.probe.ts'
import { backupRoutes } from './backup.routes.ts'
import { backupJobs, backupSchedules } from './backups.jobs.ts'

export const backupsArea: Area = {
  routes: () => backupRoutes,
  jobs: backupJobs,
  schedules: backupSchedules,
  probes: [backupProbe],
}
