import { readDashboard } from './dashboard/dashboard.ts'
import { exportUsageFigure, listUsageFigure } from './dashboard/usage-figure.ts'
import { exportEvents, ingestEvents, listEvents, readEvent } from './events/event.ts'
import { readEventByExternalId, readEventRecord, sendEvents, walkEvents } from './events/event-sync.ts'

export const analyticsCalls = [
  listUsageFigure,
  exportUsageFigure,
  readDashboard,
  listEvents,
  exportEvents,
  readEvent,
  ingestEvents,
  sendEvents,
  walkEvents,
  readEventRecord,
  readEventByExternalId,
]
