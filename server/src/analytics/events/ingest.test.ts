// @module-tag slow
import { randomUUID } from 'node:crypto'
import { readDashboard } from '@limber/contract/analytics/dashboard/dashboard.ts'
import { exportEvents, ingestEvents, listEvents, readEvent } from '@limber/contract/analytics/events/event.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '#platform/clock.ts'
import { startTestServer, TEST_NOW, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeRoller } from '../rollups/roll-events.ts'
import { draftInput } from './event.factory.ts'
import { checkRow, pathOf } from './ingest.rules.ts'

const KEY = 'ingest-key-0123456789-abcdefgh'
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { EVENT_INGEST_KEY: KEY } })
  server.running.services.events.record = () => {}
})
afterAll(() => server.stop())
beforeEach(() => sql`truncate events, event_deltas, event_rollups, event_rollup_state`.execute(server.db))

const at = (ms: number) => new Date(new Date(TEST_NOW).getTime() + ms).toISOString()
const input = (overrides: Parameters<typeof draftInput>[0] = {}) => draftInput({ createdAt: at(-MINUTE), ...overrides })
const deliver = (events: unknown[], key: string | undefined = KEY) =>
  server.anonymous().send(ingestEvents, { body: { events } }, { headers: { 'x-ingest-key': key } })
const count = async () =>
  (await sql<{ n: number }>`select count(*) as n from events`.execute(server.db)).rows[0]?.n ?? Number.NaN

