import { CompiledQuery } from 'kysely'
import { PgBoss } from 'pg-boss'
import { HOUR, SECOND } from '../clock.ts'
import type { Db } from '../db/db.ts'
import { openPool } from '../db/pool.ts'
import { runWork } from '../db/work.ts'
import type { Services } from '../services.ts'
import { describeError } from '../telemetry/log.ts'
import { measured } from '../telemetry/telemetry.ts'
import { checkSchedules, claimDueSchedules, syncSchedules } from './due-schedules.ts'
import { keepAlive } from './lease.ts'
import { beatRun, beginRun, endRun, SCHEDULE_QUEUE, type Schedule } from './schedules.ts'

/** A queued job. It may run more than once, so it must be idempotent. Its data was validated when it was queued. */
export interface Job {
  name: string
  run(services: Services, data: Record<string, unknown>): Promise<unknown>
}

const HEARTBEAT = 10
const BEAT_EVERY = 5 * SECOND

/** Runs jobs and schedules on pg-boss. Our schedules table decides what is due, so that staff can see and pause it. */
export interface JobRunner {
  start(): Promise<void>
  /** Queues a job inside the caller's transaction. */
  send(
    db: Db,
    name: string,
    data: Record<string, unknown>,
    options?: { startAfter?: Date; key?: string },
  ): Promise<void>
  /** Queues due schedules now; the runner does so every second. */
  tick(): Promise<void>
  close(): Promise<void>
}

// Inside a transaction, pg-boss must use that transaction's connection.
const boundTo = (db: Db) => ({
  executeSql: async (text: string, values: unknown[] = []) => {
    const { rows } = await db.executeQuery(CompiledQuery.raw(text, values))
    // biome-ignore lint/suspicious/noExplicitAny: rows of pg-boss's own statements
    return { rows: rows as any[] }
  },
})

export function makeJobRunner(services: Services, jobs: readonly Job[], schedules: readonly Schedule[]): JobRunner {
  const { config, db, clock, log } = services
  checkSchedules(schedules, clock.now())
  const pool = openPool(config.pooled.url, {
    isPerTransaction: config.pooled.isPerTransaction,
    size: 4,
    prepares: false,
    onError: (error) => log.debug('connection for jobs lost', describeError(error)),
  })
  const boss = new PgBoss({
    db: { executeSql: (text, values) => (values?.length ? pool.query(text, values) : pool.query(text)) },
    schema: 'pgboss',
    schedule: false,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
  })
  boss.on('error', (error) => log.warn('jobs are waiting for the database', describeError(error)))
  const byName = new Map(schedules.map((schedule) => [schedule.name, schedule]))
  let timer: NodeJS.Timeout | undefined
  let ticking: Promise<void> | undefined

  // Tells open browsers to refetch. A failure here never fails the run.
  async function announceRun(runId: number, schedule?: string) {
    await runWork(services, { call: 'schedule' }, async ({ publish }) =>
      publish('automation', { runId, schedule }),
    ).catch((error) => log.warn('run was not announced', describeError(error)))
  }

  async function runSchedule(data: Record<string, unknown>) {
    const runId = Number(data.runId)
    const name = await beginRun(db, runId, clock.now())
    const schedule = name ? byName.get(name) : undefined
    await announceRun(runId, name)
    if (!schedule) return
    const beat = () => beatRun(db, runId)
    try {
      const result = await keepAlive(log, BEAT_EVERY, beat, () =>
        measured(services, 'job', schedule.name, () => schedule.run(services)),
      )
      await endRun(db, runId, { state: 'done', result: result ?? null }, clock.now())
    } catch (error) {
      const { reason } = describeError(error)
      log.error('schedule failed', { schedule: schedule.name, ...describeError(error) })
      await endRun(db, runId, { state: 'failed', error: String(reason ?? 'failed') }, clock.now())
    }
    await announceRun(runId, name)
  }

  async function tick() {
    await claimDueSchedules(services, (tx, runId) => send(tx, SCHEDULE_QUEUE, { runId }))
  }

  async function send(
    tx: Db,
    name: string,
    data: Record<string, unknown>,
    { startAfter, key }: { startAfter?: Date; key?: string } = {},
  ) {
    await boss.send(name, data, {
      db: boundTo(tx),
      ...(startAfter && { startAfter }),
      ...(key && { singletonKey: key }),
    })
  }

  return {
    async start() {
      await boss.start()
      await syncSchedules(db, schedules, clock.now())
      // Schedules in company time follow a change of its time zone.
      services.company.onChange(() => syncSchedules(db, schedules, clock.now()))
      const queues = [
        { name: SCHEDULE_QUEUE, run: runSchedule },
        ...jobs.map(({ name, run }) => ({
          name,
          run: (data: Record<string, unknown>) => measured(services, 'job', name, () => run(services, data)),
        })),
      ]
      for (const job of queues) {
        await boss.createQueue(job.name, {
          retryLimit: 5,
          retryBackoff: true,
          retryDelay: 1,
          expireInSeconds: (6 * HOUR) / SECOND,
          heartbeatSeconds: HEARTBEAT,
        })
        await boss.work<Record<string, unknown>>(
          job.name,
          { pollingIntervalSeconds: 1, batchSize: 1, localConcurrency: 2 },
          async ([item]) => {
            if (item) await job.run(item.data ?? {})
          },
        )
      }
      timer = setInterval(() => {
        ticking ??= tick()
          .catch((error) => log.warn('schedules are waiting for the database', describeError(error)))
          .finally(() => {
            ticking = undefined
          })
      }, SECOND)
      timer.unref()
    },
    send,
    tick,
    async close() {
      clearInterval(timer)
      await ticking
      await boss.stop({ graceful: true, timeout: 10_000 })
      await pool.end()
    },
  }
}
