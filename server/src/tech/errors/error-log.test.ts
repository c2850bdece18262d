import { pauseSchedule } from '@limber/contract/automation/schedule.ts'
import {
  handleErrorGroup,
  listErrors,
  listOccurrences,
  readErrorGroup,
  reopenErrorGroup,
} from '@limber/contract/tech/errors/error-log.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeSchedule } from '#automation/schedule.factory.ts'
import { DAY, HOUR, MINUTE, shift } from '#platform/clock.ts'
import { startTestServer, TEST_NOW, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeFailure } from '../tech.factory.ts'
import { techSchedules } from '../tech.jobs.ts'
import { groupAllFailures } from './group-failures.ts'

let server: TestServer
let operator: TestCaller

beforeAll(async () => {
  server = await startTestServer()
  operator = server.as('errors.view')
})
afterAll(() => server.stop())
beforeEach(async () => {
  server.clock.set(TEST_NOW)
  await server.running.services.events.flush()
  await sql`truncate event_failures, error_groups, error_counts, error_people`.execute(server.db)
})

const ago = (ms: number) => shift(server.clock.now(), -ms)
const file = async () => {
  await server.running.services.events.flush()
  await groupAllFailures(server.running.services)
}
const list = async (query: Record<string, string> = {}) => (await operator.send(listErrors, { query })).body
const paths = async (query: Record<string, string> = {}) => (await list(query)).groups.map(({ path }) => path)
async function makeGroup(at = ago(MINUTE), path = '/api/things') {
  await makeFailure(server.db, { at, path })
  await file()
  const group = (await list({ timeframe: 'month' })).groups.find((one) => one.path === path)
  if (!group) throw new Error('no group')
  return group
}

describe('failed call', () => {
  it('is in the error log with a safe message, source location and request ID, without secrets', async () => {
    const { db } = server
    const name = await makeSchedule(db, { name: 'breaks', nextRunAt: server.clock.now() })
    const message = "'token=canary-hunter2 for robin@example.com'"
    for (const statement of [
      `create function break_it() returns trigger language plpgsql as $$ begin raise exception ${message}; end $$`,
      'create trigger break_it before update on schedules for each row execute function break_it()',
    ])
      await sql.raw(statement).execute(db)
    const actor = server.as('automation.manage')
    const reply = await actor.send(pauseSchedule, { params: { name }, body: { reason: 'canary-hunter2' } })
    await sql.raw('drop trigger break_it on schedules').execute(db)
    expect(reply.status).toBe(500)
    await file()
    const body = await list({ class: '5xx' })
    expect(body.groups).toHaveLength(1)
    const [group] = body.groups
    expect(group).toMatchObject({
      source: 'staff',
      method: 'POST',
      path: '/api/maintenance/schedules/:name/pause',
      status: 500,
      state: 'open',
      count: 1,
      people: 1,
      newest: { code: 'broken', text: 'Something went wrong on our side. It has been recorded.' },
    })
    expect(group?.newest.cause).toMatch(/^\w+ P0001/)
    const found = await operator.send(listOccurrences, { params: { id: String(group?.id) } })
    const worker = await actor.worker()
    expect(found.body.occurrences[0]).toMatchObject({
      url: '/api/maintenance/schedules/breaks/pause',
      requestId: reply.headers.get('x-request-id'),
      person: { kind: 'worker', id: worker.id },
    })
    expect(JSON.stringify([body, found.body])).not.toMatch(/canary|robin/)
  })

  it('shows the text of a refusal', async () => {
    await server.as('errors.view').send(pauseSchedule, { params: { name: 'any' }, body: { reason: 'x' } })
    await file()
    const { groups } = await list({ class: '4xx' })
    expect(groups[0]).toMatchObject({ status: 403, newest: { code: 'forbidden', cause: null } })
  })
})

