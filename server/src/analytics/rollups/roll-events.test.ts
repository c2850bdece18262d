import { checkSession } from '@limber/contract/access/sessions/session.ts'
import { readDashboard } from '@limber/contract/analytics/dashboard/dashboard.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { DAY, MINUTE } from '#platform/clock.ts'
import { runWork } from '#platform/db/work.ts'
import { makeEventStore } from '#platform/telemetry/event-store.ts'
import { eventually, startTestServer, TEST_NOW, type TestServer } from '#platform/testing/testing.ts'
import { analyticsSchedules } from '../analytics.jobs.ts'
import { makeLocalTime } from '../dashboard/local-time.rules.ts'
import { draftEvent } from '../events/event.factory.ts'
import { ALL_ACTIONS, DAY_TIER, FIVE_TIER, HOUR_TIER, MINUTE_TIER, type Tier } from './cell.rules.ts'
import { rebuildRollups } from './rebuild-rollups.ts'
import { makeRoller } from './roll-events.ts'

let server: TestServer
const now = Date.parse(TEST_NOW)
const event = (age: number, more = {}) => draftEvent({ at: new Date(now - age), ...more })

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())
beforeEach(async () => {
  await server.running.services.events.flush()
  await sql`truncate events, event_deltas, event_rollups, event_rollup_state`.execute(server.db)
})

const store = () => makeEventStore(server.running.services.pool)
const roller = () => makeRoller(server.running.services)
const countOf = async (tier: Tier) => {
  const row = await server.db
    .selectFrom('event_rollups')
    .select((each) => each.fn.sum<string>('events').as('events'))
    .where('tier', '=', tier)
    .where('action_id', '=', ALL_ACTIONS)
    .executeTakeFirst()
  return Number(row?.events ?? 0)
}

describe('a cached dashboard', () => {
  it('shows every change of the figures at once, whichever process made it', async () => {
    // The requests of this test are usage events themselves.
    vi.spyOn(server.running.services.events, 'record').mockReturnValue()
    const total = async () => (await server.as('analytics.view').send(readDashboard)).body.total_events
    await store().write([event(MINUTE), event(2 * MINUTE)])
    await roller().roll()
    expect([await total(), await total()]).toEqual([2, 2])
    await store().write([event(MINUTE)])
    await roller().roll()
    expect(await total()).toBe(3)
    await sql`update event_rollups set events = events + 4`.execute(server.db)
    expect(await total()).toBe(7)
    await sql`delete from event_rollups`.execute(server.db)
    expect(await total()).toBe(0)
    vi.restoreAllMocks()
  })
})

describe('newest events', () => {
  const newest = async (at: string) => {
    server.clock.set(new Date(at))
    const { status, body } = await server
      .as('analytics.view')
      .send(readDashboard, { query: { timeframeEvents: 'hour' } })
    server.clock.set(new Date(now))
    expect(status).toBe(200)
    return body.user_activity.recent_events.map(({ createdAt }) => createdAt)
  }

  it('are found in the middle of a day and on both sides of midnight', async () => {
    const moments = ['2026-11-15T23:50:00.000Z', '2026-11-16T00:10:00.000Z', '2026-11-16T12:00:00.000Z']
    await store().write(moments.map((at) => draftEvent({ at: new Date(at) })))
    expect(await newest('2026-11-16T12:30:00.000Z')).toEqual([moments[2]])
    expect(await newest('2026-11-16T00:20:00.000Z')).toEqual([moments[1], moments[0]])
  })

  it('are empty on a day without a partition', async () => {
    const { rows } = await sql<{ name: string | null }>`select to_regclass('events_20370505') as name`.execute(
      server.db,
    )
    expect(rows[0]?.name).toBeNull()
    expect(await newest('2037-05-05T12:00:00.000Z')).toEqual([])
  })
})

