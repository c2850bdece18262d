import { DAY, shift } from '#platform/clock.ts'
import { deleteOldRuns } from '#platform/jobs/change-schedules.ts'
import type { Schedule } from '#platform/jobs/schedules.ts'

const KEPT_FOR = 90 * DAY
const KEPT_AT_LEAST = 20

export const automationSchedules: readonly Schedule[] = [
  {
    name: 'schedule-runs',
    title: 'Delete schedule runs after 90 days',
    cron: '40 3 * * *',
    zone: 'UTC',
    run: async ({ db, clock }) => ({
      deleted: await deleteOldRuns(db, shift(clock.now(), -KEPT_FOR), KEPT_AT_LEAST),
    }),
  },
]
