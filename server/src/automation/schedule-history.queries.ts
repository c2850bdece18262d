import { resumeSchedule } from '@limber/contract/automation/schedule.ts'
import type { RecordHistory } from '#platform/audit/history.ts'

export const scheduleHistory: RecordHistory = {
  subject: 'schedule',
  async read(db, name) {
    const schedule = await db
      .selectFrom('schedules')
      .select(['title', 'is_enabled'])
      .where('name', '=', name)
      .executeTakeFirst()
    return schedule && { name: schedule.title, values: { enabled: schedule.is_enabled } }
  },
  fields: [],
  actions: {
    schedule_run: 'ran it now',
    schedule_paused: 'paused it',
    schedule_resumed: 'resumed it',
  },
  restores: [],
  opposites: {
    schedule_paused: {
      call: resumeSchedule,
      input: (name) => ({ params: { name }, body: { reason: 'Undone' } }),
      fits: ({ enabled }) => enabled === false,
    },
  },
}
