// @module-tag slow
import { readDashboard } from '@limber/contract/analytics/dashboard/dashboard.ts'
import { Timeframe } from '@limber/contract/analytics/events/event.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '#platform/clock.ts'
import { makeEventStore } from '#platform/telemetry/event-store.ts'
import { rounds } from '#platform/testing/testing.rounds.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { analyticsSchedules } from '../analytics.jobs.ts'
import { draftEvent } from '../events/event.factory.ts'
import { rebuildRollups } from './rebuild-rollups.ts'
import { dashboardFromRaw, type Raw } from './reference.testing.ts'
import { makeRoller } from './roll-events.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  // The calls of this test must not count.
  server.running.services.events.record = () => {}
})
afterAll(() => server.stop())

const types = ['search', 'session_booked', 'waiver_signed']
const moments = [
  '2026-11-16T17:03:20.000Z',
  // In California, clocks go back on November 1 and forward on March 8, at night.
  '2026-11-01T09:30:00.000Z',
  '2026-11-01T08:59:59.999Z',
  '2026-11-02T07:59:59.000Z',
  '2026-11-08T08:00:00.000Z',
  '2026-03-08T10:30:00.000Z',
  '2026-03-15T18:00:00.000Z',
  // Ends of months and of a year.
  '2026-03-01T08:00:00.000Z',
  '2027-01-01T07:59:59.999Z',
  '2026-12-31T23:59:59.000Z',
]

// Mostly near boundaries: now, and starts and ends of hours, days, weeks and months.
const age = fc.oneof(
  fc.integer({ min: -4 * MINUTE, max: 62 * DAY }),
  fc
    .tuple(
      fc.constantFrom(0, HOUR, 2 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY, 30 * DAY),
      fc.integer({ min: -2 * HOUR, max: 2 * HOUR }),
    )
    .map(([back, off]) => back + off),
)
const event = fc.record({
  age,
  actionType: fc.constantFrom(...types),
  path: fc.constantFrom('/api/bookings', '/api/search', '/api/waivers', '/'),
  person: fc.constantFrom(undefined, -3, -1, 1, 2, 3, 900, 5_000_000_000),
  outcome: fc.constantFrom('success', 'success', 'failure'),
  ms: fc.oneof(
    fc.integer({ min: 0, max: 5000 }).map((whole) => whole / 100),
    fc.double({ min: 0, max: 2000, noNaN: true }),
    fc.constantFrom(0, 0.004, 0.5, 1.005, 299.995, 40_000.5, 3_600_000),
  ),
})
const batches = fc.array(
  fc.record({
    writtenBefore: fc.integer({ min: 0, max: 62 * DAY }),
    events: fc.array(event, { minLength: 1, maxLength: 25 }),
  }),
  { minLength: 1, maxLength: 6 },
)

async function clear() {
  await sql`truncate events, event_deltas, event_rollups, event_rollup_state`.execute(server.db)
}

const readRaw = async () => (await sql<Raw>`select * from events`.execute(server.db)).rows

async function expectFigures(raw: readonly Raw[], now: Date) {
  const caller = server.as('analytics.view')
  for (const [place, timeframeEvents] of Timeframe.options.entries()) {
    for (const [turn, actionTypeFilter] of ['', ...types, 'never'].entries()) {
      const timeframePerformance = Timeframe.options[(place + turn) % 4] ?? 'week'
      const query = { timeframeEvents, timeframePerformance, actionTypeFilter }
      const { status, body } = await caller.send(readDashboard, { query })
      expect(status).toBe(200)
      const { user_activity: _, span: __, zone: ___, performance, ...rest } = body
      expect({ query, ...rest, response_times: performance.response_times }).toEqual({
        query,
        ...dashboardFromRaw(raw, now, query),
      })
    }
  }
}

describe('dashboard figures', () => {
  it('match the raw events, however they came in, after a rebuild and after retention', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...moments), batches, fc.boolean(), async (moment, all, isRebuilt) => {
        await clear()
        const now = new Date(moment)
        const store = makeEventStore(server.running.services.pool)
        const roller = makeRoller(server.running.services)
        for (const { writtenBefore, events } of all.toSorted((a, b) => b.writtenBefore - a.writtenBefore)) {
          server.clock.set(new Date(now.getTime() - writtenBefore))
          await store.write(
            events.map(({ age: back, person, ...rest }) =>
              draftEvent({
                ...rest,
                at: new Date(now.getTime() - back),
                source: person !== undefined && person < 0 ? 'staff' : 'customer',
                userId: person !== undefined && person > 0 ? person : undefined,
                workerId: person !== undefined && person < 0 ? -person : undefined,
              }),
            ),
          )
          await roller.roll()
        }
        server.clock.set(now)
        await roller.roll()
        const raw = await readRaw()
        expect(raw).toHaveLength(all.reduce((sum, batch) => sum + batch.events.length, 0))
        if (isRebuilt) await rebuildRollups(server.running.services)
        await expectFigures(raw, now)
        await analyticsSchedules[0]?.run(server.running.services)
        if (isRebuilt) await rebuildRollups(server.running.services)
        await expectFigures(raw, now)
      }),
      { numRuns: rounds(3, 12) },
    )
  }, 600_000)
})
