import { readDashboard } from './dashboard.ts'
import { ingestEvents, listEvents, readEvent } from './event.ts'

export const analyticsCalls = [readDashboard, listEvents, readEvent, ingestEvents]
