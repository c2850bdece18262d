import { DAY, shift } from '#platform/clock.ts'
import type { Schedule } from '#platform/jobs/schedules.ts'
import { deleteOldMessages } from '#platform/outbox/change-messages.ts'
import { FIVE_MINUTES_KEPT } from './errors/error-window.rules.ts'
import { forgetFailures } from './errors/failure.queries.ts'

const DELIVERIES_KEPT = 90 * DAY

/** What the tech panels keep is forgotten in time. */
export const techSchedules: readonly Schedule[] = [
  {
    name: 'error-retention',
    title: 'Forget failures that are past their time',
    cron: '30 3 * * *',
    zone: 'UTC',
    run: ({ db, clock, config }) => {
      const now = clock.now()
      return forgetFailures(db, shift(now, -config.eventRetentionDays * DAY), shift(now, -FIVE_MINUTES_KEPT))
    },
  },
  {
    name: 'delivery-retention',
    title: 'Forget deliveries and inbound events after 90 days',
    cron: '50 3 * * *',
    zone: 'UTC',
    run: async ({ db, clock }) => ({ forgotten: await deleteOldMessages(db, shift(clock.now(), -DELIVERIES_KEPT)) }),
  },
]
