import type { Area } from '#platform/area.ts'
import { automationSchedules } from './automation.jobs.ts'
import { scheduleRoutes } from './schedule.routes.ts'

export const automationArea: Area = { routes: () => scheduleRoutes, schedules: automationSchedules }
