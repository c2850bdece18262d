import type { Db } from '#platform/db/db.ts'
import type { RunRow } from './schedule.queries.ts'

/** Inserts a schedule as the server does at startup. */
export async function makeSchedule(
  db: Db,
  { name, nextRunAt, cron = '0 6 * * *' }: { name: string; nextRunAt: Date; cron?: string },
) {
  await db
    .insertInto('schedules')
    .values({
      name,
      title: `Title of ${name}`,
      cron,
      zone: 'America/Los_Angeles',
      next_run_at: nextRunAt,
      paused_by: null,
      paused_at: null,
      paused_reason: null,
    })
    .execute()
  return name
}

type Run = Partial<Omit<RunRow, 'id' | 'worker_name'>> & { schedule: string; due_at: Date; beat_at?: Date }

/** By default a finished run that the schedule started. */
export async function makeRun(db: Db, { schedule, due_at, result, ...run }: Run): Promise<number> {
  const row = await db
    .insertInto('schedule_runs')
    .values({
      trigger: 'schedule',
      started_at: due_at,
      beat_at: due_at,
      ended_at: due_at,
      state: 'done',
      worker_id: null,
      error: null,
      ...run,
      schedule,
      due_at,
      result: result === undefined ? null : JSON.stringify(result),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}
