import { calls } from '@limber/contract/calls.ts'
import { MAX_BATCH_BYTES } from '@limber/contract/kit/batch.ts'
import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { customerCalls } from '@limber/contract/support/sync/customer-sync.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { watchWrites } from '#platform/testing/testing.writes.ts'
import { makeApiKey } from './api-key.factory.ts'
import { asProgram } from './program.testing.ts'

// What programs may send wrong, at every batch and list of the API. Keys, networks and scopes: api-key-access.test.ts.

let server: TestServer
let app: Awaited<ReturnType<typeof asProgram>>
let writes: Awaited<ReturnType<typeof watchWrites>>
beforeAll(async () => {
  server = await startTestServer()
  app = await asProgram(server)
  writes = await watchWrites(server.db)
})
afterAll(() => server.stop())

const batches = calls.filter(({ path }) => path.startsWith('/api/v1/') && path.endsWith('/batch'))
const lists = calls.filter(
  ({ method, path, query }) =>
    method === 'GET' &&
    /^\/api\/v1\/[a-z/]+$/.test(path) &&
    query instanceof z.ZodObject &&
    'updated_since' in query.shape,
)
const named = (all: readonly CallDefinition[]) => all.map((call) => [`${call.method} ${call.path}`, call] as const)

/** Everything that was written but the log of calls and what counts them. */
const changes = async () =>
  (await writes.written()).filter((each) => !/^(api_key|rate_limit|event|idempotency)/.test(each))

const sendRaw = (call: CallDefinition, rawBody: string | Buffer, type = 'application/json') =>
  app.send(call, {}, { rawBody, headers: { 'content-type': type } })

const item = '{"external_id":"x-1"}'
const bodies: [string, string | Buffer][] = [
  ['malformed JSON', '{"items":['],
  ['no body', ''],
  ['an array', `[${item}]`],
  ['a text', '"items"'],
  ['a number', '7'],
  ['null', 'null'],
  ['no items', '{}'],
  ['items that are an object', `{"items":${item}}`],
  ['an empty list', '{"items":[]}'],
  ['1,001 items', `{"items":[${Array(1001).fill(item).join()}]}`],
  ['an extra key', `{"items":[${item}],"source":"crm"}`],
  ['a repeated key', `{"items":[${item}],"items":[${item}]}`],
  ['a key repeated by an escape', `{"items":[${item}],"\\u0069tems":[${item}]}`],
  ['a repeated key in an item', '{"items":[{"external_id":"x-1","external_id":"x-2"}]}'],
  ['__proto__', '{"items":[{"external_id":"x-1","__proto__":{"isAdmin":true}}]}'],
  ['constructor', '{"items":[{"external_id":"x-1","constructor":{"prototype":{}}}]}'],
  ['depth 1,000', `{"items":[{"external_id":"x-1","deep":${'['.repeat(1000)}${']'.repeat(1000)}}]}`],
  ['1e400', '{"items":[{"external_id":"x-1","delta":1e400}]}'],
  ['2^53+1', '{"items":[{"external_id":"x-1","delta":9007199254740993}]}'],
  ['NaN', '{"items":[{"external_id":"x-1","delta":NaN}]}'],
  ['NUL', '{"items":[{"external_id":"x\\u0000"}]}'],
  ['half a character', '{"items":[{"external_id":"\\ud800"}]}'],
  [
    'bytes that are not UTF-8',
    Buffer.from([...Buffer.from('{"items":[{"external_id":"'), 0xff, ...Buffer.from('"}]}')]),
  ],
]

