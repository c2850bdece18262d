import type { RecordHistory } from '#platform/audit/history.ts'

export const scheduleHistory: RecordHistory = {
  subject: 'schedule',
  async read(db, name) {
    const schedule = await db.selectFrom('schedules').select('title').where('name', '=', name).executeTakeFirst()
    return schedule && { name: schedule.title, values: {} }
  },
  fields: [],
  actions: {
    schedule_run: 'ran it now',
    schedule_paused: 'paused it',
    schedule_resumed: 'resumed it',
  },
  // Pausing and resuming need a reason.
  restores: [],
}