describe('GET /api/tech/errors', () => {
  it('groups by path and status with count, people, first and last seen and trend', async () => {
    const customer = await makeCustomer(server.db)
    const common = { source: 'customer' as const, path: '/api/bookings', method: 'POST' }
    await makeFailure(server.db, { ...common, at: ago(3 * DAY), user_id: customer.id, status: 409 })
    await makeFailure(server.db, { ...common, at: ago(MINUTE), user_id: customer.id, status: 409, text: 'Taken.' })
    await makeFailure(server.db, { ...common, at: ago(2 * MINUTE), user_id: null, status: 409 })
    await makeFailure(server.db, { ...common, at: ago(MINUTE), user_id: customer.id, status: 502 })
    await file()
    const body = await list({ sort: '-count' })
    expect(body.pagination.totalItems).toBe(2)
    expect(body.totals).toEqual({ refused: 3, broken: 1, people: 1, open: 2, handled: 0 })
    const [first] = body.groups
    expect(first).toMatchObject({
      status: 409,
      count: 3,
      people: 1,
      total: 3,
      firstSeen: ago(3 * DAY).toISOString(),
      lastSeen: ago(MINUTE).toISOString(),
      newest: { text: 'Taken.' },
    })
    expect(first?.trend).toHaveLength(28)
    expect(first?.trend.reduce((sum, each) => sum + each, 0)).toBe(3)
    expect(first?.trend.at(-1)).toBe(2)
    // Three days ago is outside the last day.
    expect((await list({ timeframe: 'day', sort: '-count' })).groups[0]).toMatchObject({
      count: 2,
      people: 1,
      total: 3,
    })
  })

  it.each([
    ['hour', 54 * MINUTE, 62 * MINUTE],
    ['day', 23 * HOUR, 25 * HOUR],
    ['week', 6.9 * DAY, 7.1 * DAY],
    ['month', 29.9 * DAY, 30.1 * DAY],
  ])('covers exactly the last %s', async (timeframe, inside, outside) => {
    await makeFailure(server.db, { at: ago(inside), path: '/inside' })
    await makeFailure(server.db, { at: ago(outside), path: '/outside' })
    await file()
    expect(await paths({ timeframe })).toEqual(['/inside'])
  })

  it('filters by class, source, state and part of the path, without wildcards', async () => {
    await makeFailure(server.db, { at: ago(1), path: '/api/a_b', status: 404 })
    await makeFailure(server.db, { at: ago(2), path: '/api/aXb', status: 500, source: 'customer' })
    await file()
    expect(await paths({ class: '4xx' })).toEqual(['/api/a_b'])
    expect(await paths({ class: '5xx' })).toEqual(['/api/aXb'])
    expect(await paths({ source: 'customer' })).toEqual(['/api/aXb'])
    expect(await paths({ search: 'A_B' })).toEqual(['/api/a_b'])
    expect(await paths({ search: '%' })).toEqual([])
    expect(await paths({ state: 'handled' })).toEqual([])
    expect((await list({ source: 'customer' })).totals).toMatchObject({ refused: 0, broken: 1 })
  })

  it('is paged and sorted', async () => {
    for (let i = 0; i < 5; i++)
      for (let times = 0; times <= i; times++)
        await makeFailure(server.db, { at: ago(i * MINUTE), path: `/p${i}`, worker_id: times + 1 })
    await file()
    expect(await paths({ limit: '2' })).toEqual(['/p0', '/p1'])
    expect(await paths({ limit: '2', page: '3' })).toEqual(['/p4'])
    expect(await paths({ limit: '2', sort: '-count' })).toEqual(['/p4', '/p3'])
    expect(await paths({ limit: '2', sort: 'people' })).toEqual(['/p0', '/p1'])
    expect(await paths({ limit: '1', sort: 'firstSeen' })).toEqual(['/p4'])
    expect((await list({ limit: '2', page: '9' })).pagination).toMatchObject({ totalItems: 5, totalPages: 3 })
  })

  it.each([
    { timeframe: 'year' },
    { class: '6xx' },
    { sort: 'id' },
    { page: '0' },
    { limit: '101' },
    { other: '1' },
    { search: 'x'.repeat(201) },
  ])('rejects %j', async (query) => {
    expect((await operator.send(listErrors, { query: query as never })).status).toBe(400)
  })

  it('runs at most five queries for any amount of data', async () => {
    for (let i = 0; i < 40; i++) await makeFailure(server.db, { at: ago(i), path: `/many${i}` })
    await file()
    const { pool } = server.running.services
    let asked = 0
    const original = pool.connect.bind(pool)
    pool.connect = ((...args: []) => {
      asked++
      return original(...args)
    }) as typeof pool.connect
    await list({ limit: '40' })
    pool.connect = original
    // One of them is the session lookup.
    expect(asked).toBeLessThanOrEqual(5)
  })

  it('counts each failure once, even if grouping runs late or repeatedly', async () => {
    await makeFailure(server.db, { at: ago(MINUTE) })
    await Promise.all([file(), file(), file()])
    await makeFailure(server.db, { at: ago(2 * DAY) })
    await file()
    expect((await list()).groups[0]).toMatchObject({
      count: 2,
      firstSeen: ago(2 * DAY).toISOString(),
      lastSeen: ago(MINUTE).toISOString(),
    })
  })
})

