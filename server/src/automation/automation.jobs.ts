import { DAY, shift } from '#platform/clock.ts'
import { deleteOldRuns } from '#platform/jobs/change-schedules.ts'
import type { Schedule } from '#platform/jobs/schedules.ts'

const RUN_RETENTION = 90 * DAY
const MIN_RUNS_KEPT = 20

export const automationSchedules: readonly Schedule[] = [
  {
    name: 'schedule-runs',
    title: 'Delete schedule runs after 90 days',
    cron: '40 3 * * *',
    zone: 'UTC',
    run: async ({ db, clock }) => ({
      deleted: await deleteOldRuns(db, shift(clock.now(), -RUN_RETENTION), MIN_RUNS_KEPT),
    }),
  },
]
