import { DAY, shift } from '#platform/clock.ts'
import type { Schedule } from '#platform/jobs/schedules.ts'
import { forgetAttempts } from './sessions/tidy.queries.ts'

export const accessSchedules: readonly Schedule[] = [
  {
    name: 'access-tidy',
    title: 'Delete old sign-in attempts and challenges',
    cron: '41 * * * *',
    zone: 'UTC',
    run: ({ db, clock }) => forgetAttempts(db, shift(clock.now(), -DAY)),
  },
]
