import { readDashboard } from './dashboard.ts'
import { exportEvents, ingestEvents, listEvents, readEvent } from './event.ts'

export const analyticsCalls = [readDashboard, listEvents, exportEvents, readEvent, ingestEvents]
