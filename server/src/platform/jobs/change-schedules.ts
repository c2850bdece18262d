import { sql } from 'kysely'
import type { Db } from '../db/db.ts'

/** Pauses a schedule until someone resumes it. */
export async function pause(db: Db, name: string, by: { workerId: number; reason: string }, now: Date) {
  await db
    .updateTable('schedules')
    .set((row) => ({
      is_enabled: false,
      paused_by: by.workerId,
      paused_at: now,
      paused_reason: by.reason,
      version: row('version', '+', 1),
    }))
    .where('name', '=', name)
    .execute()
}

export async function resume(db: Db, name: string, nextRunAt: Date) {
  await db
    .updateTable('schedules')
    .set((row) => ({
      is_enabled: true,
      paused_by: null,
      paused_at: null,
      paused_reason: null,
      next_run_at: nextRunAt,
      version: row('version', '+', 1),
    }))
    .where('name', '=', name)
    .execute()
}

/** Deletes runs due before a moment, except those in progress and the newest `keep` of each schedule. */
export async function deleteOldRuns(db: Db, before: Date, keep: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from schedule_runs r using schedules s
    where r.schedule = s.name and r.due_at < ${before} and r.state not in ('waiting', 'running') and r.id < (
      select min(id) from (select id from schedule_runs where schedule = s.name order by id desc limit ${keep}) newest
    )`.execute(db)
  return Number(numAffectedRows ?? 0)
}
