import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../clock.ts'
import { runWork } from '../db/work.ts'
import { LIVE_CHANNEL } from '../live/notify.ts'
import { eventually, startTestServer, type TestServer } from '../testing/testing.ts'
import { checkSchedules, claimDueSchedules, nextRuns, syncSchedules } from './due-schedules.ts'
import { makeJobRunner } from './jobs.ts'
import { beginRun, endRun, insertRun, type Schedule } from './schedules.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const schedule = (name: string, run: Schedule['run'] = async () => null): Schedule => ({
  name,
  title: name,
  cron: '0 * * * *',
  zone: 'UTC',
  run,
})
const now = () => server.clock.now()

describe('schedules', () => {
  it('rejects an invalid cron expression and names the schedule', () => {
    expect(() => checkSchedules([{ ...schedule('odd'), cron: '61 * * * *' }], now())).toThrow(
      'The schedule odd is invalid',
    )
    expect(() => checkSchedules([schedule('same'), schedule('same')], now())).toThrow('Two schedules are named same')
  })
  it('follows the time zone across a clock change', () => {
    const times = nextRuns('30 1 * * *', 'America/Los_Angeles', new Date('2026-10-31T00:00:00Z'), 3).map((at) =>
      at.toISOString(),
    )
    expect(times).toEqual(['2026-10-31T08:30:00.000Z', '2026-11-01T08:30:00.000Z', '2026-11-02T09:30:00.000Z'])
  })
  it('creates one run of a due schedule when many processes check at once', async () => {
    await syncSchedules(server.db, [schedule('hourly')], now())
    await sql`update schedules set next_run_at = ${now()} where name = 'hourly'`.execute(server.db)
    const queued: number[] = []
    await Promise.all(
      Array.from({ length: 10 }, () =>
        claimDueSchedules({ db: server.db, clock: server.clock }, async (_, id) => void queued.push(id)),
      ),
    )
    expect(queued).toHaveLength(1)
  })
  it('skips a paused schedule and keeps the pause across a restart', async () => {
    await syncSchedules(server.db, [schedule('hourly')], now())
    await sql`update schedules set is_enabled = false, paused_reason = 'stock taking', next_run_at = ${now()} where name = 'hourly'`.execute(
      server.db,
    )
    await syncSchedules(server.db, [{ ...schedule('hourly'), title: 'New title' }], now())
    const queued: number[] = []
    await claimDueSchedules({ db: server.db, clock: server.clock }, async (_, id) => void queued.push(id))
    expect(queued).toEqual([])
    expect(await server.db.selectFrom('schedules').select(['title', 'is_enabled', 'paused_reason']).execute()).toEqual([
      { title: 'New title', is_enabled: false, paused_reason: 'stock taking' },
    ])
  })
  it('prevents overlapping runs and replaces a run whose process died', async () => {
    await syncSchedules(server.db, [schedule('hourly')], now())
    const first = await insertRun(server.db, 'hourly', now(), 'worker')
    const second = await insertRun(server.db, 'hourly', now(), 'worker')
    expect(await beginRun(server.db, first, now())).toBe('hourly')
    expect(await beginRun(server.db, second, now())).toBeUndefined()
    expect(
      await server.db
        .selectFrom('schedule_runs')
        .select(['state', 'error'])
        .where('id', '=', second)
        .executeTakeFirst(),
    ).toEqual({ state: 'refused', error: 'The previous run was still in progress.' })
    expect(await beginRun(server.db, first, now())).toBe('hourly')
    // A process whose clock is ahead does not consider it lost.
    server.clock.advance(130_000)
    const early = await insertRun(server.db, 'hourly', now(), 'worker')
    expect(await beginRun(server.db, early, now())).toBe(undefined)
    await sql`update schedule_runs set beat_at = clock_timestamp() - interval '61 seconds' where id = ${first}`.execute(
      server.db,
    )
    const third = await insertRun(server.db, 'hourly', now(), 'worker')
    expect(await beginRun(server.db, third, now())).toBe('hourly')
    expect(
      await server.db.selectFrom('schedule_runs').select(['state', 'error']).where('id', '=', first).executeTakeFirst(),
    ).toEqual({ state: 'failed', error: 'The process that ran it stopped unexpectedly.' })
    await endRun(server.db, third, { state: 'done' }, now())
  })
})

describe('the job runner', () => {
  it('runs a due schedule once with two processes, stores its result, and runs jobs of committed transactions', async () => {
    const ran: string[] = []
    const tables = [
      schedule('nightly', async () => {
        ran.push('nightly')
        return { tidied: 3 }
      }),
    ]
    const work = [
      { name: 'greet', run: async (_: unknown, data: Record<string, unknown>) => void ran.push(`greet ${data.who}`) },
    ]
    const services = { ...server.running.services, clock: systemClock }
    const runners = [makeJobRunner(services, work, tables), makeJobRunner(services, work, tables)]
    const heard: unknown[] = []
    const listener = new pg.Client({ connectionString: services.config.databaseUrl })
    await listener.connect()
    listener.on('notification', ({ payload = '' }) => heard.push(JSON.parse(payload)))
    await listener.query(`listen ${LIVE_CHANNEL}`)
    for (const runner of runners) await runner.start()
    await sql`update schedules set next_run_at = now() where name = 'nightly'`.execute(server.db)
    await server.db.transaction().execute((tx) => runners[0]?.send(tx, 'greet', { who: 'Robin' }) ?? Promise.resolve())
    await server.db
      .transaction()
      .execute(async (tx) => {
        await runners[0]?.send(tx, 'greet', { who: 'nobody' })
        throw new Error('rolled back')
      })
      .catch(() => {})
    await Promise.all(runners.map((runner) => runner.tick()))
    const run = await eventually(() =>
      server.db
        .selectFrom('schedule_runs')
        .select(['state', 'result', 'tries'])
        .where('schedule', '=', 'nightly')
        .where('state', '=', 'done')
        .executeTakeFirst(),
    )
    expect(run).toEqual({ state: 'done', result: { tidied: 3 }, tries: 1 })
    await eventually(async () => ran.includes('greet Robin'))
    expect(ran.toSorted()).toEqual(['greet Robin', 'nightly'])
    // Once at the start, once at the end.
    const announced = { topic: 'automation', schedule: 'nightly', runId: expect.any(Number) }
    await eventually(async () => heard.length === 2)
    expect(heard).toEqual([announced, announced])
    await listener.end()
    await Promise.all(runners.map((runner) => runner.close()))
  })
})

describe('the outbox channel for jobs', () => {
  it('queues jobs that were enqueued inside a transaction', async () => {
    const other = await startTestServer({ withJobs: true })
    await runWork(other.running.services, { call: 'test' }, async ({ enqueue }) => {
      enqueue({ channel: 'job', key: 'tidy-once', payload: { name: 'schedule', data: { runId: 0 } } })
    })
    await eventually(
      async () => (await other.db.selectFrom('outbox').select('state').executeTakeFirst())?.state === 'sent',
    )
    await other.stop()
  })
})
