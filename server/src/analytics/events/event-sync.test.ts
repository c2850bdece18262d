import {
  readEventByExternalId,
  readEventRecord,
  sendEvents,
  walkEvents,
} from '@limber/contract/analytics/events/event-sync.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asProgram } from '#access/api-keys/program.testing.ts'
import { DAY, MINUTE, shift } from '#platform/clock.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'

let server: TestServer
let app: Awaited<ReturnType<typeof asProgram>>
beforeAll(async () => {
  server = await startTestServer()
  app = await asProgram(server)
})
afterAll(() => server.stop())

let serial = 0
const event = (more: object = {}) => ({
  external_id: `e-${++serial}`,
  action_type: 'session_booked',
  event_outcome: 'success',
  method: 'POST',
  url: '/api/bookings',
  response_status: 201,
  response_time: 84.25,
  created_at: shift(server.clock.now(), -10 * MINUTE + serial * 1000).toISOString(),
  ...more,
})
const send = async (...items: unknown[]) => (await app.send(sendEvents, { body: { items } })).body

it('stores events once, and tells a different one from a repeated one', async () => {
  const one = event()
  const first = await send(one, one)
  expect(first.results.map(({ status }) => status)).toEqual(['created', 'unchanged'])
  expect(await send(one)).toMatchObject({ unchanged: 1 })
  const other = await send({ ...one, response_status: 500 })
  expect(other.results[0]).toMatchObject({ status: 'rejected', errors: [{ code: 'immutable' }] })
})

it('refuses an id that an event of another day has, also within a batch', async () => {
  const daysAgo = (days: number) => shift(server.clock.now(), -days * DAY).toISOString()
  const one = event({ created_at: daysAgo(3) })
  const other = { ...one, created_at: daysAgo(5) }
  const rejected = { status: 'rejected', errors: [{ code: 'immutable' }] }
  expect((await send(one)).results[0]).toMatchObject({ status: 'created' })
  expect((await send(other)).results[0]).toMatchObject(rejected)
  const late = event({ created_at: daysAgo(2) })
  const { results } = await send(late, { ...late, response_status: 404 })
  expect(results[0]).toMatchObject({ status: 'created' })
  expect(results[1]).toMatchObject(rejected)
})

it('names the customer by external id', async () => {
  const { id } = await makeCustomer(server.db)
  await sql`insert into external_refs (source, resource, external_id, record_id, created_at)
    values ('app', 'customers', 'c-17', ${id}, now())`.execute(server.db)
  const body = await send(event({ customer: 'c-17' }), event({ customer: 'c-18' }))
  expect(body.results[1]).toMatchObject({
    status: 'rejected',
    errors: [{ code: 'missing_reference', external_id: 'c-18' }],
  })
  const found = await app.send(readEventRecord, { params: { id: String(body.results[0]?.id) } })
  expect(found.body).toMatchObject({ customer_id: id, action_type: 'session_booked' })
})

it('accepts the field names of the older ingest call', async () => {
  const { external_id: _, created_at, ...rest } = event()
  const id = '0f8fad5b-d9cb-469f-a165-70867728950e'
  expect((await send({ ...rest, id, createdAt: created_at })).results[0]).toMatchObject({ status: 'created', id })
})

it.each([
  [{ action_type: 'two words' }, 'action_type'],
  [{ response_status: 99 }, 'response_status'],
  [{ created_at: '2020-01-01T00:00:00Z' }, 'created_at'],
  [{ created_at: undefined }, 'created_at'],
  [{ external_id: undefined }, 'external_id'],
  [{ surprise: 1 }, 'surprise'],
])('rejects %j at %s', async (more, path) => {
  expect((await send(event(more))).results[0]).toMatchObject({ status: 'rejected', errors: [{ path }] })
})

it('lists events by time, page by page, and finds one by external id', async () => {
  const [a, b, c] = [event(), event(), event()]
  await send(a, b, c)
  const first = await app.send(walkEvents, { query: { updated_since: a.created_at, limit: '2' } })
  const rest = await app.send(walkEvents, { query: { limit: '2', cursor: first.body.next_cursor ?? '' } })
  const times = [...first.body.items, ...rest.body.items].map(({ created_at }) => created_at)
  expect(times).toEqual([a, b, c].map(({ created_at }) => created_at))
  expect(rest.body.next_cursor).toBeNull()
  const params = { source: 'app', external_id: b.external_id }
  expect((await app.send(readEventByExternalId, { params })).body.created_at).toBe(b.created_at)
})