describe('POST /api/analytics/events', () => {
  it('stores the events of a batch and shows them in the figures', async () => {
    const customer = await makeCustomer(server.db, { first_name: 'Camille', last_name: 'Okafor' })
    const id = randomUUID()
    const event = input({ id, user_id: customer.id })
    const reply = await deliver([event, input({ event_outcome: 'failure', user_id: null, ip_address: null })])
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({ accepted: 2, duplicates: 0, rejected: [] })
    await makeRoller(server.running.services).roll()
    const caller = server.as('analytics.view')
    const { body } = await caller.send(readDashboard)
    expect(body).toMatchObject({ total_events: 2, unique_users: 1, avg_response_time: 184.13, error_rate: 50 })
    const found = await caller.send(readEvent, { params: { id } })
    expect(found.body).toEqual({
      id,
      user_id: customer.id,
      action_type: 'session_booked',
      event_outcome: 'success',
      method: 'POST',
      url: '/api/bookings/58213',
      response_status: 201,
      response_time: 184.13,
      ip_address: '203.0.113.9',
      createdAt: at(-MINUTE),
      path: '/api/bookings/:id',
      source: 'customer',
      user: { kind: 'customer', id: customer.id, name: 'Camille Okafor' },
    })
  })

  it('counts an event once, no matter how often or with which other events it is sent', async () => {
    const id = randomUUID()
    const [one, two, three] = [input({ id }), input(), input()]
    expect((await deliver([one, two])).body).toMatchObject({ accepted: 2, duplicates: 0 })
    expect((await deliver([one, two])).body).toMatchObject({ accepted: 0, duplicates: 2 })
    expect((await deliver([two, three, three])).body).toMatchObject({ accepted: 1, duplicates: 2 })
    // The same id on another day is the same event.
    expect((await deliver([{ ...one, createdAt: at(-3 * DAY) }])).body).toMatchObject({ accepted: 0, duplicates: 1 })
    expect((await deliver([{ ...one, id: id.toUpperCase() }])).body).toMatchObject({ duplicates: 1 })
    expect(await count()).toBe(3)
    await makeRoller(server.running.services).roll()
    expect((await server.as('analytics.view').send(readDashboard)).body.total_events).toBe(3)
  })

  it('counts once when the same batch arrives many times at the same moment', async () => {
    const batch = Array.from({ length: 200 }, () => input())
    const replies = await Promise.all(Array.from({ length: 6 }, () => deliver(batch)))
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200, 200, 200, 200])
    expect(replies.reduce((sum, reply) => sum + reply.body.accepted, 0)).toBe(200)
    expect(await count()).toBe(200)
  })

  it('stores the valid rows and lists the invalid ones by index', async () => {
    const good = [input(), input()]
    const { status, body } = await deliver([
      good[0],
      input({ createdAt: at(6 * MINUTE) }),
      'nonsense',
      input({ response_time: '12' }),
      good[1],
      input({ createdAt: at(-8 * DAY) }),
      { ...input(), extra: true },
    ])
    expect(status).toBe(200)
    expect(body.accepted).toBe(2)
    expect(body.rejected.map(({ index, error }) => [index, error.split(':')[0]])).toEqual([
      [1, 'createdAt'],
      [2, 'Invalid input'],
      [3, 'response_time'],
      [5, 'createdAt'],
      [6, 'Unrecognized key'],
    ])
    expect(await count()).toBe(2)
  })

  it.each([
    ['a time in the future', { createdAt: at(5 * MINUTE + 1) }, 422],
    ['a time long ago', { createdAt: at(-7 * DAY - 1) }, 422],
    ['a time in another century', { createdAt: '1970-01-01T00:00:00Z' }, 422],
    ['a time without a time zone', { createdAt: '2026-11-16T16:00:00' }, 400],
    ['a day that does not exist', { createdAt: '2026-02-30T16:00:00Z' }, 400],
    ['no id', { id: undefined }, 400],
    ['an id that is not a UUID', { id: '17' }, 400],
    ['a number for the action', { action_type: 7 }, 400],
    ['an action of 10 kB', { action_type: 'x'.repeat(10_000) }, 400],
    ['the action "all"', { action_type: 'all' }, 400],
    ['markup as the action', { action_type: '<img src=x>' }, 400],
    ['an unknown outcome', { event_outcome: 'maybe' }, 400],
    ['an unknown method', { method: 'BREW' }, 400],
    ['a status of 42', { response_status: 42 }, 400],
    ['a negative time', { response_time: -1 }, 400],
    ['a negative user', { user_id: -5 }, 400],
    ['text as an address', { ip_address: 'home' }, 400],
    ['a url of 3 kB', { url: `/${'x'.repeat(3000)}` }, 400],
  ])('refuses a single event with %s', async (_, wrong, status) => {
    const reply = await deliver([input(wrong)])
    expect(reply.status).toBe(status)
    expect(reply.failure.fields?.[0]?.path).toBe('events.0')
    expect(await count()).toBe(0)
  })

  it('refuses empty batches, batches over 1,000 events and malformed batches as a whole', async () => {
    const many = await deliver(Array.from({ length: 1001 }, () => input()))
    expect(many).toMatchObject({ status: 400, failure: { error: 'A batch contains at most 1,000 events.' } })
    expect((await deliver([])).status).toBe(400)
    const other = await server
      .anonymous()
      .send(ingestEvents, { body: [input()] as never }, { headers: { 'x-ingest-key': KEY } })
    expect(other.status).toBe(400)
    expect(await count()).toBe(0)
  })

  it('accepts 1,000 events', async () => {
    expect((await deliver(Array.from({ length: 1000 }, () => input()))).body.accepted).toBe(1000)
  })

  it('checks the key before the body', async () => {
    for (const key of ['', 'wrong', `${KEY}x`, KEY.slice(1)]) {
      const reply = await deliver(['nonsense'], key)
      expect(reply).toMatchObject({ status: 401, failure: { code: 'wrong_key' } })
    }
    const none = await server.anonymous().send(ingestEvents, {}, { rawBody: '{', headers: {} })
    expect(none.status).toBe(401)
  })

  it('is not connected without a key', async () => {
    const bare = await startTestServer()
    try {
      const reply = await bare
        .anonymous()
        .send(ingestEvents, { body: { events: [input()] } }, { headers: { 'x-ingest-key': 'undefined' } })
      expect(reply).toMatchObject({
        status: 503,
        failure: { error: 'Event ingest is not connected: no ingest key is set.' },
      })
    } finally {
      await bare.stop()
    }
  })
})

