import {
  listSchedules,
  pauseSchedule,
  readSchedule,
  resumeSchedule,
  runSchedule,
} from '@limber/contract/automation/schedule.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE, SECOND, shift, systemClock } from '#platform/clock.ts'
import { claimDueSchedules, syncSchedules } from '#platform/jobs/due-schedules.ts'
import { eventually, startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { automationSchedules } from './automation.jobs.ts'
import { makeRun, makeSchedule } from './schedule.factory.ts'

let server: TestServer
let operator: TestCaller
let serial = 0

beforeAll(async () => {
  server = await startTestServer()
  operator = server.as('automation.manage')
})
afterAll(() => server.stop())

const now = () => server.clock.now()
const NEXT = '2026-11-17T14:00:00.000Z'
const make = (more: { cron?: string } = {}) =>
  makeSchedule(server.db, { name: `pay-day-${++serial}`, nextRunAt: new Date(NEXT), ...more })
const because = { reason: 'The bank is closed' }
const auditOf = (name: string) =>
  server.db
    .selectFrom('audit_log')
    .select(['worker_id', 'action', 'outcome', 'reason', 'before', 'after'])
    .where('subject', '=', 'schedule')
    .where('subject_id', '=', name)
    .orderBy('id')
    .execute()

describe('GET /api/maintenance/schedules', () => {
  it('lists schedules with their next and last runs', async () => {
    const name = await make()
    const failed = shift(now(), -2 * MINUTE)
    await makeRun(server.db, {
      schedule: name,
      due_at: failed,
      ended_at: failed,
      state: 'failed',
      error: 'The bank did not answer.',
    })
    const id = await makeRun(server.db, {
      schedule: name,
      due_at: shift(now(), -MINUTE),
      ended_at: shift(now(), -MINUTE + 1_250),
      result: { paid: 3 },
    })
    const { status, body } = await operator.send(listSchedules)
    expect(status).toBe(200)
    expect(body.find((one) => one.name === name)).toEqual({
      name,
      enabled: true,
      nextRun: NEXT,
      title: `Title of ${name}`,
      cron: '0 6 * * *',
      words: 'Every day at 6:00 AM',
      zone: 'America/Los_Angeles',
      lastRun: {
        id,
        dueAt: '2026-11-16T16:59:00.000Z',
        trigger: 'schedule',
        by: null,
        startedAt: '2026-11-16T16:59:00.000Z',
        endedAt: '2026-11-16T16:59:01.250Z',
        state: 'done',
        duration: 1_250,
        tries: 0,
        error: null,
        result: { paid: 3 },
      },
      lastError: { at: failed.toISOString(), text: 'The bank did not answer.' },
      isUnderWay: false,
      pausedBy: null,
      pausedAt: null,
      pausedReason: null,
      version: 1,
    })
  })
})

describe('GET /api/maintenance/schedules/:name', () => {
  it('shows the last 20 runs and the next 3', async () => {
    const name = await make()
    for (let minute = 25; minute > 0; minute--)
      await makeRun(server.db, { schedule: name, due_at: shift(now(), -minute * MINUTE) })
    const { body } = await operator.send(readSchedule, { params: { name } })
    expect(body.runs).toHaveLength(20)
    expect(body.runs[0]?.dueAt).toBe('2026-11-16T16:59:00.000Z')
    expect(body.lastRun).toEqual(body.runs[0])
    expect(body.nextRuns).toEqual([NEXT, '2026-11-18T14:00:00.000Z', '2026-11-19T14:00:00.000Z'])
  })
  it('returns 404 for an unknown schedule', async () => {
    expect(await operator.send(readSchedule, { params: { name: 'nothing' } })).toMatchObject({
      status: 404,
      failure: { code: 'not_found', error: 'This schedule does not exist.' },
    })
  })
})

describe('POST /api/maintenance/schedules/:name/run', () => {
  it('queues one run for the worker', async () => {
    const name = await make()
    const who = server.asOwner({ name: 'Robin Vale' })
    const { status, body } = await who.send(runSchedule, { params: { name }, body: {} })
    expect(status).toBe(200)
    expect(body).toMatchObject({ isUnderWay: true, lastRun: { state: 'waiting', trigger: 'worker', by: 'Robin Vale' } })
    const key = `schedule-run-${body.lastRun?.id}`
    expect(await server.db.selectFrom('outbox').select(['channel', 'about']).where('key', '=', key).execute()).toEqual([
      { channel: 'job', about: `Run now: Title of ${name}` },
    ])
    expect(await auditOf(name)).toMatchObject([{ worker_id: (await who.worker()).id, action: 'schedule_run' }])
    expect(await who.send(runSchedule, { params: { name }, body: {} })).toMatchObject({
      status: 409,
      failure: { code: 'under_way' },
    })
  })
  it('creates one run for ten concurrent requests', async () => {
    const name = await make()
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => operator.send(runSchedule, { params: { name }, body: {} })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
    const runs = await server.db.selectFrom('schedule_runs').select('id').where('schedule', '=', name).execute()
    expect(runs).toHaveLength(1)
  })
  it('rejects a run while another is in progress, until its process is lost', async () => {
    const name = await make()
    await makeRun(server.db, {
      schedule: name,
      due_at: now(),
      beat_at: systemClock.now(),
      ended_at: null,
      state: 'running',
    })
    expect((await operator.send(runSchedule, { params: { name }, body: {} })).status).toBe(409)
    await server.db
      .updateTable('schedule_runs')
      .set({ beat_at: shift(systemClock.now(), -61 * SECOND) })
      .where('schedule', '=', name)
      .execute()
    expect((await operator.send(runSchedule, { params: { name }, body: {} })).status).toBe(200)
  })
  it('runs a paused schedule', async () => {
    const name = await make()
    await operator.send(pauseSchedule, { params: { name }, body: because })
    expect((await operator.send(runSchedule, { params: { name }, body: {} })).body).toMatchObject({
      enabled: false,
      lastRun: { state: 'waiting' },
    })
  })
})

describe('POST /api/maintenance/schedules/:name/pause and /resume', () => {
  it('records who paused it and why, and resumes at the next scheduled time', async () => {
    const name = await make()
    const who = server.asOwner({ name: 'Robin Vale' })
    const paused = await who.send(pauseSchedule, { params: { name }, body: { ...because, version: 1 } })
    expect(paused.body).toMatchObject({
      enabled: false,
      nextRun: null,
      nextRuns: [],
      pausedBy: 'Robin Vale',
      pausedAt: now().toISOString(),
      pausedReason: 'The bank is closed',
      version: 2,
    })
    await server.db
      .updateTable('schedules')
      .set({ next_run_at: shift(now(), -MINUTE) })
      .where('name', '=', name)
      .execute()
    const resumed = await who.send(resumeSchedule, { params: { name }, body: { reason: 'It is open', version: 2 } })
    expect(resumed.body).toMatchObject({
      enabled: true,
      nextRun: NEXT,
      pausedBy: null,
      pausedAt: null,
      pausedReason: null,
      version: 3,
    })
    expect(await auditOf(name)).toMatchObject([
      { action: 'schedule_paused', reason: 'The bank is closed', before: { enabled: true }, after: { enabled: false } },
      { action: 'schedule_resumed', reason: 'It is open', before: { enabled: false }, after: { enabled: true } },
    ])
  })
  it('rejects a stale version, a second pause, and a resume of an active schedule', async () => {
    const name = await make()
    expect(await operator.send(resumeSchedule, { params: { name }, body: because })).toMatchObject({
      status: 409,
      failure: { code: 'not_paused' },
    })
    await operator.send(pauseSchedule, { params: { name }, body: because })
    expect(await operator.send(pauseSchedule, { params: { name }, body: { ...because, version: 1 } })).toMatchObject({
      status: 409,
      failure: { code: 'stale', current: { name, enabled: false, version: 2 } },
    })
    expect(await operator.send(resumeSchedule, { params: { name }, body: { ...because, version: 1 } })).toMatchObject({
      status: 409,
      failure: { code: 'stale' },
    })
    expect(await operator.send(pauseSchedule, { params: { name }, body: because })).toMatchObject({
      status: 409,
      failure: { code: 'paused' },
    })
  })
  it('stays paused after a restart with a new cron expression', async () => {
    const name = await make()
    await operator.send(pauseSchedule, { params: { name }, body: because })
    const others = await server.db.selectFrom('schedules').select(['name', 'title', 'cron', 'zone']).execute()
    const run = async () => null
    const listed = others.map((one) => ({ ...one, run, ...(one.name === name && { cron: '*/5 * * * *' }) }))
    await syncSchedules(server.db, listed, now())
    await server.db.updateTable('schedules').set({ next_run_at: now() }).where('name', '=', name).execute()
    const queued: number[] = []
    await claimDueSchedules(server, async (_, id) => void queued.push(id))
    expect(queued).toEqual([])
    expect((await operator.send(readSchedule, { params: { name } })).body).toMatchObject({
      enabled: false,
      words: 'Every 5 minutes',
      pausedReason: 'The bank is closed',
      runs: [],
    })
  })
})

describe('requests', () => {
  it.each([
    ['no reason', {}],
    ['an empty reason', { reason: '   ' }],
    ['a reason that is too long', { reason: 'x'.repeat(301) }],
    ['a reason with control characters', { reason: 'bell \u0007' }],
    ['a reason that is not text', { reason: 7 }],
    ['a wrong version', { ...because, version: 'one' }],
    ['an unknown key', { ...because, enabled: false }],
  ])('are rejected with %s', async (_, body) => {
    const name = await make()
    for (const call of [pauseSchedule, resumeSchedule])
      expect((await operator.send(call, { params: { name } }, { rawBody: JSON.stringify(body) })).status).toBe(400)
    expect((await operator.send(readSchedule, { params: { name } })).body).toMatchObject({ enabled: true, version: 1 })
  })
  it('are rejected with an invalid name', async () => {
    for (const name of ['UPPER', "x'; drop table schedules", '../workers', 'x'.repeat(65)])
      expect((await operator.send(readSchedule, { params: { name } })).status).toBe(400)
    expect((await operator.send(runSchedule, { params: { name: 'no-such' }, body: {} })).status).toBe(404)
  })
  it('need the permission automation.manage', async () => {
    const name = await make()
    const others = server.as('health.view', 'access.manage', 'backups.initiate')
    for (const call of [readSchedule, runSchedule, pauseSchedule, resumeSchedule])
      for (const at of [name, 'no-such']) {
        const input = { params: { name: at }, ...(call.method === 'POST' && { body: because }) }
        expect((await others.send(call, input)).status).toBe(403)
        expect((await server.anonymous().send(call, input)).status).toBe(401)
      }
    expect((await others.send(listSchedules)).status).toBe(403)
    expect((await server.anonymous().send(listSchedules)).status).toBe(401)
  })
})

describe('old runs', () => {
  it('are deleted after 90 days, except the last 20', async () => {
    const name = await make()
    for (let day = 130; day > 85; day--)
      await makeRun(server.db, { schedule: name, due_at: shift(now(), -day * 24 * 60 * MINUTE) })
    const rare = await make()
    await makeRun(server.db, { schedule: rare, due_at: shift(now(), -200 * 24 * 60 * MINUTE) })
    expect(await automationSchedules[0]?.run(server.running.services)).toEqual({ deleted: 25 })
    for (const [schedule, kept] of [
      [name, 20],
      [rare, 1],
    ] as const)
      expect(
        await server.db.selectFrom('schedule_runs').select('id').where('schedule', '=', schedule).execute(),
      ).toHaveLength(kept)
  })
})

describe('run started by a worker', () => {
  it('finishes, and can be started again', async () => {
    const other = await startTestServer({ withJobs: true })
    const who = other.as('automation.manage')
    const params = { name: 'tidy' }
    for (const done of [1, 2]) {
      expect((await who.send(runSchedule, { params, body: {} })).status).toBe(200)
      const { runs } = await eventually(async () => {
        const { body } = await who.send(readSchedule, { params })
        return !body.isUnderWay && body
      })
      expect(runs.map(({ state }) => state)).toEqual(Array.from({ length: done }, () => 'done'))
    }
    await other.stop()
  })
})
