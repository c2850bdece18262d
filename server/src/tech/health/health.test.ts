// @module-tag slow
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { checkHealth, readHealth } from '@limber/contract/tech/health/health.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { schedules } from '#app.ts'
import { makeRun, makeSchedule } from '#automation/schedule.factory.ts'
import { DAY, HOUR, MINUTE, SECOND, shift } from '#platform/clock.ts'
import { readProbes } from '#platform/telemetry/health.ts'
import { startTestServer, TEST_NOW, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeDelivery } from '../tech.factory.ts'
import { outsideProbes } from './outside.probes.ts'

let server: TestServer
let operator: TestCaller

beforeAll(async () => {
  server = await startTestServer()
  operator = server.as('health.view')
})
afterAll(() => server.stop())
beforeEach(async () => {
  server.clock.set(TEST_NOW)
  vi.spyOn(process, 'uptime').mockReturnValue((3 * DAY) / SECOND)
  for (const table of ['health_samples', 'health_states', 'rate_limits', 'schedules', 'outbox'] as const)
    await server.db.deleteFrom(table as 'outbox').execute()
})

const check = async (of: TestCaller = operator) => (await of.send(checkHealth, { body: {} })).body
const find = async (name: string) => (await check()).checks.find((one) => one.name === name)
const look = schedules.find(({ name }) => name === 'health')?.run

// On a busy machine a slow response is a legitimate warning.
const calm = (name: string, status: string) =>
  (name === 'app' || name === 'database') && status === 'warning' ? 'ok' : status

describe('POST /api/tech/health/check', () => {
  it('runs every probe and returns the results', async () => {
    const { checks, isStale } = await check()
    const said = checks.map(({ name, summary }) => `${name}: ${summary}`).join(' ')
    expect(
      checks.map(({ name, status }) => [name, calm(name, status)]),
      said,
    ).toEqual([
      ['app', 'ok'],
      ['queue', 'ok'],
      ['schedules', 'not_connected'],
      ['deliveries', 'ok'],
      ['database', 'ok'],
      ['replication', 'not_connected'],
      ['audit-chain', 'ok'],
      ['events', 'ok'],
      ['backups', 'not_connected'],
      ['tax-tables', 'ok'],
      ['payroll-start', 'ok'],
      ['scanner', 'not_connected'],
      ['ads', 'not_connected'],
      ['mail', 'not_connected'],
      ['texts', 'not_connected'],
      ['storage', 'ok'],
    ])
    expect(isStale).toBe(false)
    const database = checks.find(({ name }) => name === 'database')
    expect(database?.latency).toBeGreaterThan(0)
    expect(Object.fromEntries(database?.facts.map(({ label, value }) => [label, value]) ?? [])).toMatchObject({
      Size: expect.stringMatching(/ MB$/),
      Connections: expect.stringMatching(/^\d+ of \d+$/),
      'Largest tables': expect.stringContaining('KB'),
    })
    const mail = checks.find(({ name }) => name === 'mail')
    expect(mail).toMatchObject({ latency: null, summary: expect.stringContaining('No mail server is set up') })
    const storage = checks.find(({ name }) => name === 'storage')
    expect(storage?.facts.map(({ label }) => label)).toEqual(['Location', 'Free'])
  })

  it('writes and reads a test file', async () => {
    const files = outsideProbes.find(({ name }) => name === 'storage')
    for (let times = 0; times < 200; times++)
      expect((await files?.check(server.running.services))?.summary).not.toContain('could not')
  })

  it('is recorded in the audit log', async () => {
    await check()
    const row = await server.db
      .selectFrom('audit_log')
      .select(['worker_id', 'after'])
      .where('action', '=', 'health_checked')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ worker_id: (await operator.worker()).id, after: { storage: 'ok' } })
  })

  it('warns about overdue and failed work', async () => {
    const { db, running } = server
    const due = shift(server.clock.now(), -MINUTE)
    const name = await makeSchedule(db, { name: 'pay-day', nextRunAt: shift(server.clock.now(), HOUR) })
    await makeRun(db, { schedule: name, due_at: due, state: 'failed', error: 'No.' })
    await makeDelivery(db, running.services.keyring, {
      created_at: due,
      channel: 'ad',
      state: 'dead',
      last_error: 'No.',
    })
    expect(await find('schedules')).toMatchObject({
      status: 'warning',
      summary: '1 schedule failed on the last run.',
      facts: [
        { label: 'Active', value: '1' },
        { label: 'Failed', value: 'Title of pay-day' },
      ],
    })
    await makeDelivery(db, running.services.keyring, { created_at: due, channel: 'ad' })
    await makeDelivery(db, running.services.keyring, { created_at: due, channel: 'ad', tries: 2 })
    const given = await find('deliveries')
    expect(given).toMatchObject({ status: 'warning', summary: '1 delivery failed.' })
    // The same figures as in Integration events.
    expect(given?.facts.slice(0, 3)).toEqual([
      { label: 'Waiting', value: '1' },
      { label: 'Retrying', value: '1' },
      { label: 'Failed', value: '1' },
    ])
    await db.deleteFrom('outbox').where('state', '=', 'waiting').execute()
    await db
      .updateTable('schedules')
      .set({ next_run_at: shift(server.clock.now(), -HOUR) })
      .execute()
    expect(await find('schedules')).toMatchObject({
      status: 'down',
      summary: '1 schedule overdue. The scheduler is not running.',
    })
  })

  it('does not count waiting time from before the start of the process', async () => {
    const { db, running } = server
    const past = shift(server.clock.now(), -HOUR)
    await makeSchedule(db, { name: 'pay-day', nextRunAt: past })
    await makeDelivery(db, running.services.keyring, { created_at: past })
    await sql`insert into audit_log (at, call, action, outcome) values (${past}, 'x', 'left behind', 'done')`.execute(
      db,
    )
    const statuses = async () =>
      Object.fromEntries((await check()).checks.map(({ name, status }) => [name, status] as const))
    expect(await statuses()).toMatchObject({ schedules: 'down', deliveries: 'warning', 'audit-chain': 'warning' })
    vi.mocked(process.uptime).mockReturnValue(8)
    expect(await statuses()).toMatchObject({ schedules: 'ok', deliveries: 'ok', 'audit-chain': 'ok' })
  })

  it('keeps the start of the status, and the last error after recovery', async () => {
    const id = await makeDelivery(server.db, server.running.services.keyring, {
      created_at: server.clock.now(),
      state: 'dead',
    })
    const began = server.clock.now().toISOString()
    expect(await find('deliveries')).toMatchObject({ status: 'warning', since: began })
    server.clock.advance(5 * MINUTE)
    expect(await find('deliveries')).toMatchObject({ status: 'warning', since: began })
    await server.db.deleteFrom('outbox').where('id', '=', id).execute()
    server.clock.advance(5 * MINUTE)
    expect(await find('deliveries')).toMatchObject({
      status: 'ok',
      since: server.clock.now().toISOString(),
      lastError: { at: shift(server.clock.now(), -5 * MINUTE).toISOString(), text: '1 delivery failed.' },
    })
  })

  it('is rate limited and takes no body', async () => {
    expect((await operator.send(checkHealth, { body: { now: true } as never })).status).toBe(400)
    const replies = []
    for (let i = 0; i < 10; i++) replies.push((await operator.send(checkHealth, { body: {} })).status)
    expect(replies.at(-1)).toBe(429)
  })
})