describe('GET /api/tech/errors/:id/occurrences', () => {
  it('pages through the occurrences, newest first', async () => {
    for (let i = 0; i < 5; i++) await makeFailure(server.db, { at: ago(i * MINUTE), request_id: `r${i}` })
    await file()
    const id = (await list()).groups[0]?.id ?? 0
    const first = await operator.send(listOccurrences, { params: { id: String(id) }, query: { limit: '2' } })
    expect(first.body.occurrences.map(({ requestId }) => requestId)).toEqual(['r0', 'r1'])
    const second = await operator.send(listOccurrences, {
      params: { id: String(id) },
      query: { limit: '3', before: first.body.next ?? '' },
    })
    expect(second.body.occurrences.map(({ requestId }) => requestId)).toEqual(['r2', 'r3', 'r4'])
    expect(second.body.next).toBeNull()
  })

  it('hides customer names from workers who may not see customers', async () => {
    const customer = await makeCustomer(server.db)
    await makeFailure(server.db, { at: ago(1), source: 'customer', user_id: customer.id })
    await file()
    const id = (await list()).groups[0]?.id ?? 0
    const seenBy = async (caller: TestCaller) =>
      (await caller.send(listOccurrences, { params: { id: String(id) } })).body.occurrences[0]?.person
    expect(await seenBy(operator)).toEqual({ kind: 'customer', id: customer.id, name: null })
    expect(await seenBy(server.as('errors.view', 'users.overview'))).toMatchObject({ name: expect.any(String) })
  })

  it('returns 404 for an unknown group', async () => {
    for (const call of [listOccurrences, readErrorGroup])
      expect(await operator.send(call, { params: { id: '999999' } })).toMatchObject({ status: 404 })
    for (const call of [handleErrorGroup, reopenErrorGroup])
      expect(await operator.send(call, { params: { id: '999999' }, body: { note: 'x' } })).toMatchObject({
        status: 404,
      })
  })
})

