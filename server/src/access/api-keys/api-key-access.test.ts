// @module-tag slow
import { listApiKeys, readOwnApiKey } from '@limber/contract/access/api-keys/api-key.ts'
import { type ApiScope, apiScopes } from '@limber/contract/access/api-keys/scopes.ts'
import { listWorkers } from '@limber/contract/access/workers/worker.ts'
import { ingestEvents } from '@limber/contract/analytics/events/event.ts'
import { calls } from '@limber/contract/calls.ts'
import { type CallDefinition, defineCall } from '@limber/contract/kit/call.ts'
import { readApiPage, readOpenApi } from '@limber/contract/kit/meta.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { draftInput } from '#analytics/events/event.factory.ts'
import { allRoutes } from '#app.ts'
import { DAY, MINUTE, shift } from '#platform/clock.ts'
import { openDb } from '#platform/db/db.ts'
import { openPool } from '#platform/db/pool.ts'
import { serve } from '#platform/http/routes.ts'
import { makeLog } from '#platform/telemetry/log.ts'
import { variants } from '#platform/testing/testing.rounds.ts'
import { eventually, startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { watchWrites } from '#platform/testing/testing.writes.ts'
import { makeApiKey } from './api-key.factory.ts'

/** A write by a program, as later calls of `/api/v1` will be. */
const writeThing = defineCall({
  method: 'POST',
  path: '/api/v1/things',
  summary: 'Writes',
  permission: 'api-key',
  scope: 'leads:write',
  body: z.strictObject({ name: z.string() }),
  reply: z.object({ source: z.string(), count: z.int() }),
})

let count = 0
const routes = [
  ...allRoutes(openDb(openPool('postgres://localhost/none'))).routes,
  serve(writeThing, async ({ body, apiKey, audit }) => {
    audit({ action: 'thing_written', subject: 'lead', subjectId: body.name })
    count += 1
    return { source: apiKey.source, count }
  }),
]

const KEY = 'ingest-key-0123456789-abcdefghijklmnopqrstuvwxyz'
const lines: string[] = []
let server: TestServer
beforeAll(async () => {
  const log = makeLog('warn', { write: (line: string) => void lines.push(line) })
  server = await startTestServer({ routes, log, env: { EVENT_INGEST_KEY: KEY } })
})
beforeEach(() => sql`delete from rate_limits`.execute(server.db))
afterAll(() => server.stop())

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const me = (headers: Record<string, string>) => server.anonymous().send(readOwnApiKey, {}, { headers })
const write = (headers: Record<string, string>, name = 'one') =>
  server.anonymous().send(writeThing, { body: { name } }, { headers: { origin: undefined, ...headers } })
const auditedFor = (action: string) =>
  server.db
    .selectFrom('audit_log')
    .select(['worker_id', 'worker_name', 'call', 'outcome', 'reason'])
    .where('action', '=', action)
    .orderBy('id')
    .execute()

describe('a request with an API key', () => {
  it('says who it is, without a cookie, a CSRF token or an Origin', async () => {
    const made = await makeApiKey(server.db, {
      name: 'App',
      scopes: ['customers:read'],
      networks: ['127.0.0.0/8', '::1'],
    })
    expect((await me(bearer(made.token))).body).toEqual({
      id: made.publicId,
      name: 'App',
      source: 'app',
      scopes: ['customers:read'],
      networks: ['127.0.0.0/8', '::1/128'],
      expires_at: null,
      limits: { requests_per_minute: 600 },
    })
    for (const scheme of ['bearer', 'BEARER'])
      expect((await me({ authorization: `${scheme} ${made.token}` })).status).toBe(200)
  })
  it('is not a session, and a session is not a key', async () => {
    const { token } = await makeApiKey(server.db)
    const worker = await server.signIn(['access.manage'])
    const cookie = { cookie: `sid=${worker.token}` }
    expect((await me(cookie)).failure).toMatchObject({ code: 'no_api_key' })
    expect((await write({ ...cookie, 'x-csrf-token': worker.csrf })).status).toBe(401)
    expect((await server.anonymous().send(listWorkers, {}, { headers: bearer(token) })).status).toBe(401)
  })
  it('ignores a cookie that is sent along', async () => {
    const { token, name } = await makeApiKey(server.db)
    const worker = await server.signIn(['access.manage'])
    const cookie = { cookie: `sid=${worker.token}`, 'x-csrf-token': worker.csrf }
    expect((await write({ ...cookie, ...bearer(token) }, 'with-cookie')).status).toBe(200)
    const rows = await auditedFor('thing_written')
    expect(rows.at(-1)).toMatchObject({ worker_id: null, worker_name: `API key ${name}` })
    // A cookie of nobody changes nothing either.
    expect((await me({ cookie: 'sid=none', ...bearer(token) })).status).toBe(200)
  })
  it('names the key in the audit log', async () => {
    const { token } = await makeApiKey(server.db, { name: 'Nightly import' })
    await write(bearer(token), 'audited')
    const row = (await auditedFor('thing_written')).at(-1)
    expect(row).toMatchObject({ worker_id: null, worker_name: 'API key Nightly import', call: 'POST /api/v1/things' })
  })
})

describe('a request without a working key', () => {
  it('is refused with 401 and the scheme that is asked for', async () => {
    const { token, publicId } = await makeApiKey(server.db)
    const other = await makeApiKey(server.db)
    const wrongSecret = `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`
    const foreignSecret = `lmb_${publicId}_${other.token.split('_')[2]}`
    const tries: [string | undefined, string][] = [
      [undefined, 'no_api_key'],
      ['', 'no_api_key'],
      ['Bearer', 'no_api_key'],
      [`Basic ${token}`, 'no_api_key'],
      [`Bearer ${token} x`, 'no_api_key'],
      ['Bearer lmb_nobody00_x', 'bad_api_key'],
      [`Bearer ${wrongSecret}`, 'bad_api_key'],
      [`Bearer ${foreignSecret}`, 'bad_api_key'],
      [`Bearer lmb_${publicId}_`, 'bad_api_key'],
      [`Bearer ${token.toUpperCase()}`, 'bad_api_key'],
      [`Bearer lmb_00000000_${token.split('_')[2]}`, 'bad_api_key'],
    ]
    for (const [authorization, code] of tries) {
      const reply = await server.anonymous().send(readOwnApiKey, {}, { headers: { authorization } })
      expect([authorization, reply.status, reply.failure.code]).toEqual([authorization, 401, code])
      expect(reply.headers.get('www-authenticate')).toBe('Bearer')
    }
  })
  it('is refused when the key is expired, from the first moment after its last day', async () => {
    const { token } = await makeApiKey(server.db, { expiresAt: shift(server.clock.now(), DAY) })
    server.clock.advance(DAY - 1)
    expect((await me(bearer(token))).status).toBe(200)
    server.clock.advance(1)
    expect(await me(bearer(token))).toMatchObject({ status: 401, failure: { code: 'key_expired' } })
    server.clock.advance(-DAY)
  })
  it('changes nothing, and is told apart only by who knows the secret', async () => {
    const { token, publicId } = await makeApiKey(server.db, { expiresAt: shift(server.clock.now(), -DAY) })
    const guess = `lmb_${publicId}_${'x'.repeat(40)}`
    expect((await me(bearer(guess))).failure).toMatchObject({ code: 'bad_api_key' })
    expect((await me(bearer(token))).failure).toMatchObject({ code: 'key_expired' })
    const writes = await watchWrites(server.db)
    for (const each of [guess, token]) await write(bearer(each))
    expect((await writes.written()).filter((each) => !each.startsWith('event'))).toEqual([])
  })
})

describe('networks', () => {
  it('let a key in from its own addresses only, and say so in the audit log once an hour', async () => {
    const { token, id } = await makeApiKey(server.db, { name: 'Office', networks: ['203.0.113.0/24', '2001:db8::/32'] })
    for (let tries = 0; tries < 3; tries += 1)
      expect(await me(bearer(token))).toMatchObject({ status: 403, failure: { code: 'network' } })
    const rows = await auditedFor('network')
    expect(rows).toMatchObject([{ worker_name: 'API key Office', call: 'GET /api/v1/me', outcome: 'refused' }])
    server.clock.advance(61 * MINUTE)
    await me(bearer(token))
    expect(await auditedFor('network')).toHaveLength(2)
    server.clock.advance(-61 * MINUTE)
    // Requests from elsewhere are not counted against the limit.
    const { rows: counted } = await sql`select 1 from rate_limits where key = ${`api-key ${id}`}`.execute(server.db)
    expect(counted).toEqual([])
    await server.db
      .updateTable('api_keys')
      .set({ networks: ['127.0.0.0/8', '::1/128'] })
      .where('id', '=', id)
      .execute()
    expect((await me(bearer(token))).status).toBe(200)
  })
  it('count what the proxy says, not what the caller says', async () => {
    const { token } = await makeApiKey(server.db, { networks: ['203.0.113.0/24'] })
    expect((await me({ ...bearer(token), 'x-forwarded-for': '203.0.113.9' })).status).toBe(403)
  })
})

describe('the limit', () => {
  it('is the key’s own, says what is left, and answers 429 with the time to wait', async () => {
    const slow = await makeApiKey(server.db, { requestsPerMinute: 2 })
    const other = await makeApiKey(server.db)
    const head = (headers: Headers) =>
      ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`)))
    const [first, second, third] = [
      await me(bearer(slow.token)),
      await me(bearer(slow.token)),
      await me(bearer(slow.token)),
    ]
    expect([first.status, ...head(first.headers)]).toEqual([200, 2, 1, expect.any(Number)])
    expect([second.status, ...head(second.headers)]).toEqual([200, 2, 0, expect.any(Number)])
    expect([third.status, ...head(third.headers)]).toEqual([429, 2, 0, expect.any(Number)])
    const wait = Number(third.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    expect((await me(bearer(other.token))).status).toBe(200)
    server.clock.advance(wait * 1000)
    expect((await me(bearer(slow.token))).status).toBe(200)
    server.clock.advance(-wait * 1000)
  })
  it('is counted together by all processes', async () => {
    const { token } = await makeApiKey(server.db, { requestsPerMinute: 1 })
    const database = { url: server.running.services.config.databaseUrl, drop: async () => {} }
    const other = await startTestServer({ database })
    try {
      expect((await me(bearer(token))).status).toBe(200)
      const reply = await other.anonymous().send(readOwnApiKey, {}, { headers: bearer(token) })
      expect(reply.status).toBe(429)
    } finally {
      await other.stop()
    }
  })
})

describe('an idempotency key', () => {
  it('belongs to the API key: repeated it answers the same, of another it is another', async () => {
    const [one, two] = [await makeApiKey(server.db), await makeApiKey(server.db, { source: 'site' })]
    const headers = { 'idempotency-key': 'nightly-run-2026-11-16' }
    const first = await write({ ...bearer(one.token), ...headers })
    const again = await write({ ...bearer(one.token), ...headers })
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replay')).toBe('true')
    expect((await write({ ...bearer(two.token), ...headers })).body.source).toBe('site')
    expect((await write({ ...bearer(one.token), ...headers }, 'another')).status).toBe(422)
    // A worker with the number of the key has nothing to do with it.
    const { rows } = await sql`select worker_id, api_key_id from idempotency_keys order by api_key_id`.execute(
      server.db,
    )
    expect(rows).toEqual([one, two].map(({ id }) => ({ worker_id: null, api_key_id: id })))
  })
  it('lets one of many equal requests work', async () => {
    const { token } = await makeApiKey(server.db)
    const headers = { ...bearer(token), 'idempotency-key': 'all-at-once-0001' }
    const replies = await Promise.all(Array.from({ length: 8 }, () => write(headers)))
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(new Set(replies.map(({ body }) => body.count)).size).toBe(1)
  })
})

describe('scopes', () => {
  const guarded: CallDefinition[] = [...calls, writeThing].filter(({ permission }) => permission === 'api-key')
  it('stand at every call of /api/v1 but the first', () => {
    const v1 = calls.filter(({ path }) => path.startsWith('/api/v1/'))
    expect(v1.filter(({ permission }) => permission !== 'api-key')).toEqual([])
    expect(v1.filter(({ scope }) => !scope).map(({ path }) => path)).toEqual(['/api/v1/me'])
    expect(guarded.length).toBeGreaterThan(5)
  })
  const tokens = new Map<ApiScope, Promise<string>>()
  const tokenWith = (scope: ApiScope) => {
    const known =
      tokens.get(scope) ??
      makeApiKey(server.db, { scopes: [scope], requestsPerMinute: 60_000 }).then(({ token }) => token)
    tokens.set(scope, known)
    return known
  }
  it.each(guarded.map((call, turn) => [`${call.method} ${call.path}`, call, turn] as const))(
    '%s is open to its own scope only',
    async (_name, call, turn) => {
      const params = Object.fromEntries([...call.path.matchAll(/:(\w+)/g)].map(([, name]) => [name ?? '', '999999']))
      const isRead = call.method === 'GET'
      const own = apiScopes.filter((scope) => call.scope === undefined || call.scope === scope)
      const others = apiScopes.filter((scope) => !own.includes(scope))
      for (const scope of [...own, ...variants(others, 6, turn)]) {
        const headers = {
          ...bearer(await tokenWith(scope)),
          ...(!isRead && { 'content-type': 'application/json' }),
          origin: undefined,
        }
        // The scope is checked before the body is read.
        const reply = await server
          .anonymous()
          .send(call, { params }, { headers, ...(!isRead && { rawBody: '{"garbage":"canary"}' }) })
        if (own.includes(scope)) expect([401, 403, 429], scope).not.toContain(reply.status)
        else expect([scope, reply.status, reply.failure.code]).toEqual([scope, 403, 'scope'])
      }
    },
  )
  it('that are missing are named, and stand in the audit log', async () => {
    const { token } = await makeApiKey(server.db, { name: 'Reader', scopes: ['leads:read'] })
    const reply = await write(bearer(token))
    expect(reply.failure).toMatchObject({
      code: 'scope',
      error: 'This API key does not have the scope leads:write.',
    })
    const rows = await auditedFor('scope')
    expect(rows.at(-1)).toMatchObject({ worker_name: 'API key Reader', outcome: 'refused' })
  })
})

describe('what variables opened', () => {
  const body = { events: [draftInput()] }
  const deliver = (headers: Record<string, string>) => server.anonymous().send(ingestEvents, { body }, { headers })
  it('opens to a key with the scope, and still to the variable', async () => {
    const { token } = await makeApiKey(server.db, { scopes: ['events:write'] })
    expect((await deliver(bearer(token))).status).toBe(200)
    expect((await deliver({ 'x-ingest-key': KEY })).status).toBe(200)
    expect((await deliver({ 'x-ingest-key': `${KEY}x` })).failure).toMatchObject({ code: 'wrong_key' })
    // An API key that came along decides.
    expect((await deliver({ 'x-ingest-key': KEY, ...bearer(`${token}x`) })).status).toBe(401)
  })
  it('is said in the log, and counted', async () => {
    expect(lines.filter((line) => line.includes('EVENT_INGEST_KEY is deprecated'))).toHaveLength(1)
    expect(lines.join('')).not.toContain(KEY)
    await deliver({ 'x-ingest-key': KEY })
    const owner = server.asOwner()
    const [used] = await eventually(async () => {
      const { deprecated } = (await owner.send(listApiKeys)).body
      return (deprecated[0]?.callsToday ?? 0) > 0 && deprecated
    })
    expect(used).toMatchObject({ variable: 'EVENT_INGEST_KEY', scope: 'events:write' })
  })
})

describe('the description of the interface', () => {
  it.each([readOpenApi, readApiPage])('is open to a key or a session: $path', async (call) => {
    const { token } = await makeApiKey(server.db, { scopes: ['zones:read'] })
    const read = (headers: Record<string, string>) => server.anonymous().send(call, {}, { headers })
    expect((await read(bearer(token))).status).toBe(200)
    expect((await server.as().send(call)).status).toBe(200)
    expect((await read({})).status).toBe(401)
    expect((await read(bearer(`${token}x`))).status).toBe(401)
  })
  it('names the bearer scheme and the scope of a call', async () => {
    const { token } = await makeApiKey(server.db)
    const reply = await server.anonymous().send(readOpenApi, {}, { headers: bearer(token) })
    expect(reply.body).toMatchObject({
      paths: {
        '/api/v1/me': { get: { security: [{ bearer: [] }] } },
        '/api/analytics/events': {
          post: { security: [{ bearer: [] }, { 'x-ingest-key': [] }], 'x-scope': 'events:write' },
        },
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    })
  })
})