describe('the roller', () => {
  it('counts each batch once when several processes roll at the same time', async () => {
    const rollers = [roller(), roller(), roller()]
    for (let round = 0; round < 5; round++) {
      await Promise.all([
        ...Array.from({ length: 4 }, () => store().write(Array.from({ length: 50 }, (_, i) => event(i * MINUTE)))),
        ...rollers.map((each) => each.roll()),
      ])
    }
    await roller().roll()
    expect(await countOf(HOUR_TIER)).toBe(1000)
    expect(await countOf(MINUTE_TIER)).toBe(1000)
  })

  it('counts events once that arrive during a rebuild', async () => {
    await store().write(Array.from({ length: 100 }, (_, i) => event(i * MINUTE)))
    await Promise.all([
      rebuildRollups(server.running.services),
      ...Array.from({ length: 10 }, () => store().write([event(0), event(MINUTE)])),
      roller().roll(),
    ])
    await roller().roll()
    expect(await countOf(HOUR_TIER)).toBe(120)
  })

  it('retries a batch that could not be added', async () => {
    await roller().roll()
    await store().write([event(0)])
    await sql`alter table event_rollups rename to event_rollups_away`.execute(server.db)
    await expect(roller().roll()).rejects.toThrow('does not exist')
    await sql`alter table event_rollups_away rename to event_rollups`.execute(server.db)
    await roller().roll()
    expect(await countOf(HOUR_TIER)).toBe(1)
  })

  it('seals five-minute blocks once they are over, and adds late events to them', async () => {
    await store().write([event(0), event(7 * MINUTE), event(8 * MINUTE)])
    await roller().roll()
    expect(await countOf(FIVE_TIER)).toBe(2)
    await store().write([event(8 * MINUTE), event(0)])
    await roller().roll()
    expect(await countOf(FIVE_TIER)).toBe(3)
    expect(await countOf(MINUTE_TIER)).toBe(5)
    server.clock.set(new Date(now + 5 * MINUTE))
    await store().write([event(0)])
    await roller().roll()
    server.clock.set(new Date(now))
    expect(await countOf(FIVE_TIER)).toBe(6)
  })

  it('rebuilds the days when the time zone changes', async () => {
    await store().write([event(DAY), event(3 * DAY)])
    await roller().roll()
    expect(await countOf(DAY_TIER)).toBe(2)
    await makeRoller(server.running.services, makeLocalTime('Europe/Berlin')).roll()
    const days = await server.db
      .selectFrom('event_rollups')
      .select('at')
      .where('tier', '=', DAY_TIER)
      .where('action_id', '=', ALL_ACTIONS)
      .orderBy('at')
      .execute()
    expect(days.map(({ at }) => at.toISOString())).toEqual(['2026-11-12T23:00:00.000Z', '2026-11-14T23:00:00.000Z'])
  })

  it('counts calls of this product within five seconds, and notifies open dashboards', async () => {
    const live = await startTestServer({ withJobs: true })
    const told: unknown[] = []
    const stop = live.running.services.live.listen({
      workerId: 1,
      permissions: new Set(['1']),
      send: (message) => void (message.topic === 'analytics' && told.push(message)),
      end: () => {},
    })
    try {
      const caller = live.as('analytics.view')
      await caller.send(checkSession)
      const seen = await eventually(async () => {
        const { body } = await caller.send(readDashboard)
        return body.actions.types.find(({ type }) => type === 'auth_check')
      })
      expect(seen.count).toBe(1)
      await eventually(async () => told.length > 0)
    } finally {
      stop()
      await live.stop()
    }
  })

  it('does not notify dashboards about their own calls', async () => {
    const told: string[] = []
    const { services } = server.running
    const stop = services.live.listen({
      workerId: 1,
      permissions: new Set(['1']),
      send: (message) => void told.push(message.topic),
      end: () => {},
    })
    /** Messages arrive in order: once this one is here, so are the earlier ones. */
    async function hearAll() {
      await runWork(services, { call: 'test' }, async ({ publish }) => publish('session', { workerId: 1 }))
      await eventually(async () => told.includes('session'))
      return told.splice(0).filter((topic) => topic === 'analytics')
    }
    // The very first roll rebuilds the figures and notifies dashboards.
    await roller().roll()
    await hearAll()
    await store().write([event(0, { path: '/api/analytics/dashboard', actionType: 'analytics_dashboard' })])
    await roller().roll()
    expect(await hearAll()).toEqual([])
    await store().write([event(0)])
    await roller().roll()
    expect(await hearAll()).toEqual(['analytics'])
    stop()
  })
})

describe('retention', () => {
  it('deletes expired days and old minutes, and keeps hours and days', async () => {
    await store().write([event(0), event(95 * DAY), event(3 * DAY)])
    await roller().roll()
    const result = await analyticsSchedules[0]?.run(server.running.services)
    expect(result).toMatchObject({ droppedDays: 1 })
    const { rows } = await sql<{ n: number }>`select count(*) as n from events`.execute(server.db)
    expect(rows[0]?.n).toBe(2)
    expect(await countOf(HOUR_TIER)).toBe(3)
    expect(await countOf(DAY_TIER)).toBe(2)
    expect(await countOf(MINUTE_TIER)).toBe(1)
    await rebuildRollups(server.running.services)
    expect(await countOf(HOUR_TIER)).toBe(3)
  })
})
