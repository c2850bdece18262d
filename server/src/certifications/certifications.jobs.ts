import type { Schedule } from '#platform/jobs/schedules.ts'
import { renewSigningKey } from './signing-key.ts'

export const certificationSchedules: readonly Schedule[] = [
  {
    name: 'signing-key',
    title: 'Renew the key that signs certifications after a year',
    cron: '20 4 * * *',
    zone: 'UTC',
    run: renewSigningKey,
  },
]
