import { exportSchedules } from '@limber/contract/automation/schedule.ts'
import { exporting, NO_COLUMN } from '#platform/exports/export.ts'

export const automationExports = [
  exporting(exportSchedules, {
    rows: (schedules) => schedules,
    columns: {
      name: 'Name',
      title: 'Title',
      enabled: 'Enabled',
      cron: 'Cron',
      words: 'Schedule',
      zone: 'Time zone',
      nextRun: 'Next run',
      lastRun: [
        ['Last run', (run) => run?.startedAt],
        ['Last result', (run) => run?.state],
        ['Last error', (run) => run?.error],
      ],
      lastError: [['Last failure', (error) => error?.at]],
      isUnderWay: 'Running',
      pausedBy: 'Paused by',
      pausedAt: 'Paused',
      pausedReason: 'Pause reason',
      version: NO_COLUMN,
    },
  }),
]
