import { readCitySummary } from '@limber/contract/growth/map/city.ts'
import { readMap } from '@limber/contract/growth/map/map.ts'
import { type FigureName, listFigureRows } from '@limber/contract/growth/overview/figure.ts'
import { readHealthOverview, readHealthTrends } from '@limber/contract/growth/overview/health.ts'
import { daysOf, growthRanges } from '@limber/contract/growth/values.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { countCity } from '../map/city.queries.ts'
import { makeRandomCompany } from './random-company.testing.ts'
import { countReference } from './reference.testing.ts'
import { refreshFigures } from './refresh-figures.ts'

let server: TestServer
let caller: TestCaller
let company: Awaited<ReturnType<typeof makeRandomCompany>>

beforeAll(async () => {
  server = await startTestServer()
  caller = server.as('growth.tab', 'growth.people')
  company = await makeRandomCompany(server.db, server.clock.now(), 7)
  await refreshFigures(server.running.services)
})
afterAll(() => server.stop())

const totalPayouts = (payouts: Record<string, { total: number }>) =>
  Object.values(payouts)
    .reduce((sum, { total }) => sum + total, 0)
    .toFixed(4)

describe.each(growthRanges)('figures for %s', (range) => {
  const days = daysOf(range)
  const countZone = (zone?: number) => countReference(server.db, company.today, days, zone)
  const askRows = async (figure: FigureName, place: object = {}) => {
    const query = { range, limit: '1', ...place } as const
    return (await caller.send(listFigureRows, { params: { figure }, query })).body
  }
  const countRows = async (figure: FigureName, zoneId?: number) => {
    const { value, pagination } = await askRows(figure, zoneId ? { zoneId: String(zoneId) } : {})
    expect([figure, value]).toEqual([figure, pagination.totalItems])
    return pagination.totalItems
  }

  it('are those of the range before, when asked for it', async () => {
    const of = async (figure: FigureName, period: 'this' | 'previous' = 'this') =>
      (await askRows(figure, { period })).value
    expect(await of('bookings', 'previous')).toBe(await of('bookingsBefore'))
    expect(await of('activeUsers', 'previous')).toBe(await of('activeBefore'))
  })

  it('match the rows for each zone on the map, in the drawer and in the lists', async () => {
    const { body } = await caller.send(readMap, { query: { range } })
    expect(body.zones).toHaveLength(
      await server.db
        .selectFrom('zones')
        .selectAll()
        .execute()
        .then((rows) => rows.length),
    )
    for (const zone of company.zones) {
      const reference = await countZone(zone.id)
      const shown = body.zones.find(({ id }) => id === zone.id)?.metrics
      expect(shown).toMatchObject({
        users: reference.users,
        activeUsers: reference.activeUsers,
        churnedUsers: reference.churnedUsers,
        sessions: reference.sessions,
        bookedSessions: reference.bookedSessions,
        availableCredits: reference.credits,
      })
      expect(shown?.revenue.toFixed(4)).toBe(reference.revenue)
      expect(totalPayouts(shown?.payouts ?? {})).toBe(reference.payouts)
      const drawer = await caller.send(readCitySummary, { query: { range, zoneId: String(zone.id) } })
      expect(drawer.body.metrics).toEqual(shown)
      const city = await countCity(server.db, { zoneId: zone.id }, company.today, days)
      expect(city).toMatchObject({
        users: reference.users,
        active: reference.activeUsers,
        churned: reference.churnedUsers,
        revenue: reference.revenue,
      })
      for (const [figure, count] of [
        ['users', reference.users],
        ['activeUsers', reference.activeUsers],
        ['churnedUsers', reference.churnedUsers],
        ['sessions', reference.sessions],
        ['bookedSessions', reference.bookedSessions],
      ] as const)
        expect([figure, await countRows(figure, zone.id)]).toEqual([figure, count])
      for (const [figure, value] of [
        ['revenue', shown?.revenue],
        ['payouts', Number(totalPayouts(shown?.payouts ?? {}))],
        ['availableCredits', reference.credits],
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

  it('match the rows for a city outside every zone in the drawer and in the lists', async () => {
    const [city] = (await caller.send(readMap, { query: { range } })).body.outliers.map((one) => one.city)
    if (!city) throw new Error('The random company has no city outside its zones')
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

  it('match the rows behind both parts of a ratio', async () => {
    const { users, bookings } = (await caller.send(readHealthOverview, { query: { range } })).body
    const before = addDays(company.today, -days)
    const reference = await countReference(server.db, before, days, undefined)
    expect(await countRows('usersBefore')).toBe(users.total - users.joined)
    expect(await countRows('activeBefore')).toBe(reference.activeUsers)
    expect(await countRows('bookingsBefore')).toBe(bookings.previous)
    const percent = (part: number, whole: number) => (whole === 0 ? null : Math.round((part / whole) * 10_000) / 100)
    expect(users.churnRatePct).toBe(percent(await countRows('churnedUsers'), await countRows('activeBefore')))
    expect(users.growthPct).toBe(percent(await countRows('newUsers'), await countRows('usersBefore')))
  })

  it('match the rows for the whole company on the overview and in the lists', async () => {
    const reference = await countZone()
    const outside = await countZone(0)
    const { body } = await caller.send(readHealthOverview, { query: { range } })
    expect(body.users).toMatchObject({
      total: reference.users,
      withAddress: reference.located,
      outsideServiceArea: outside.located,
      withinServiceArea: reference.located - outside.located,
      withWaiver: reference.waivers,
      joined: reference.joined,
      churned: reference.churnedUsers,
    })
    expect(body.bookings).toMatchObject({ current: reference.bookings, cancelled: reference.cancelled })
    const expected = {
      users: reference.users,
      newUsers: reference.joined,
      activeUsers: reference.activeUsers,
      churnedUsers: reference.churnedUsers,
      withAddress: reference.located,
      outsideUsers: outside.located,
      withinServiceArea: reference.located - outside.located,
      withWaiver: reference.waivers,
      bookings: reference.bookings,
      cancelledBookings: reference.cancelled,
    }
    for (const [figure, count] of Object.entries(expected))
      expect([figure, await countRows(figure as FigureName)]).toEqual([figure, count])
  })

  it('have daily trends that add up to the same numbers', async () => {
    const { body } = await caller.send(readHealthTrends, { query: { range } })
    const overview = (await caller.send(readHealthOverview, { query: { range } })).body
    const sum = (points: { count: number }[]) => points.reduce((total, { count }) => total + count, 0)
    expect(body.userGrowth).toHaveLength(days)
    expect(body.userGrowth.at(-1)?.date).toBe(company.today)
    expect(sum(body.userGrowth)).toBe(overview.users.joined)
    expect(sum(body.bookings)).toBe(overview.bookings.current)
    expect(body.churn.at(-1)?.count).toBe(overview.users.churned)
    expect(body.businesses.at(-1)?.count).toBe(overview.businesses.total)
    for (const back of [1, 3, days - 1]) {
      const day = addDays(company.today, -back)
      const reference = await countReference(server.db, day, days, undefined)
      expect([day, body.churn.find(({ date }) => date === day)?.count]).toEqual([day, reference.churnedUsers])
    }
  })

  it('match the rows of the previous range', async () => {
    const { body } = await caller.send(readMap, { query: { range } })
    for (const zone of company.zones) {
      const reference = await countReference(server.db, addDays(company.today, -days), days, zone.id)
      const before = body.zones.find(({ id }) => id === zone.id)?.previous
      expect(before).toMatchObject({
        activeUsers: reference.activeUsers,
        churnedUsers: reference.churnedUsers,
        sessions: reference.sessions,
      })
      expect(before?.revenue.toFixed(4)).toBe(reference.revenue)
      expect(before?.payouts.toFixed(4)).toBe(reference.payouts)
    }
  })
})

describe('users outside every zone', () => {
  it('is one number for any bounding box, and each city is one circle regardless of letter case', async () => {
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
