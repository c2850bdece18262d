import { readCitySummary } from '@limber/contract/growth/map/city.ts'
import { readMap } from '@limber/contract/growth/map/map.ts'
import { type FigureName, listFigureRows } from '@limber/contract/growth/overview/figure.ts'
import { readHealthOverview, readHealthTrends } from '@limber/contract/growth/overview/health.ts'
import { daysOf, growthRanges } from '@limber/contract/growth/values.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { countCity } from '../map/city.queries.ts'
import { refreshFigures } from './keep-figures.ts'
import { countByHand } from './reference.testing.ts'
import { makeWorld } from './world.testing.ts'

let server: TestServer
let caller: TestCaller
let world: Awaited<ReturnType<typeof makeWorld>>

beforeAll(async () => {
  server = await startTestServer()
  caller = server.as('growth.tab', 'growth.people')
  world = await makeWorld(server.db, server.clock.now(), 7)
  await refreshFigures(server.running.services)
})
afterAll(() => server.stop())

const totalPayouts = (payouts: Record<string, { total: number }>) =>
  Object.values(payouts)
    .reduce((sum, { total }) => sum + total, 0)
    .toFixed(4)

describe.each(growthRanges)('the figures of %s', (range) => {
  const days = daysOf(range)
  const byHand = (zone?: number) => countByHand(server.db, world.today, days, zone)
  const askRows = async (figure: FigureName, place: object = {}) => {
    const query = { range, limit: '1', ...place } as const
    return (await caller.send(listFigureRows, { params: { figure }, query })).body
  }
  const countRows = async (figure: FigureName, zoneId?: number) => {
    const { value, pagination } = await askRows(figure, zoneId ? { zoneId: String(zoneId) } : {})
    expect([figure, value]).toEqual([figure, pagination.totalItems])
    return pagination.totalItems
  }

  it('are those of the rows, zone by zone, on the map, in the drawer and in the lists', async () => {
    const { body } = await caller.send(readMap, { query: { range } })
    expect(body.zones).toHaveLength(
      await server.db
        .selectFrom('zones')
        .selectAll()
        .execute()
        .then((rows) => rows.length),
    )
    for (const zone of world.zones) {
      const hand = await byHand(zone.id)
      const shown = body.zones.find(({ id }) => id === zone.id)?.metrics
      expect(shown).toMatchObject({
        users: hand.users,
        activeUsers: hand.activeUsers,
        churnedUsers: hand.churnedUsers,
        sessions: hand.sessions,
        bookedSessions: hand.bookedSessions,
        availableCredits: hand.credits,
      })
      expect(shown?.revenue.toFixed(4)).toBe(hand.revenue)
      expect(totalPayouts(shown?.payouts ?? {})).toBe(hand.payouts)
      const drawer = await caller.send(readCitySummary, { query: { range, zoneId: String(zone.id) } })
      expect(drawer.body.metrics).toEqual(shown)
      const city = await countCity(server.db, { zoneId: zone.id }, world.today, days)
      expect(city).toMatchObject({
        users: hand.users,
        active: hand.activeUsers,
        churned: hand.churnedUsers,
        revenue: hand.revenue,
      })
      for (const [figure, count] of [
        ['users', hand.users],
        ['activeUsers', hand.activeUsers],
        ['churnedUsers', hand.churnedUsers],
        ['sessions', hand.sessions],
        ['bookedSessions', hand.bookedSessions],
      ] as const)
        expect([figure, await countRows(figure, zone.id)]).toEqual([figure, count])
      for (const [figure, value] of [
        ['revenue', shown?.revenue],
        ['payouts', Number(totalPayouts(shown?.payouts ?? {}))],
        ['availableCredits', hand.credits],
        ['stretchers', shown?.stretchers],
        ['ratings', shown?.avgRating],
      ] as const)
        expect([figure, (await askRows(figure, { zoneId: String(zone.id) })).value]).toEqual([figure, value])
      for (const category of ['session', 'bonus'] as const) {
        const { value, pagination } = await askRows('payouts', { zoneId: String(zone.id), category })
        expect({ total: value, count: pagination.totalItems }).toEqual({
          total: shown?.payouts[category].total,
          count: shown?.payouts[category].count,
        })
      }
    }
  })

  it('are those of the rows in a city outside every zone, in the drawer and in the lists', async () => {
    const [city] = (await caller.send(readMap, { query: { range } })).body.outliers.map((one) => one.city)
    if (!city) throw new Error('The world has a city outside its zones')
    const { metrics } = (await caller.send(readCitySummary, { query: { range, city } })).body
    expect(metrics.users).toBeGreaterThan(0)
    const { users, activeUsers, churnedUsers, revenue, availableCredits } = metrics
    for (const [figure, value] of Object.entries({ users, activeUsers, churnedUsers, revenue, availableCredits }))
      expect([figure, (await askRows(figure as FigureName, { city: city.toUpperCase() })).value]).toEqual([
        figure,
        value,
      ])
    for (const figure of ['sessions', 'bookedSessions', 'payouts', 'stretchers', 'ratings'] as const)
      expect([figure, (await askRows(figure, { city })).pagination.totalItems]).toEqual([figure, 0])
    const { rows } = await askRows('users', { city })
    expect(rows[0]?.place?.toLowerCase()).toBe(city.toLowerCase())
  })

  it('make ratios with what lies behind both of their numbers', async () => {
    const { users, bookings } = (await caller.send(readHealthOverview, { query: { range } })).body
    const before = addDays(world.today, -days)
    const hand = await countByHand(server.db, before, days, undefined)
    expect(await countRows('usersBefore')).toBe(users.total - users.joined)
    expect(await countRows('activeBefore')).toBe(hand.activeUsers)
    expect(await countRows('bookingsBefore')).toBe(bookings.previous)
    const percent = (part: number, whole: number) => (whole === 0 ? null : Math.round((part / whole) * 10_000) / 100)
    expect(users.churnRatePct).toBe(percent(await countRows('churnedUsers'), await countRows('activeBefore')))
    expect(users.growthPct).toBe(percent(await countRows('newUsers'), await countRows('usersBefore')))
  })

  it('are those of the rows for the whole company, on the overview and in the lists', async () => {
    const hand = await byHand()
    const outside = await byHand(0)
    const { body } = await caller.send(readHealthOverview, { query: { range } })
    expect(body.users).toMatchObject({
      total: hand.users,
      withAddress: hand.located,
      outsideServiceArea: outside.located,
      withinServiceArea: hand.located - outside.located,
      withWaiver: hand.waivers,
      joined: hand.joined,
      churned: hand.churnedUsers,
    })
    expect(body.bookings).toMatchObject({ current: hand.bookings, cancelled: hand.cancelled })
    const expected = {
      users: hand.users,
      newUsers: hand.joined,
      activeUsers: hand.activeUsers,
      churnedUsers: hand.churnedUsers,
      withAddress: hand.located,
      outsideUsers: outside.located,
      withinServiceArea: hand.located - outside.located,
      withWaiver: hand.waivers,
      bookings: hand.bookings,
      cancelledBookings: hand.cancelled,
    }
    for (const [figure, count] of Object.entries(expected))
      expect([figure, await countRows(figure as FigureName)]).toEqual([figure, count])
  })

  it('run up to the same numbers day by day', async () => {
    const { body } = await caller.send(readHealthTrends, { query: { range } })
    const overview = (await caller.send(readHealthOverview, { query: { range } })).body
    const sum = (points: { count: number }[]) => points.reduce((total, { count }) => total + count, 0)
    expect(body.userGrowth).toHaveLength(days)
    expect(body.userGrowth.at(-1)?.date).toBe(world.today)
    expect(sum(body.userGrowth)).toBe(overview.users.joined)
    expect(sum(body.bookings)).toBe(overview.bookings.current)
    expect(body.churn.at(-1)?.count).toBe(overview.users.churned)
    expect(body.businesses.at(-1)?.count).toBe(overview.businesses.total)
    for (const back of [1, 3, days - 1]) {
      const day = addDays(world.today, -back)
      const hand = await countByHand(server.db, day, days, undefined)
      expect([day, body.churn.find(({ date }) => date === day)?.count]).toEqual([day, hand.churnedUsers])
    }
  })

  it('compare with the range before it', async () => {
    const { body } = await caller.send(readMap, { query: { range } })
    for (const zone of world.zones) {
      const hand = await countByHand(server.db, addDays(world.today, -days), days, zone.id)
      const before = body.zones.find(({ id }) => id === zone.id)?.previous
      expect(before).toMatchObject({
        activeUsers: hand.activeUsers,
        churnedUsers: hand.churnedUsers,
        sessions: hand.sessions,
      })
      expect(before?.revenue.toFixed(4)).toBe(hand.revenue)
      expect(before?.payouts.toFixed(4)).toBe(hand.payouts)
    }
  })
})

describe('the outside', () => {
  it('is one number, whatever the box, and each city one circle whatever the case of its letters', async () => {
    const all = (await caller.send(readMap, { query: {} })).body
    const none = (await caller.send(readMap, { query: { bbox: '10,10,11,11' } })).body
    expect(none).toMatchObject({ zones: [], outliers: [] })
    expect(none.outsideUsers).toBe(all.outsideUsers)
    expect(all.outliers).toHaveLength(1)
    expect(all.outliers[0]).toMatchObject({ users: all.outsideUsers, lat: expect.closeTo(34.5) })
    const city = all.outliers[0]?.city ?? ''
    const drawer = (await caller.send(readCitySummary, { query: { city: city.toUpperCase() } })).body
    expect(drawer).toMatchObject({ zoneId: null, metrics: { users: all.outsideUsers, sessions: 0, avgRating: null } })
  })
})