/** Items that are rejected alone, whatever the resource. */
const items: [string, unknown][] = [
  ['a text', 'x-1'],
  ['null', null],
  ['a list', []],
  ['no external id', {}],
  ['an external id that is a number', { external_id: 17 }],
  ['an empty external id', { external_id: '' }],
  ['an external id of blanks', { external_id: '   ' }],
  ['an external id of two lines', { external_id: 'x\n1' }],
  ['an external id of 201 characters', { external_id: 'x'.repeat(201) }],
  ['a field that does not exist', { external_id: 'x-1', is_admin: true }],
  ['a version without a zone', { external_id: 'x-1', updated_at: '2026-11-16T09:00:00' }],
  ['a version that is a day', { external_id: 'x-1', updated_at: '2026-11-16' }],
  ['a version that is a number', { external_id: 'x-1', updated_at: 1_794_000_000 }],
  ['a version on a day that does not exist', { external_id: 'x-1', updated_at: '2026-02-30T09:00:00Z' }],
  ['a version at 24:00', { external_id: 'x-1', updated_at: '2026-11-16T24:00:00Z' }],
  ['a version in a leap second', { external_id: 'x-1', updated_at: '2026-12-31T23:59:60Z' }],
  ['a version in the year 10000', { external_id: 'x-1', updated_at: '+010000-01-01T00:00:00Z' }],
]

it('looks at every batch and list', () => {
  expect(batches.length).toBeGreaterThanOrEqual(11)
  expect(lists.length).toBeGreaterThanOrEqual(11)
})

describe.each(named(batches))('%s', (_, call) => {
  it.each(bodies)('refuses %s', async (_name, rawBody) => {
    await writes.clear()
    const reply = await sendRaw(call, rawBody)
    expect(reply.status, reply.text).toBe(400)
    expect(reply.failure.error.length).toBeGreaterThan(5)
    expect(await changes()).toEqual([])
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })
  it('refuses one byte above 5 MB', async () => {
    await writes.clear()
    const start = '{"items":[{"external_id":"'
    const reply = await sendRaw(call, `${start.padEnd(MAX_BATCH_BYTES - 3, 'x')}"}]}`)
    expect(reply.status).toBe(413)
    expect(await changes()).toEqual([])
  })
  it.each(['text/plain', 'application/x-www-form-urlencoded', 'text/csv', 'application/json garbage'])(
    'refuses the media type %s',
    async (type) => expect((await sendRaw(call, `{"items":[${item}]}`, type)).status).toBe(415),
  )
  it('rejects items one by one', async () => {
    await writes.clear()
    const reply = await sendRaw(call, JSON.stringify({ items: items.map(([, each]) => each) }))
    expect(reply.status, reply.text).toBe(200)
    const { results, rejected } = reply.body as { results: { status: string; errors?: unknown[] }[]; rejected: number }
    expect(results.map(({ status }, at) => `${items[at]?.[0]}: ${status}`)).toEqual(
      items.map(([name]) => `${name}: rejected`),
    )
    expect(results.every(({ errors = [] }) => errors.length > 0)).toBe(true)
    expect(rejected).toBe(items.length)
    expect((await changes()).filter((each) => each !== 'audit_log insert')).toEqual([])
  })
})

describe.each(named(lists))('%s', (_, call) => {
  it.each([
    { limit: '0' },
    { limit: '501' },
    { limit: '-1' },
    { limit: '1.5' },
    { limit: '1e2' },
    { limit: 'all' },
    { updated_since: '2026-11-16' },
    { updated_since: '2026-11-16T09:00:00' },
    { updated_since: 'yesterday' },
    { cursor: '' },
    { cursor: 'garbage' },
    { cursor: "1' or '1'='1" },
    { cursor: 'x'.repeat(201) },
    { page: '2' },
  ])('refuses %o', async (query) => {
    const reply = await app.send(call, { query } as never)
    expect(reply.status, reply.text).toBe(400)
  })
})

