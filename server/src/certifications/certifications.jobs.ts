import type { Schedule } from '#platform/jobs/schedules.ts'
import { renewSigningKey } from './signing-key.ts'
import { warnOfExpiry } from './warn-of-expiry.ts'

export const certificationSchedules: readonly Schedule[] = [
  {
    name: 'signing-key',
    title: 'Rotate the signing key of certifications every year',
    cron: '20 4 * * *',
    zone: 'UTC',
    run: renewSigningKey,
  },
  {
    name: 'certification-warnings',
    title: 'Warn stretchers before a certification expires',
    cron: '25 * * * *',
    zone: 'UTC',
    run: warnOfExpiry,
  },
]
