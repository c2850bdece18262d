import type { Area } from '#platform/area.ts'
import { analyticsSchedules } from './analytics.jobs.ts'
import { dashboardRoutes } from './dashboard/dashboard.routes.ts'
import { ingestRoutes } from './events/ingest.routes.ts'
import { startRolling } from './rollups/roll-events.ts'

export const analyticsArea: Area = {
  routes: () => [...dashboardRoutes(), ...ingestRoutes()],
  schedules: analyticsSchedules,
  backgroundLoops: [startRolling],
}
