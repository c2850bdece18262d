import { readDashboard } from './dashboard/dashboard.ts'
import { exportEvents, ingestEvents, listEvents, readEvent } from './events/event.ts'

export const analyticsCalls = [readDashboard, listEvents, exportEvents, readEvent, ingestEvents]
