import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkSession } from '@limber/contract/access/sessions/session.ts'
import { createSavedReply, listSavedReplies } from '@limber/contract/support/saved-replies/saved-reply.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeDelivery } from '#tech/tech.factory.ts'
import { root } from '../paths.ts'
import { copyTemplate, eventually, startTestServer, type TestServer } from '../testing/testing.ts'
import { makeLog } from './log.ts'
import { prettyLog } from './pretty-log.ts'

const KEY = 'metrics-key-0123456789-abcdef'
const lines: string[] = []
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    env: { METRICS_KEY: KEY, BACKUP_KEY: 'backup-key-0123456789-abcdefghijklmnop' },
    log: makeLog('debug', { write: (line) => lines.push(line) }),
    withJobs: true,
  })
})
afterAll(() => server.stop())

async function scrape(url = server.url, headers: Record<string, string> = { authorization: `Bearer ${KEY}` }) {
  const reply = await fetch(`${url}/metrics`, { headers })
  return { status: reply.status, type: reply.headers.get('content-type'), text: await reply.text() }
}
const readMetric = (text: string, name: string) => {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}

describe('GET /metrics', () => {
  it('is closed without the key', async () => {
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: KEY }])
      expect((await scrape(server.url, headers)).status).toBe(401)
    expect((await scrape()).type).toContain('text/plain')
  })

  it('counts requests by call and status', async () => {
    const owner = server.asOwner({ isSteppedUp: true })
    for (let i = 0; i < 3; i++) await owner.send(listSavedReplies)
    await owner.send(createSavedReply, { body: { name: 'x', content: '' } })
    const { text } = await scrape()
    const get = `GET ${listSavedReplies.path}`
    expect(readMetric(text, `limber_requests_total{call="${get}",status="200"}`)).toBe(3)
    expect(readMetric(text, `limber_requests_total{call="POST ${createSavedReply.path}",status="400"}`)).toBe(1)
    expect(readMetric(text, `limber_request_seconds_count{call="${get}"}`)).toBe(3)
    expect(readMetric(text, 'limber_pool_wait_seconds_count')).toBeGreaterThan(3)
  })

  it('never shows the path of a request, which may contain a token', async () => {
    await fetch(`${server.url}/api/unsubscribe/canary-2207?token=canary-2207`)
    await fetch(`${server.url}/nowhere/canary-2207`)
    expect((await scrape()).text).not.toContain('canary')
    expect(lines.join('')).not.toContain('canary')
  })

  it('shows what waits in the outbox and for how long', async () => {
    await makeDelivery(server.db, server.running.services.keyring, {
      channel: 'job',
      state: 'dead',
      created_at: server.clock.now(),
    })
    await sql`insert into outbox (channel, key, payload, next_try_at, created_at, leased_until)
      select 'job', 'waits-' || n, '\\x00', ${server.clock.now()}::timestamptz - interval '90 seconds', now(), now() + interval '1 hour'
      from generate_series(1, 4) n`.execute(server.db)
    await eventually(async () => readMetric((await scrape()).text, 'limber_outbox_due{channel="job"}') === 4, 8_000)
    const { text } = await scrape()
    expect(readMetric(text, 'limber_outbox_oldest_seconds{channel="job"}')).toBe(90)
    expect(readMetric(text, 'limber_outbox_failed{channel="job"}')).toBe(1)
    await sql`delete from outbox`.execute(server.db)
  })

  it('answers without the gauges when the database hangs', async () => {
    const blocker = await server.running.services.pool.connect()
    await blocker.query('begin; lock table outbox in access exclusive mode')
    await eventually(async () => {
      const { status, text } = await scrape()
      return status === 200 && readMetric(text, 'limber_gauges_read{gauges="outbox"}') === 0
    }, 10_000)
    await blocker.query('rollback')
    blocker.release()
  })

  it('has every metric that the dashboard and the alerts name', async () => {
    const files = await Promise.all(
      ['alerts.yml', 'grafana/limber.json'].map((name) => readFile(join(root, 'docs', name), 'utf8')),
    )
    const named = new Set(files.join('\n').match(/\b(limber|nodejs|process)_[a-z_]+[a-z]\b/g))
    expect(named.size).toBeGreaterThan(20)
    await eventually(async () => readMetric((await scrape()).text, 'limber_gauges_read{gauges="outbox"}') === 1, 8_000)
    const { text } = await scrape()
    const shown = new Set(
      [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
      ),
    )
    expect([...named].filter((name) => !shown.has(name))).toEqual([])
  })
})

describe('METRICS_PORT', () => {
  let own: TestServer
  afterEach(() => own?.stop())
  it('opens a port of its own, and the calls have no /metrics', async () => {
    own = await startTestServer({ env: { METRICS_PORT: '0' } })
    const port = own.running.metricsPort
    expect(await scrape(`http://127.0.0.1:${port}`, {})).toMatchObject({ status: 200 })
    expect((await scrape(own.url, {})).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${port}/api/users`)).status).toBe(404)
  })
  it('shows how far the replica for reports is behind', async () => {
    const database = await copyTemplate()
    own = await startTestServer({ database, env: { METRICS_PORT: '0', DATABASE_REPLICA_URL: database.url } })
    const { text } = await scrape(`http://127.0.0.1:${own.running.metricsPort}`, {})
    expect(text).toMatch(/^limber_reports_replica_lag_seconds \d/m)
  })
  it('is off without a setting', async () => {
    own = await startTestServer()
    expect(own.running.services.telemetry).toBeUndefined()
    expect((await scrape(own.url, {})).status).toBe(404)
  })
})

describe('the log of requests', () => {
  it('has one line per request, without what was in it', async () => {
    lines.length = 0
    const caller = server.as('users.overview')
    const { id } = await caller.worker()
    const { headers } = await caller.send(checkSession)
    await eventually(() => Promise.resolve(lines.length > 0))
    expect(lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        requestId: headers.get('x-request-id'),
        call: `GET ${checkSession.path}`,
        status: 200,
        ms: expect.any(Number),
        workerId: id,
        msg: 'request',
      },
    ])
  })
  it('is readable in a terminal', () => {
    const shown: string[] = []
    const log = makeLog('info', prettyLog({ write: (line) => shown.push(line), loss: () => undefined }))
    log.warn('call failed', { call: 'GET /x', status: 503, stack: 'at a | at b' })
    expect(shown.join('')).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} warn {2}call failed {2}call="GET \/x" {2}status=503\n {4}at a\n {4}at b\n$/,
    )
  })
})