describe('GET /api/analytics/events', () => {
  it('pages through the events of a timeframe, newest first, 10 a page', async () => {
    const events = Array.from({ length: 25 }, (_, i) =>
      input({ createdAt: at(-i * MINUTE), action_type: i % 5 === 0 ? 'search' : 'session_booked' }),
    )
    await deliver(events)
    await makeRoller(server.running.services).roll()
    const caller = server.as('analytics.view')
    const pages = await Promise.all(
      ['1', '2', '3', '4'].map((page) => caller.send(listEvents, { query: { page, timeframeEvents: 'hour' } })),
    )
    expect(pages.map((page) => page.body.events.length)).toEqual([10, 10, 5, 0])
    expect(pages.flatMap((page) => page.body.events.map((event) => event.id))).toEqual(events.map(({ id }) => id))
    expect(pages[3]?.body.pagination).toEqual({ page: 4, limit: 10, totalItems: 25, totalPages: 3 })
    const searches = await caller.send(listEvents, { query: { actionTypeFilter: 'search' } })
    expect(searches.body.pagination.totalItems).toBe(5)
    expect(new Set(searches.body.events.map((event) => event.action_type))).toEqual(new Set(['search']))
  })

  it('finds a page deep in the past by whole hours', async () => {
    const events = Array.from({ length: 3000 }, (_, i) => input({ createdAt: at(-i * 90_000) }))
    for (let i = 0; i < 3; i++) await deliver(events.slice(i * 1000, i * 1000 + 1000))
    await makeRoller(server.running.services).roll()
    const page = await server.as('analytics.view').send(listEvents, { query: { page: '29', limit: '100' } })
    expect(page.body.events.map((event) => event.id)).toEqual(events.slice(2800, 2900).map(({ id }) => id))
    // More than one batch, some at the same moment.
    const twins = Array.from({ length: 3 }, () => input({ createdAt: at(-2000 * 90_000) }))
    await deliver(twins)
    const { text, status } = await server.as('analytics.view').send(exportEvents, { query: {} })
    const ids = text
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.slice(0, 36))
    expect([status, new Set(ids).size, ids[0], ids.at(-1)]).toEqual([200, 3003, events[0]?.id, events.at(-1)?.id])
    expect(ids).toHaveLength(3003)
    const none = await server.as('analytics.view').send(exportEvents, { query: { actionTypeFilter: 'never_done' } })
    expect(none.text.trim().split('\r\n')).toHaveLength(1)
  })

  it('returns 404 for an unknown event', async () => {
    const caller = server.as('analytics.view')
    expect((await caller.send(readEvent, { params: { id: randomUUID() } })).status).toBe(404)
    expect((await caller.send(readEvent, { params: { id: 'x' } })).status).toBe(400)
  })

  it.each([
    { timeframeEvents: 'year' },
    { timeframeEvents: '' },
    { timeframePerformance: 'WEEK' },
    { actionTypeFilter: 'x'.repeat(10_000) },
    { actionTypeFilter: "'; drop table events; --" },
    { unknown: '1' },
  ])('refuses a dashboard with %o', async (query) => {
    expect((await server.as('analytics.view').send(readDashboard, { query: query as never })).status).toBe(400)
  })

  it('refuses callers without permission', async () => {
    for (const call of [readDashboard, listEvents, exportEvents]) {
      expect((await server.as('worker.tab').send(call)).status).toBe(403)
      expect((await server.anonymous().send(call)).status).toBe(401)
    }
  })
})

describe('ingest rules', () => {
  it.each([
    ['/api/bookings/58213/cancel', '/api/bookings/:id/cancel'],
    ['https://app.example.com/api/search?zone=riverside#top', '/api/search'],
    ['/u/3f2504e0-4f89-41d3-9a0c-0305e82c3301', '/u/:id'],
    ['/invite/camille@example.com', '/invite/:id'],
    ['//api///x/', '/api/x'],
    ['?', '/'],
  ])('reads the path of %s', (url, path) => {
    expect(pathOf(url)).toBe(path)
  })
  it('accepts a clock that is up to five minutes ahead', () => {
    expect(checkRow(input({ createdAt: at(5 * MINUTE) }), 0, new Date(TEST_NOW))).toHaveProperty('event')
  })
})
