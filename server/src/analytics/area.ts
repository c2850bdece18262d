import type { Area } from '#platform/area.ts'
import { withExports } from '#platform/exports/export.ts'
import { analyticsSchedules } from './analytics.jobs.ts'
import { dashboardRoutes } from './dashboard/dashboard.routes.ts'
import { ingestRoutes } from './events/ingest.routes.ts'
import { analyticsExports } from './exports.ts'
import { startRolling } from './rollups/roll-events.ts'

export const analyticsArea: Area = {
  routes: () => withExports([...dashboardRoutes(), ...ingestRoutes()], analyticsExports),
  schedules: analyticsSchedules,
  backgroundLoops: [startRolling],
}
