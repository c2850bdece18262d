import type { Job } from '#platform/jobs/jobs.ts'
import type { Schedule } from '#platform/jobs/schedules.ts'
import { sendNotificationJob, tendNotifications } from './notifications/send-notification.ts'
import { syncTexts } from './texts/sync-texts.ts'

export const supportJobs: readonly Job[] = [sendNotificationJob]

export const supportSchedules: readonly Schedule[] = [
  {
    name: 'sync-texts',
    title: 'Fetch text messages and how they fared',
    cron: '*/10 * * * *',
    zone: 'UTC',
    run: syncTexts,
  },
  {
    name: 'tend-notifications',
    title: 'Take up notifications that were left lying',
    cron: '* * * * *',
    zone: 'UTC',
    run: tendNotifications,
  },
]
