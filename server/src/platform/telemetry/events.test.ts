import { checkSession } from '@limber/contract/access/sessions/session.ts'
import { readDashboard } from '@limber/contract/analytics/dashboard/dashboard.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing/testing.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

describe('usage events', () => {
  it('records each call with its worker, outcome and time, without its query', async () => {
    const caller = server.as('analytics.view')
    await caller.send(checkSession)
    await server.anonymous().send(checkSession)
    await server.anonymous().send(readDashboard)
    await server.running.services.events.flush()
    const rows = await server.db
      .selectFrom('events')
      .select(['source', 'worker_id', 'action_type', 'event_outcome', 'method', 'url', 'path', 'response_status'])
      .orderBy('response_status')
      .orderBy('action_type')
      .execute()
    const base = {
      source: 'staff',
      action_type: 'auth_check',
      method: 'GET',
      url: '/api/auth/check',
      path: '/api/auth/check',
    }
    const refused = { worker_id: null, event_outcome: 'failure', response_status: 401 }
    const dashboard = '/api/analytics/dashboard'
    expect(rows).toEqual([
      { ...base, worker_id: (await caller.worker()).id, event_outcome: 'success', response_status: 200 },
      { ...base, ...refused, action_type: 'analytics_dashboard', url: dashboard, path: dashboard },
      // "Not signed in" is a valid answer to a session check, not a failure.
      { ...base, ...refused, event_outcome: 'success' },
    ])
  })
  it('keeps events in memory until the database is back', async () => {
    const { events, pool } = server.running.services
    const before = await server.db
      .selectFrom('events')
      .select((row) => row.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    await pool.query('alter table events rename to events_away')
    events.record({
      at: server.clock.now(),
      source: 'customer',
      userId: 7,
      actionType: 'search',
      outcome: 'success',
      method: 'GET',
      url: '/\t\n\\',
      path: '/',
      status: 200,
      ms: 1.234,
    })
    await events.flush()
    await pool.query('alter table events_away rename to events')
    await events.flush()
    const after = await server.db
      .selectFrom('events')
      .select((row) => row.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    expect(after.n).toBe(before.n + 1)
    expect(
      await server.db
        .selectFrom('events')
        .select(['url', 'user_id', 'response_time'])
        .where('source', '=', 'customer')
        .execute(),
    ).toEqual([{ url: '/\t\n\\', user_id: 7, response_time: 1.23 }])
  })
})
