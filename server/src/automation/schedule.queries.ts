import { sql } from 'kysely'
import { HOUR, shift } from '#platform/clock.ts'
import type { Db, Row } from '#platform/db/db.ts'
import { isRunLost } from '#platform/jobs/schedules.ts'

export interface ScheduleRow extends Omit<Row<'schedules'>, 'paused_by'> {
  paused_by: string | null
  is_under_way: boolean
  error: string | null
  error_at: Date | null
}

export interface RunRow extends Omit<Row<'schedule_runs'>, 'worker_id' | 'beat_at' | 'result'> {
  worker_name: string | null
  result: unknown
}

// A run that waits longer than this was lost and must not block new ones.
const MAX_WAIT = HOUR

const isUnderWay = (now: Date) => sql<boolean>`exists (
  select from schedule_runs r where r.schedule = s.name and (
    (r.state = 'running' and not ${isRunLost})
    or (r.state = 'waiting' and r.due_at >= ${shift(now, -MAX_WAIT)})))`

/** All schedules by title, or the one with this name. */
export async function findSchedules(db: Db, now: Date, name?: string): Promise<ScheduleRow[]> {
  const { rows } = await sql<ScheduleRow>`
    select s.name, s.title, s.cron, s.zone, s.is_enabled, s.next_run_at, w.name as paused_by, s.paused_at,
      s.paused_reason, s.version, ${isUnderWay(now)} as is_under_way, f.error, f.ended_at as error_at
    from schedules s
    left join workers w on w.id = s.paused_by
    left join lateral (
      select error, ended_at from schedule_runs where schedule = s.name and state = 'failed' order by id desc limit 1
    ) f on true
    where ${name === undefined ? sql`true` : sql`s.name = ${name}`}
    order by s.title, s.name`.execute(db)
  return rows
}

/** The newest runs of every schedule, or of the one with this name. */
export async function findLatestRuns(db: Db, each: number, name?: string): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`
    select r.id, r.schedule, r.due_at, r.trigger, w.name as worker_name, r.started_at, r.ended_at, r.state, r.tries,
      r.error, r.result
    from schedules s
    cross join lateral (select * from schedule_runs where schedule = s.name order by id desc limit ${each}) r
    left join workers w on w.id = r.worker_id
    where ${name === undefined ? sql`true` : sql`s.name = ${name}`}
    order by r.id desc`.execute(db)
  return rows
}

/** Locks the schedule until the transaction ends, so a concurrent request sees the result of the first. */
export async function lockSchedule(db: Db, name: string, now: Date) {
  const { rows } = await sql<Pick<ScheduleRow, 'name' | 'title' | 'cron' | 'zone' | 'is_enabled' | 'version'>>`
    select s.name, s.title, s.cron, s.zone, s.is_enabled, s.version from schedules s where s.name = ${name} for update`.execute(
    db,
  )
  const [schedule] = rows
  if (!schedule) return undefined
  // A separate statement: one that waited for the lock would still see the old runs.
  const open = await sql<{ is_under_way: boolean }>`
    select ${isUnderWay(now)} as is_under_way from schedules s where s.name = ${name}`.execute(db)
  return { ...schedule, is_under_way: open.rows[0]?.is_under_way ?? false }
}