describe('an item of customers', () => {
  const person = { external_id: 'x-1', first_name: 'Ana', last_name: 'Reyes', email: 'ana@example.com' }
  it.each([
    ['a number as text', { engagement_score: '5' }, 'engagement_score'],
    ['a fraction', { points: 1.5 }, 'points'],
    ['a number that is too large', { points: 1e15 }, 'points'],
    ['true as text', { marketing_opt_out: 'true' }, 'marketing_opt_out'],
    ['a time without a zone', { joined_at: '2026-01-02T08:00:00' }, 'joined_at'],
    ['a time that is a number', { joined_at: 1_700_000_000 }, 'joined_at'],
    ['another value than those listed', { value_tier: 'platinum' }, 'value_tier'],
    ['a text of 10,000 characters', { first_name: 'x'.repeat(10_000) }, 'first_name'],
    ['a name of two lines', { first_name: 'Ana\nBcc: all@example.com' }, 'first_name'],
    ['an email of 255 characters', { email: `${'x'.repeat(243)}@example.com` }, 'email'],
    ['an email that is a list', { email: ['ana@example.com'] }, 'email'],
    ['a latitude of 91', { address: { latitude: 91, longitude: 0 } }, 'address.latitude'],
    ['an unknown field of the address', { address: { planet: 'Mars' } }, 'address'],
    ['an id of ours', { id: 7 }, ''],
    [
      'an id of a source that has none',
      { referred_by: { customer: { source: 'crm', external_id: 'c-1' } } },
      'referred_by.customer',
    ],
    ['a source that is none', { referred_by: { customer: { source: '../app', external_id: 'c-1' } } }, 'referred_by'],
    ['our id of nobody', { referred_by: { customer: { id: 999_999 } } }, 'referred_by.customer'],
    ['an id below zero', { referred_by: { customer: { id: -1 } } }, 'referred_by'],
  ])('is rejected for %s', async (_, more, path) => {
    const { status, body } = await app.send(customerCalls.batch, { body: { items: [{ ...person, ...more }] } })
    expect([status, body.rejected]).toEqual([200, 1])
    expect(body.results[0]?.errors?.[0]?.path).toContain(path)
  })
  it('with the id of another source is another record', async () => {
    const crm = await asProgram(server, { source: 'crm' })
    const one = (await crm.send(customerCalls.batch, { body: { items: [person] } })).body.results[0]
    const other = { ...person, email: 'ben@example.com' }
    const two = (await app.send(customerCalls.batch, { body: { items: [other] } })).body.results[0]
    expect([one?.status, two?.status]).toEqual(['created', 'created'])
    expect(two?.id).not.toBe(one?.id)
    const read = (source: string) =>
      app.send(customerCalls.readByExternalId, { params: { source, external_id: person.external_id } })
    expect([(await read('crm')).body.id, (await read('app')).body.id]).toEqual([one?.id, two?.id])
    expect((await read('site')).status).toBe(404)
  })
})

describe('a resource', () => {
  it.each([
    ['POST', '/api/v1/nothing/batch', 404],
    ['POST', '/api/v1/customers', 404],
    ['POST', '/api/v1/Customers/batch', 404],
    ['POST', '/api/v1/customers/batch/', 404],
    ['PUT', '/api/v1/customers/batch', 404],
    ['GET', '/api/v1/workers', 404],
    ['GET', '/api/v1/../access/workers', 401],
    ['GET', '/api/v1/customers/999999', 404],
    ['GET', '/api/v1/customers/0', 400],
    ['GET', '/api/v1/customers/-1', 400],
    ['GET', '/api/v1/customers/1e3', 400],
    ['GET', '/api/v1/customers/99999999999999999999', 400],
    ['GET', '/api/v1/customers/by-external-id/app/nobody', 404],
    ['GET', '/api/v1/customers/by-external-id/APP/c-1', 400],
    ['GET', '/api/v1/customers/by-external-id/app/%00', 400],
    ['GET', '/api/v1/customers/by-external-id/app/%E0%A4%A', 400],
  ])('that does not exist is refused: %s %s', async (method, path, status) => {
    const { token } = await makeApiKey(server.db, { requestsPerMinute: 60_000 })
    const reply = await fetch(server.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': 'application/json' },
      ...(method !== 'GET' && { body: `{"items":[${item}]}` }),
    })
    expect(reply.status).toBe(status)
  })
})
