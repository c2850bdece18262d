import { companyDay } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { DAY, shift } from '#platform/clock.ts'
import type { Schedule } from '#platform/jobs/schedules.ts'
import { forgetOldUse } from './api-keys/api-key-usage.queries.ts'
import { deleteOldAttempts } from './sessions/cleanup.queries.ts'

/** Longer than any screen shows. */
const KEPT_USE_DAYS = 400

export const accessSchedules: readonly Schedule[] = [
  {
    name: 'access-tidy',
    title: 'Delete old sign-in attempts, challenges and usage of API keys',
    cron: '41 * * * *',
    zone: 'UTC',
    run: async ({ db, clock }) => {
      await forgetOldUse(db, addDays(companyDay(clock.now()), -KEPT_USE_DAYS))
      return deleteOldAttempts(db, shift(clock.now(), -DAY))
    },
  },
]
