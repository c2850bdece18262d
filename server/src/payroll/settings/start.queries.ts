import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

export interface StartRow {
  version: number
  starts_on: string | null
  changed_at: Date
  worker_name: string | null
}

/** Every change of the day on which payroll starts, newest first. */
export const findStartChanges = (db: Db): Promise<StartRow[]> =>
  db
    .selectFrom('payroll_starts as s')
    .leftJoin('workers as w', 'w.id', 's.worker_id')
    .select(['s.version', 's.starts_on', 's.changed_at', 'w.name as worker_name'])
    .orderBy('s.version', 'desc')
    .execute()

/** The day on which payroll starts; undefined when none is set. */
export async function findStart(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('payroll_starts')
    .select('starts_on')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.starts_on ?? undefined
}

export const insertStart = (db: Db, startsOn: string | null, workerId: number, now: Date) =>
  db
    .insertInto('payroll_starts')
    .values({ starts_on: startsOn, changed_at: now, worker_id: workerId })
    .returning('version')
    .executeTakeFirstOrThrow()

/** Bookings that the last hourly run left out because they arrived after their pay date. */
export async function findLateBookings(db: Db): Promise<number> {
  const { rows } = await sql<{ late: number | null }>`
    select (result->>'late')::int as late from schedule_runs
    where schedule = 'payroll-sessions' and state = 'done' order by due_at desc, id desc limit 1`.execute(db)
  return rows[0]?.late ?? 0
}
