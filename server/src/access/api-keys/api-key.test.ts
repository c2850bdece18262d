import {
  createApiKey,
  listApiKeys,
  MAX_API_KEYS,
  readApiKeyUsage,
  readOwnApiKey,
  revokeApiKey,
  rotateApiKey,
  updateApiKey,
} from '@limber/contract/access/api-keys/api-key.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { HOUR, MINUTE } from '#platform/clock.ts'
import { hashToken } from '#platform/security/secrets.ts'
import { eventually, startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeApiKey } from './api-key.factory.ts'

let server: TestServer
let boss: TestCaller
beforeAll(async () => {
  server = await startTestServer()
  boss = server.asOwner({ name: 'Olga Owner', isSteppedUp: true })
})
beforeEach(async () => {
  await sql`truncate api_keys, api_key_secrets, api_key_usage, deprecated_key_usage, rate_limits cascade`.execute(
    server.db,
  )
})
afterAll(() => server.stop())

const draft = {
  name: 'Customer app',
  source: 'app',
  scopes: ['events:write', 'customers:read', 'customers:read'] as ('events:write' | 'customers:read')[],
}
const id = (key: { id: number }) => ({ params: { id: String(key.id) } })
const me = (token: string) =>
  server.anonymous().send(readOwnApiKey, {}, { headers: { authorization: `Bearer ${token}` } })
const auditOf = (key: { id: number }) =>
  server.db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .where('subject', '=', 'api_key')
    .where('subject_id', '=', String(key.id))
    .orderBy('id')
    .execute()

