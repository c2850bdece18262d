import { shift } from '#platform/clock.ts'
import type { Schedule } from '#platform/jobs/schedules.ts'
import { findExpired, MINUTE_RETENTION } from './events/retention.rules.ts'
import { deleteMinutes, dropPartition, listPartitions } from './rollups/rollup.queries.ts'

export const analyticsSchedules: readonly Schedule[] = [
  {
    name: 'event-retention',
    title: 'Delete expired usage events and keep their totals',
    cron: '20 3 * * *',
    zone: 'UTC',
    async run({ db, clock, config }) {
      const now = clock.now()
      const old = findExpired(await listPartitions(db), config.eventRetentionDays, now)
      for (const { name } of old) await dropPartition(db, name)
      return { droppedDays: old.length, forgottenMinutes: await deleteMinutes(db, shift(now, -MINUTE_RETENTION)) }
    },
  },
]
