import type { Schedule } from '#platform/jobs/schedules.ts'
import { markCampaigns } from './campaigns/mark-campaigns.ts'
import { markTasks } from './tasks/mark-tasks.ts'

export const growthSchedules: readonly Schedule[] = [
  {
    name: 'city-task-marks',
    title: 'Measure cities 30, 60 and 90 days after a task',
    cron: '40 23 * * *',
    zone: 'company',
    run: async ({ db, clock }) => ({ marks: await markTasks(db, clock.now()) }),
  },
  {
    name: 'campaign-marks',
    title: 'Measure the places of campaigns before the start and after 30, 60 and 90 days',
    cron: '20 * * * *',
    zone: 'company',
    run: async ({ db, clock }) => ({ marks: await markCampaigns(db, clock.now()) }),
  },
]
