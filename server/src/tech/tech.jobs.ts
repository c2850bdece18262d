import { DAY, shift } from '#platform/clock.ts'
import type { Schedule } from '#platform/jobs/schedules.ts'
import { deleteOldMessages } from '#platform/outbox/change-messages.ts'
import { FIVE_MINUTE_RETENTION } from './errors/error-window.rules.ts'
import { deleteExpiredFailures } from './errors/failure.queries.ts'

const DELIVERY_RETENTION = 90 * DAY

export const techSchedules: readonly Schedule[] = [
  {
    name: 'error-retention',
    title: 'Delete expired error details',
    cron: '30 3 * * *',
    zone: 'UTC',
    run: ({ db, clock, config }) => {
      const now = clock.now()
      return deleteExpiredFailures(db, shift(now, -config.eventRetentionDays * DAY), shift(now, -FIVE_MINUTE_RETENTION))
    },
  },
  {
    name: 'delivery-retention',
    title: 'Delete deliveries and inbound events after 90 days',
    cron: '50 3 * * *',
    zone: 'UTC',
    run: async ({ db, clock }) => ({ forgotten: await deleteOldMessages(db, shift(clock.now(), -DELIVERY_RETENTION)) }),
  },
]
