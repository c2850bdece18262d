import type { Area } from '#platform/area.ts'
import { withExports } from '#platform/exports/export.ts'
import { automationSchedules } from './automation.jobs.ts'
import { automationExports } from './exports.ts'
import { scheduleRoutes } from './schedule.routes.ts'
import { scheduleHistory } from './schedule-history.queries.ts'

export const automationArea: Area = {
  routes: () => withExports(scheduleRoutes, automationExports),
  histories: [scheduleHistory],
  schedules: automationSchedules,
}