describe('POST /api/access/api-keys', () => {
  it('shows the key once and stores a hash of its secret', async () => {
    const { status, body } = await boss.send(createApiKey, { body: draft })
    expect(status).toBe(200)
    expect(body.token).toMatch(/^lmb_[0-9A-Za-z]{8}_[0-9A-Za-z]{40}$/)
    expect(body.key).toMatchObject({
      name: 'Customer app',
      source: 'app',
      scopes: ['customers:read', 'events:write'],
      networks: [],
      requestsPerMinute: 600,
      expiresOn: null,
      createdBy: 'Olga Owner',
      lastUsedAt: null,
      rotation: null,
      version: 1,
    })
    const [, publicId, secret = ''] = body.token.split('_')
    expect(publicId).toBe(body.key.publicId)
    const stored = await server.db.selectFrom('api_key_secrets').select('hash').executeTakeFirstOrThrow()
    expect(stored.hash.equals(hashToken(secret))).toBe(true)
    const { rows } = await sql<{ all: string }>`
      select (select string_agg(k::text, '') from api_keys k) || (select string_agg(s::text, '') from api_key_secrets s)
        || (select string_agg(a::text, '') from audit_log a) as all`.execute(server.db)
    expect(rows[0]?.all).toContain(publicId)
    expect(rows[0]?.all).not.toContain(secret)
    expect((await boss.send(listApiKeys)).text).not.toContain(secret)
    const after = { ...draft, scopes: body.key.scopes, publicId, expiresOn: null, networks: [], requestsPerMinute: 600 }
    expect(await auditOf(body.key)).toEqual([{ action: 'api_key_created', before: null, after }])
  })
  it('never keeps the reply under an idempotency key', async () => {
    const headers = { 'idempotency-key': 'create-a-key-once' }
    await boss.send(createApiKey, { body: draft }, { headers })
    const { rows } = await sql`select 1 from idempotency_keys where key = 'create-a-key-once'`.execute(server.db)
    expect(rows).toEqual([])
  })
  it('asks for the permission and a fresh passkey', async () => {
    expect((await server.asSteppedUp('health.view').send(createApiKey, { body: draft })).status).toBe(403)
    const stale = await server.as('access.manage').send(createApiKey, { body: draft })
    expect(stale).toMatchObject({ status: 403, failure: { code: 'step_up_required' } })
  })
  it('takes a last day in company time, networks and a limit', async () => {
    const more = { expiresOn: '2027-06-30', networks: ['203.0.113.7/24', '2001:db8::1'], requestsPerMinute: 50 }
    const { body } = await boss.send(createApiKey, { body: { ...draft, ...more } })
    expect(body.key).toMatchObject({
      expiresOn: '2027-06-30',
      expiresAt: '2027-07-01T07:00:00.000Z',
      networks: ['203.0.113.0/24', '2001:db8::1/128'],
      requestsPerMinute: 50,
    })
  })
  it.each([
    ['a last day that is over', { expiresOn: '2026-11-15' }, 422],
    ['no scope', { scopes: [] }, 400],
    ['an unknown scope', { scopes: ['workers:write'] }, 400],
    ['a source with spaces', { source: 'My app' }, 400],
    ['a source that ends in a hyphen', { source: 'app-' }, 400],
    ['a network that is none', { networks: ['203.0.113.0/33'] }, 400],
    ['a name instead of a network', { networks: ['example.com'] }, 400],
    ['a limit of none', { requestsPerMinute: 0 }, 400],
    ['a name of two lines', { name: 'a\nb' }, 400],
    ['a secret of the caller', { secret: 'x' }, 400],
  ])('refuses %s', async (_, wrong, status) => {
    expect((await boss.send(createApiKey, { body: { ...draft, ...wrong } as never })).status).toBe(status)
    expect(await server.db.selectFrom('api_keys').select('id').execute()).toEqual([])
  })
  it('refuses a taken name in any case, also at the same moment, until its key is revoked', async () => {
    const both = await Promise.all([1, 2, 3].map(() => boss.send(createApiKey, { body: draft })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const key = await server.db.selectFrom('api_keys').select('id').executeTakeFirstOrThrow()
    const again = { body: { ...draft, name: 'CUSTOMER APP' } }
    expect((await boss.send(createApiKey, again)).failure).toMatchObject({ code: 'name_taken' })
    await boss.send(revokeApiKey, { ...id(key), body: {} })
    expect((await boss.send(createApiKey, again)).status).toBe(200)
  })
  it(`refuses more than ${MAX_API_KEYS}`, async () => {
    await sql`insert into api_keys (public_id, name, source, scopes, requests_per_minute, created_at)
      select n::text, 'Key ' || n, 'app', '{}', 600, now() from generate_series(1, ${MAX_API_KEYS}) n`.execute(
      server.db,
    )
    expect((await boss.send(createApiKey, { body: draft })).failure).toMatchObject({ code: 'too_many' })
  })
})

describe('GET /api/access/api-keys', () => {
  it('lists keys by name, revoked ones last and for 30 days', async () => {
    for (const name of ['warehouse', 'App', 'Old site']) await makeApiKey(server.db, { name })
    const old = (await boss.send(listApiKeys)).body.keys.find(({ name }) => name === 'Old site')
    if (!old) throw new Error('not listed')
    await boss.send(revokeApiKey, { ...id(old), body: {} })
    const names = async () => (await boss.send(listApiKeys)).body.keys.map(({ name }) => name)
    expect(await names()).toEqual(['App', 'warehouse', 'Old site'])
    await sql`update api_keys set revoked_at = revoked_at - interval '31 days' where id = ${old.id}`.execute(server.db)
    expect(await names()).toEqual(['App', 'warehouse'])
  })
  it('is closed to others', async () => {
    expect((await server.as('health.view').send(listApiKeys)).status).toBe(403)
  })
})

describe('PATCH /api/access/api-keys/:id', () => {
  it('changes what is sent, for the next request of the key', async () => {
    const made = await makeApiKey(server.db, { scopes: ['leads:read'], requestsPerMinute: 5 })
    const { body } = await boss.send(updateApiKey, {
      ...id(made),
      body: { name: 'Renamed', scopes: ['zones:read', 'leads:write'], requestsPerMinute: 7, version: 1 },
    })
    expect(body.key).toMatchObject({ name: 'Renamed', scopes: ['zones:read', 'leads:write'], version: 2 })
    expect((await me(made.token)).body).toMatchObject({
      name: 'Renamed',
      scopes: ['zones:read', 'leads:write'],
      limits: { requests_per_minute: 7 },
    })
    const [row] = await auditOf(made)
    expect(row).toMatchObject({
      action: 'api_key_changed',
      before: { scopes: ['leads:read'], requestsPerMinute: 5 },
      after: { scopes: ['zones:read', 'leads:write'], requestsPerMinute: 7 },
    })
  })
  it('clears the last day with null, and leaves it when it is not sent', async () => {
    const made = await makeApiKey(server.db, { expiresAt: new Date('2027-01-01T08:00:00Z') })
    const kept = await boss.send(updateApiKey, { ...id(made), body: { name: 'Kept', version: 1 } })
    expect(kept.body.key.expiresOn).toBe('2026-12-31')
    const cleared = await boss.send(updateApiKey, { ...id(made), body: { expiresOn: null, version: 2 } })
    expect(cleared.body.key.expiresOn).toBeNull()
  })
  it('refuses an older version with the key as it is, a past day, a revoked key and an unknown one', async () => {
    const made = await makeApiKey(server.db)
    const stale = await boss.send(updateApiKey, { ...id(made), body: { name: 'Mine', version: 0 } })
    expect(stale).toMatchObject({ status: 409, failure: { code: 'stale', current: { name: made.name, version: 1 } } })
    const past = await boss.send(updateApiKey, { ...id(made), body: { expiresOn: '2026-01-01', version: 1 } })
    expect(past).toMatchObject({ status: 422, failure: { code: 'expired' } })
    await boss.send(revokeApiKey, { ...id(made), body: {} })
    const late = await boss.send(updateApiKey, { ...id(made), body: { name: 'Late', version: 2 } })
    expect(late.failure).toMatchObject({ code: 'revoked' })
    const none = await boss.send(updateApiKey, { params: { id: '999999' }, body: { version: 1 } })
    expect(none.status).toBe(404)
  })
})

describe('POST /api/access/api-keys/:id/rotate', () => {
  it('gives a second secret; the first works until the overlap is over', async () => {
    const made = await makeApiKey(server.db)
    const { body } = await boss.send(rotateApiKey, { ...id(made), body: { overlapHours: 24 } })
    expect(body.token).not.toBe(made.token)
    expect(body.token.split('_')[1]).toBe(made.publicId)
    expect(body.key.rotation).toMatchObject({ by: 'Olga Owner' })
    expect([(await me(made.token)).status, (await me(body.token)).status]).toEqual([200, 200])
    server.clock.advance(24 * HOUR - 1)
    expect((await me(made.token)).status).toBe(200)
    server.clock.advance(1)
    expect([(await me(made.token)).status, (await me(body.token)).status]).toEqual([401, 200])
    server.clock.advance(-24 * HOUR)
  })
  it('ends the old secrets at once without an overlap, however many there are', async () => {
    const made = await makeApiKey(server.db)
    const second = (await boss.send(rotateApiKey, { ...id(made), body: { overlapHours: 168 } })).body.token
    const third = (await boss.send(rotateApiKey, { ...id(made), body: { overlapHours: 1 } })).body.token
    expect([(await me(made.token)).status, (await me(second)).status]).toEqual([200, 200])
    const last = (await boss.send(rotateApiKey, { ...id(made), body: { overlapHours: 0 } })).body.token
    for (const token of [made.token, second, third]) expect((await me(token)).status).toBe(401)
    expect((await me(last)).status).toBe(200)
  })
  it('lets a secret keep an earlier end that it already has', async () => {
    const made = await makeApiKey(server.db)
    await boss.send(rotateApiKey, { ...id(made), body: { overlapHours: 1 } })
    await boss.send(rotateApiKey, { ...id(made), body: { overlapHours: 100 } })
    server.clock.advance(1 * HOUR)
    expect((await me(made.token)).status).toBe(401)
    server.clock.advance(-1 * HOUR)
  })
  it('leaves one current secret when two people rotate at once', async () => {
    const made = await makeApiKey(server.db)
    const both = await Promise.all(
      [1, 2].map(() => boss.send(rotateApiKey, { ...id(made), body: { overlapHours: 0 } })),
    )
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    const works = await Promise.all(both.map(async ({ body }) => (await me(body.token)).status))
    expect(works.toSorted()).toEqual([200, 401])
  })
  it.each([-1, 169, 1.5])('refuses an overlap of %d hours', async (overlapHours) => {
    const made = await makeApiKey(server.db)
    expect((await boss.send(rotateApiKey, { ...id(made), body: { overlapHours } })).status).toBe(400)
  })
})

describe('POST /api/access/api-keys/:id/revoke', () => {
  it('refuses the next request of the key, in every process', async () => {
    const made = await makeApiKey(server.db)
    const other = await startTestServer({
      database: { url: server.running.services.config.databaseUrl, drop: async () => {} },
    })
    const there = () =>
      other.anonymous().send(readOwnApiKey, {}, { headers: { authorization: `Bearer ${made.token}` } })
    try {
      expect([(await me(made.token)).status, (await there()).status]).toEqual([200, 200])
      const { body } = await boss.send(revokeApiKey, { ...id(made), body: {} })
      expect(body.key).toMatchObject({ revokedBy: 'Olga Owner', version: 2 })
      for (const reply of [await me(made.token), await there()])
        expect(reply).toMatchObject({ status: 401, failure: { code: 'key_revoked' } })
    } finally {
      await other.stop()
    }
    expect((await boss.send(revokeApiKey, { ...id(made), body: {} })).failure).toMatchObject({ code: 'revoked' })
    expect(await auditOf(made)).toMatchObject([{ action: 'api_key_revoked' }])
  })
})

describe('GET /api/access/api-keys/:id/usage', () => {
  it('counts calls and errors by day, and the busiest minute of today', async () => {
    const made = await makeApiKey(server.db, { requestsPerMinute: 3 })
    for (let calls = 0; calls < 4; calls += 1) await me(made.token)
    server.clock.advance(MINUTE)
    await me(made.token)
    const listed = await eventually(async () => {
      const { keys } = (await boss.send(listApiKeys)).body
      return keys.find(({ calls }) => calls === 5)
    })
    expect(listed).toMatchObject({ errors: 1, lastUsedAt: server.clock.now().toISOString() })
    expect(listed.lastUsedAddress).toMatch(/^(127\.0\.0\.1|::1)$/)
    const { body } = await boss.send(readApiKeyUsage, id(made))
    expect(body.days).toHaveLength(30)
    expect(body.days.at(-1)).toEqual({ day: '2026-11-16', calls: 5, errors: 1 })
    expect(body.peakToday).toBe(4)
  })
  it('says that an unknown key does not exist', async () => {
    expect((await boss.send(readApiKeyUsage, { params: { id: '999999' } })).status).toBe(404)
  })
})
