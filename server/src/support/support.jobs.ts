import type { Job } from '#platform/jobs/jobs.ts'
import type { Schedule } from '#platform/jobs/schedules.ts'
import { assignWaitingTickets } from './assignment/assign-tickets.ts'
import { startAbsences } from './assignment/hand-over.ts'
import { removeFilesJob, scanWaitingFiles, sweepTicketFiles } from './files/files.jobs.ts'
import { resumeNotifications, sendNotificationJob } from './notifications/send-notification.ts'
import { followSettingsJob, tendPromises } from './promises/tend-promises.ts'
import { removeTagJob } from './queues/remove-tag.ts'
import { wakeTickets } from './queues/wake-tickets.ts'
import { askForRatings } from './ratings/ask-for-ratings.ts'
import { packBlocks } from './report/pack-blocks.ts'
import { syncTexts } from './texts/sync-texts.ts'

export const supportJobs: readonly Job[] = [sendNotificationJob, removeTagJob, removeFilesJob, followSettingsJob]

export const supportSchedules: readonly Schedule[] = [
  {
    name: 'sync-texts',
    title: 'Sync text messages and delivery states',
    cron: '*/10 * * * *',
    zone: 'UTC',
    run: syncTexts,
  },
  {
    name: 'tend-notifications',
    title: 'Resume interrupted notifications',
    cron: '* * * * *',
    zone: 'UTC',
    run: resumeNotifications,
  },
  {
    name: 'wake-tickets',
    title: 'Return snoozed tickets to their queues',
    cron: '* * * * *',
    zone: 'UTC',
    run: wakeTickets,
  },
  {
    name: 'start-absences',
    title: 'Hand over the tickets of workers who are out of office',
    cron: '* * * * *',
    zone: 'UTC',
    run: startAbsences,
  },
  {
    name: 'assign-tickets',
    title: 'Assign unassigned tickets by round robin',
    cron: '* * * * *',
    zone: 'UTC',
    run: assignWaitingTickets,
  },
  {
    name: 'tend-promises',
    title: 'Watch response times and announce late ones',
    cron: '* * * * *',
    zone: 'UTC',
    run: tendPromises,
  },
  {
    name: 'ask-for-ratings',
    title: 'Ask customers how their tickets were handled',
    cron: '* * * * *',
    zone: 'UTC',
    run: askForRatings,
  },
  {
    name: 'pack-report',
    title: 'Add changed tickets to the figures of the support report',
    cron: '*/10 * * * *',
    zone: 'UTC',
    run: packBlocks,
  },
  {
    name: 'scan-files',
    title: 'Scan files that wait for the virus scanner',
    cron: '* * * * *',
    zone: 'UTC',
    run: scanWaitingFiles,
  },
  {
    name: 'support-files',
    title: 'Delete unsent and unused files of tickets',
    cron: '50 4 * * *',
    zone: 'company',
    run: sweepTicketFiles,
  },
]