describe('GET /api/tech/health', () => {
  it('is stale before the first check and when checks stop', async () => {
    expect((await operator.send(readHealth)).body).toEqual({ checks: [], checkedAt: null, isStale: true })
    await check()
    server.clock.advance(11 * MINUTE)
    expect((await operator.send(readHealth)).body.isStale).toBe(false)
    server.clock.advance(2 * MINUTE)
    expect((await operator.send(readHealth)).body.isStale).toBe(true)
  })

  it('shows the worst status of each 15-minute slot', async () => {
    const put = (ago: number, status: 'ok' | 'warning' | 'down') =>
      server.db
        .insertInto('health_samples')
        .values({ probe: 'database', at: shift(server.clock.now(), -ago), status, latency: 1 })
        .execute()
    await look?.(server.running.services)
    await put(25 * HOUR, 'down')
    await put(23.7 * HOUR, 'warning')
    await put(30 * MINUTE, 'ok')
    await put(25 * MINUTE, 'down')
    const { checks } = (await operator.send(readHealth)).body
    const strip = checks.find(({ name }) => name === 'database')?.history ?? []
    expect(strip).toHaveLength(96)
    expect([strip[0], strip.at(-3), strip.at(-2)]).toEqual(['warning', 'down', null])
    expect(strip.filter(Boolean)).toHaveLength(3)
  })

  it('is updated by a schedule that deletes samples after a day', async () => {
    expect(await look?.(server.running.services)).toMatchObject({ looked: 16, troubled: expect.any(String) })
    server.clock.advance(DAY + HOUR)
    await look?.(server.running.services)
    const { length } = await server.db.selectFrom('health_samples').select('at').execute()
    expect(length).toBe(16)
  })
})

describe('probe', () => {
  it('that hangs times out without blocking others, and one that throws is down without leaking secrets', async () => {
    const readings = await readProbes(
      [
        { name: 'hangs', title: 'Hangs', timeout: 200, check: () => new Promise(() => {}) },
        { name: 'quick', title: 'Quick', check: async () => ({ status: 'ok', summary: 'Fine.' }) },
        {
          name: 'throws',
          title: 'Throws',
          check: () => {
            throw new Error('no route to smtp://desk:hunter2@mail.example.com')
          },
        },
      ],
      server.running.services,
    )
    expect(readings).toMatchObject([
      { name: 'hangs', status: 'down', summary: 'No response within 0.2 seconds.' },
      { name: 'quick', status: 'ok' },
      { name: 'throws', status: 'down', summary: 'no route to smtp://•••@mail.example.com' },
    ])
  })
})

describe('configured mail server', () => {
  it('is down when it refuses the connection', async () => {
    const other = await startTestServer({ env: { SMTP_URL: 'smtp://desk:hunter2@127.0.0.1:9' } })
    const { checks } = await check(other.as('health.view'))
    await other.stop()
    const mail = checks.find(({ name }) => name === 'mail')
    expect(mail).toMatchObject({ status: 'down', summary: expect.stringContaining('ECONNREFUSED') })
    expect(JSON.stringify(checks)).not.toContain('hunter2')
  })

  it('is down when it accepts the connection but never greets', async () => {
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => void sockets.add(socket))
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
    const { port } = silent.address() as AddressInfo
    const mail = outsideProbes.filter(({ name }) => name === 'mail').map((probe) => ({ ...probe, timeout: 300 }))
    const { services } = server.running
    const settings = { ...services.company.current(), mail: { server: `smtp://127.0.0.1:${port}`, label: 'silent' } }
    const company = { ...services.company, current: () => settings }
    const readings = await readProbes(mail, { ...services, company })
    for (const socket of sockets) socket.destroy()
    await new Promise((done) => silent.close(done))
    expect(readings).toMatchObject([{ status: 'down', summary: 'No response within 0.3 seconds.' }])
  })
})
