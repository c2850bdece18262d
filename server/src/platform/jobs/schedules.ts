import { companyZone } from '@limber/contract/kit/company.ts'
import { CronExpressionParser } from 'cron-parser'
import { MINUTE } from '../clock.ts'
import { type Db, inTransaction, sqlState } from '../db/db.ts'
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

const readCron = (cron: string, zone: string, after: Date) =>
  CronExpressionParser.parse(cron, { currentDate: after, tz: zone })

export const nextRun = (cron: string, zone: string, after: Date): Date => readCron(cron, zone, after).next().toDate()

export const nextRuns = (cron: string, zone: string, after: Date, count: number): Date[] =>
  readCron(cron, zone, after)
    .take(count)
    .map((at) => at.toDate())

/** The name of a schedule's time zone. */
const zoneOf = (zone: string) => (zone === 'company' ? companyZone() : zone)

/** Throws at start when a schedule is invalid. */
export function checkSchedules(schedules: readonly Schedule[], now: Date) {
  const names = new Set<string>()
  for (const { name, cron, zone } of schedules) {
    if (names.has(name)) throw new Error(`Two schedules are named ${name}`)
    names.add(name)
    try {
      readCron(cron, zoneOf(zone), now)
    } catch (error) {
      throw new Error(
        `The schedule ${name} is invalid: "${cron}" in ${zone} (${error instanceof Error ? error.message : error})`,
      )
    }
  }
}

/** Syncs the table with the code. A pause and its reason survive a release. */
export async function syncSchedules(db: Db, schedules: readonly Schedule[], now: Date) {
  for (const { name, title, cron, zone: given } of schedules) {
    const zone = zoneOf(given)
    const next_run_at = nextRun(cron, zone, now)
    await db
      .insertInto('schedules')
      .values({ name, title, cron, zone, next_run_at, paused_by: null, paused_at: null, paused_reason: null })
      .onConflict((clash) =>
        clash
          .column('name')
          .doUpdateSet({ title, cron, zone, next_run_at })
          .where((row) =>
            row.or([
              row('schedules.cron', '!=', cron),
              row('schedules.zone', '!=', zone),
              row('schedules.title', '!=', title),
            ]),
          ),
      )
      .execute()
  }
  if (schedules.length > 0) {
    const known = schedules.map((schedule) => schedule.name)
    await db.deleteFrom('schedules').where('name', 'not in', known).execute()
  }
}

/** Creates one run per due schedule, in whichever process claims it first. */
export async function claimDueSchedules(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  queue: (tx: Db, runId: number) => Promise<void>,
) {
  const now = clock.now()
  const due = await db
    .selectFrom('schedules')
    .select(['name', 'cron', 'zone', 'next_run_at'])
    .where('is_enabled', '=', true)
    .where('next_run_at', '<=', now)
    .execute()
  for (const schedule of due) {
    await inTransaction(db, async (tx) => {
      const claimed = await tx
        .updateTable('schedules')
        .set({ next_run_at: nextRun(schedule.cron, schedule.zone, now) })
        .where('name', '=', schedule.name)
        .where('next_run_at', '<=', now)
        .where('is_enabled', '=', true)
        .returning('name')
        .executeTakeFirst()
      if (!claimed) return
      await queue(tx, await insertRun(tx, schedule.name, schedule.next_run_at, 'schedule'))
    })
  }
}

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
