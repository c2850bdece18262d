import { DELIVERY_DAYS } from '@limber/contract/access/webhooks/webhook.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { DAY, shift } from '#platform/clock.ts'
import type { Schedule } from '#platform/jobs/schedules.ts'
import { forgetOldUse } from './api-keys/api-key-usage.queries.ts'
import { deleteOldAttempts } from './sessions/cleanup.queries.ts'
import { deleteOldDeliveries } from './webhooks/webhook.queries.ts'

/** Longer than any screen shows. */
const KEPT_USE_DAYS = 400

export const accessSchedules: readonly Schedule[] = [
  {
    name: 'access-tidy',
    title: 'Delete old sign-in attempts, key usage and webhook deliveries',
    cron: '41 * * * *',
    zone: 'UTC',
    run: async ({ db, clock }) => {
      await forgetOldUse(db, addDays(companyDay(clock.now()), -KEPT_USE_DAYS))
      await deleteOldDeliveries(db, shift(clock.now(), -DELIVERY_DAYS * DAY), clock.now())
      return deleteOldAttempts(db, shift(clock.now(), -DAY))
    },
  },
]