describe('handling an error group', () => {
  it('records who, when and why, also in the audit log', async () => {
    const { id, version } = await makeGroup()
    const reply = await operator.send(handleErrorGroup, {
      params: { id: String(id) },
      body: { note: 'Fixed in 1.4', version },
    })
    expect(reply.body).toMatchObject({
      state: 'handled',
      handled: { note: 'Fixed in 1.4', at: server.clock.now().toISOString(), by: expect.stringMatching(/^Worker/) },
      version: version + 1,
    })
    const rows = await server.db
      .selectFrom('audit_log')
      .select(['action', 'reason', 'worker_id'])
      .where('subject', '=', 'error')
      .where('subject_id', '=', String(id))
      .execute()
    expect(rows).toEqual([{ action: 'error_handled', reason: 'Fixed in 1.4', worker_id: (await operator.worker()).id }])
    expect(
      await operator.send(handleErrorGroup, { params: { id: String(id) }, body: { note: 'again' } }),
    ).toMatchObject({
      status: 409,
      failure: { code: 'handled' },
    })
  })

  it('is reopened by a new failure, but not by an earlier one', async () => {
    const { id } = await makeGroup()
    await operator.send(handleErrorGroup, { params: { id: String(id) }, body: { note: 'Fixed' } })
    await makeFailure(server.db, { at: ago(HOUR) })
    await file()
    expect((await operator.send(readErrorGroup, { params: { id: String(id) } })).body).toMatchObject({
      state: 'handled',
      total: 2,
    })
    server.clock.advance(MINUTE)
    await makeFailure(server.db, { at: server.clock.now() })
    await file()
    expect((await operator.send(readErrorGroup, { params: { id: String(id) } })).body).toMatchObject({
      state: 'open',
      handled: { note: 'Fixed' },
      reopenedAt: server.clock.now().toISOString(),
      timesReopened: 1,
    })
    const again = await server.db
      .selectFrom('audit_log')
      .select(['worker_id', 'reason'])
      .where('action', '=', 'error_came_again')
      .where('subject_id', '=', String(id))
      .execute()
    expect(again).toEqual([{ worker_id: null, reason: 'GET /api/things failed again with status 500.' }])
    // An open group is not reopened.
    await makeFailure(server.db, { at: server.clock.now() })
    await file()
    expect((await operator.send(readErrorGroup, { params: { id: String(id) } })).body.timesReopened).toBe(1)
  })

  it('can be reopened manually', async () => {
    const { id } = await makeGroup()
    expect(await operator.send(reopenErrorGroup, { params: { id: String(id) }, body: { note: 'No' } })).toMatchObject({
      status: 409,
      failure: { code: 'open' },
    })
    await operator.send(handleErrorGroup, { params: { id: String(id) }, body: { note: 'Fixed' } })
    const reply = await operator.send(reopenErrorGroup, { params: { id: String(id) }, body: { note: 'It was not' } })
    expect(reply.body).toMatchObject({ state: 'open', timesReopened: 0 })
  })

  it('rejects a stale version and returns the current state', async () => {
    const { id, version } = await makeGroup()
    await operator.send(handleErrorGroup, { params: { id: String(id) }, body: { note: 'Fixed', version } })
    const late = await operator.send(reopenErrorGroup, { params: { id: String(id) }, body: { note: 'x', version } })
    expect(late).toMatchObject({ status: 409, failure: { code: 'stale', current: { state: 'handled' } } })
  })

  it('requires a note', async () => {
    const { id } = await makeGroup()
    for (const body of [{}, { note: ' ' }, { note: 'x'.repeat(501) }, { note: 'a', more: 1 }])
      expect((await operator.send(handleErrorGroup, { params: { id: String(id) }, body: body as never })).status).toBe(
        400,
      )
  })

  it('happens once for two concurrent requests', async () => {
    const { id } = await makeGroup()
    const replies = await Promise.all(
      Array.from({ length: 5 }, () =>
        operator.send(handleErrorGroup, { params: { id: String(id) }, body: { note: 'Fixed' } }),
      ),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
  })
})

describe('error retention', () => {
  it('deletes expired failures, and five-minute counts after two days', async () => {
    await makeFailure(server.db, { at: ago(100 * DAY), path: '/old' })
    await makeFailure(server.db, { at: ago(3 * DAY), path: '/kept' })
    await file()
    const run = techSchedules.find(({ name }) => name === 'error-retention')?.run
    expect(await run?.(server.running.services)).toEqual({ failures: 1, groups: 1 })
    expect(await paths({ timeframe: 'month' })).toEqual(['/kept'])
    const tiers = await server.db.selectFrom('error_counts').select('tier').execute()
    expect(tiers).toEqual([{ tier: 1 }])
  })
})
