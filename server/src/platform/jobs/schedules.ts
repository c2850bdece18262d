import { MINUTE } from '../clock.ts'
import { type Db, sqlState } from '../db/db.ts'
import type { OutboxMessage } from '../db/work.ts'
import type { Services } from '../services.ts'
import { alive, isLost } from './lease.ts'

/** A job that runs on a schedule. */
export interface Schedule {
  name: string
  /** Shown in the list of schedules. */
  title: string
  cron: string
  /** Time zone of the cron expression: a name, or `company` for the company's. */
  zone: string
  /** The result is stored with the run. */
  run(services: Services): Promise<unknown>
}

const UNIQUE_VIOLATION = '23505'
export const isRunLost = isLost(1 * MINUTE)

/** The queue of scheduled runs. */
export const SCHEDULE_QUEUE = 'schedule'

export async function insertRun(
  db: Db,
  schedule: string,
  dueAt: Date,
  trigger: 'schedule' | 'worker',
  workerId?: number,
): Promise<number> {
  const row = await db
    .insertInto('schedule_runs')
    .values({ schedule, due_at: dueAt, trigger, worker_id: workerId ?? null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Queues a run when its transaction commits. */
export const runMessage = (runId: number, title: string): OutboxMessage => ({
  channel: 'job',
  key: `schedule-run-${runId}`,
  payload: { name: SCHEDULE_QUEUE, data: { runId } },
  about: `Run now: ${title}`,
})

/** Starts a run and returns its schedule. Undefined when the run has ended or another one is in progress. */
export async function beginRun(db: Db, runId: number, now: Date): Promise<string | undefined> {
  const run = await db
    .selectFrom('schedule_runs')
    .select(['schedule', 'state'])
    .where('id', '=', runId)
    .executeTakeFirst()
  if (!run || (run.state !== 'waiting' && run.state !== 'running')) return undefined
  await db
    .updateTable('schedule_runs')
    .set({ state: 'failed', ended_at: now, error: 'The process that ran it stopped unexpectedly.' })
    .where('schedule', '=', run.schedule)
    .where('state', '=', 'running')
    .where('id', '!=', runId)
    .where(isRunLost)
    .execute()
  try {
    await db
      .updateTable('schedule_runs')
      .set((row) => ({ state: 'running', started_at: now, ...alive, tries: row('tries', '+', 1) }))
      .where('id', '=', runId)
      .execute()
    return run.schedule
  } catch (error) {
    if (sqlState(error) !== UNIQUE_VIOLATION) throw error
    await endRun(db, runId, { state: 'refused', error: 'The previous run was still in progress.' }, now)
    return undefined
  }
}

export const beatRun = (db: Db, runId: number) =>
  db.updateTable('schedule_runs').set(alive).where('id', '=', runId).execute()

export async function endRun(
  db: Db,
  runId: number,
  outcome: { state: 'done' | 'failed' | 'refused'; result?: unknown; error?: string },
  now: Date,
) {
  await db
    .updateTable('schedule_runs')
    .set({
      state: outcome.state,
      ended_at: now,
      error: outcome.error ?? null,
      result: outcome.result === undefined ? null : JSON.stringify(outcome.result),
    })
    .where('id', '=', runId)
    .execute()
}
