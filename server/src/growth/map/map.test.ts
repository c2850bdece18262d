import { boxOf } from '@limber/contract/businesses/zones/area.ts'
import { readCitySummary } from '@limber/contract/growth/map/city.ts'
import { readBasemap, readMap } from '@limber/contract/growth/map/map.ts'
import { exportFigureRows, listFigureRows } from '@limber/contract/growth/overview/figure.ts'
import { readHealthOverview, readHealthTrends } from '@limber/contract/growth/overview/health.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeBusiness } from '#businesses/business/business.factory.ts'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import { DAY, HOUR, shift } from '#platform/clock.ts'
import { pagePolicy } from '#platform/http/headers.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { refreshFigures, refreshWhenDue } from '../figures/refresh-figures.ts'
import { cityPoint } from './outlier.rules.ts'

let server: TestServer
let caller: TestCaller
let zone: Awaited<ReturnType<typeof makeZone>>

beforeAll(async () => {
  server = await startTestServer({
    env: { MAP_TILES_URL: 'https://tiles.example.com/{z}/{x}/{y}.png', MAP_ATTRIBUTION: 'Tiles: Example' },
  })
  caller = server.as('growth.tab')
  zone = await makeZone(server.db, { name: 'Riverside' })
  const joined_at = shift(server.clock.now(), -3 * DAY)
  const home = { latitude: 33.96, longitude: -117.38, zone_id: zone.id, joined_at }
  await makeCustomer(server.db, { ...home, first_name: '=HYPERLINK("x")', credits: 3 })
  await makeCustomer(server.db, { ...home, last_name: 'Okafor, Jr.' })
  await refreshFigures(server.running.services)
})
afterAll(() => server.stop())

describe('GET /api/marketing/zones', () => {
  it.each([
    'NaN,-118,34,-117',
    '34,-118,33,-117',
    '33,-117,34,-118',
    '33,-118,95,-117',
    '-95,-118,34,-117',
    '33,-190,34,-117',
    '33,-118,34,190',
    '33,-118,34',
    '33,-118,34,-117,1',
    '',
    ',,,',
    'Infinity,-118,34,-117',
    '1e2,-118,34,-117',
    "33,-118,34,-117'; drop table zones; --",
  ])('refuses the bounding box %j with a clear message', async (bbox) => {
    const reply = await caller.send(readMap, { query: { bbox } })
    expect(reply).toMatchObject({
      status: 400,
      failure: { code: 'bad_box', error: expect.stringMatching(/south,west,north,east/) },
    })
  })

  it.each([{ range: '1y' }, { range: '' }, { other: '1' }])('refuses %j', async (query) => {
    expect((await caller.send(readMap, { query: query as never })).status).toBe(400)
  })

  it('returns only the zones that intersect the bounding box', async () => {
    const near = await caller.send(readMap, { query: { bbox: '33.9,-117.45,34.1,-117.3' } })
    expect(near.body.zones.map(({ name }) => name)).toEqual(['Riverside'])
    expect(near.body.zones[0]).toMatchObject({
      geometry: { type: 'Polygon' },
      metrics: { users: 2, availableCredits: 3, avgRating: null, payouts: { session: { total: 0, count: 0, avg: 0 } } },
      previous: { users: 0, availableCredits: 0 },
    })
    const far = await caller.send(readMap, { query: { bbox: '40,-100,41,-99' } })
    expect(far.body.zones).toEqual([])
  })

  it('refuses callers without permission', async () => {
    expect((await server.as('growth.people').send(readMap)).status).toBe(403)
    expect((await server.anonymous().send(readMap)).status).toBe(401)
  })

  it('runs at most five database queries', async () => {
    const { pool } = server.running.services
    const original = pool.connect.bind(pool)
    let asked = 0
    pool.connect = ((...args: []) => {
      asked++
      return original(...args)
    }) as typeof pool.connect
    // Background work may ask in between: the least of several counts is that of the call.
    const counts: number[] = []
    for (let round = 0; round < 5; round++) {
      asked = 0
      await caller.send(readMap, {})
      counts.push(asked)
    }
    pool.connect = original
    expect(Math.min(...counts)).toBeLessThanOrEqual(5)
  })
})

describe('GET /api/marketing/basemap', () => {
  it('returns the configured tiles, and the content security policy allows exactly their host', async () => {
    const reply = await caller.send(readBasemap)
    expect(reply.body).toEqual({
      styleUrl: null,
      tilesUrl: 'https://tiles.example.com/{z}/{x}/{y}.png',
      attribution: 'Tiles: Example',
    })
    const policy = pagePolicy('n', server.running.services.config)
    expect(policy).toContain("connect-src 'self' https://tiles.example.com;")
    expect(pagePolicy('n')).toContain("connect-src 'self';")
  })
})

describe('GET /api/marketing/health-overview', () => {
  it('returns no NaN for an empty company', async () => {
    const empty = await startTestServer()
    try {
      const [overview, trends, map] = await Promise.all([
        empty.as('growth.tab').send(readHealthOverview),
        empty.as('growth.tab').send(readHealthTrends),
        empty.as('growth.tab').send(readMap),
      ])
      expect(overview.body).toMatchObject({
        users: { total: 0, growthPct: null, churnRatePct: null },
        bookings: { growthPct: null },
        warnings: [],
      })
      expect(trends.status).toBe(200)
      expect(map.body).toMatchObject({ zones: [], outliers: [], outsideUsers: 0 })
    } finally {
      await empty.stop()
    }
  })

  it('warns only of overdue partners, renewals within 30 days and partners without contact for over 30 days', async () => {
    const now = server.clock.now()
    const day = (days: number) =>
      shift(now, days * DAY)
        .toISOString()
        .slice(0, 10)
    const make = (name: string, more: object) =>
      makeBusiness(server.db, {
        zone_id: zone.id,
        name,
        stage: 'active',
        times_contacted: 1,
        last_contact_at: now,
        created_at: shift(now, -200 * DAY),
        ...more,
      })
    await make('Today', { renews_on: day(0) })
    await make('Last day', { renews_on: day(30) })
    await make('Too late', { renews_on: day(31) })
    await make('Over', { renews_on: day(-1) })
    await make('Pilot', { stage: 'pending', pilot_ends_on: day(10), renews_on: null })
    await make('Pilot over', { stage: 'pending', pilot_ends_on: day(-1), renews_on: null })
    await make('Archived', { renews_on: day(5), archived_at: now })
    await make('Quiet', { renews_on: day(300), last_contact_at: shift(now, -32 * DAY) })
    await make('Never', { renews_on: day(300), times_contacted: 0, last_contact_at: null })
    await make('Ended', {
      stage: 'ended',
      ended_reason: 'Moved',
      renews_on: null,
      last_contact_at: shift(now, -90 * DAY),
    })
    const { body } = await caller.send(readHealthOverview)
    expect(body.businesses).toEqual({ total: 9, upcomingRenewals: 3, noRecentContact: 2 })
    expect(body.warnings.map(({ kind, name, isOverdue }) => `${isOverdue ? 'overdue ' : ''}${kind} ${name}`)).toEqual([
      'overdue pilot Pilot over',
      'overdue renewal Over',
      'renewal Today',
      'renewal Last day',
      'no_contact Never',
      'no_contact Quiet',
    ])
    const rows = await server.as('growth.people').send(listFigureRows, { params: { figure: 'upcomingRenewals' } })
    expect(rows.body.rows.map(({ name }) => name)).toEqual(['Last day', 'Today', 'Over'])
  })
})

describe('rows behind a figure', () => {
  const people = () => server.as('growth.people')
  it('are shown only to workers who can see people', async () => {
    for (const call of [listFigureRows, exportFigureRows])
      expect((await caller.send(call, { params: { figure: 'users' } })).status).toBe(403)
  })
  it('come in pages with a total', async () => {
    const { body } = await people().send(listFigureRows, {
      params: { figure: 'users' },
      query: { limit: '1', page: '2' },
    })
    expect(body.pagination).toMatchObject({ totalItems: 2, totalPages: 2, page: 2 })
    expect(body.rows).toHaveLength(1)
    const past = await people().send(listFigureRows, { params: { figure: 'users' }, query: { page: '99' } })
    expect(past.body).toMatchObject({ rows: [], pagination: { totalItems: 2 } })
  })
  it('are exported as CSV without live formulas', async () => {
    const reply = await people().send(exportFigureRows, {
      params: { figure: 'users' },
      query: { zoneId: String(zone.id) },
    })
    expect(reply.headers.get('content-type')).toMatch(/^text\/csv/)
    expect(reply.headers.get('content-disposition')).toMatch(/"users-\d{4}-\d\d-\d\d\.csv"/)
    const lines = reply.text.trim().split('\r\n')
    expect(lines).toHaveLength(3)
    expect(reply.text).toContain(`"'=HYPERLINK(""x"")`)
    expect(reply.text).toContain('"Jordan Okafor, Jr."')
  })
  it.each([
    { params: { figure: 'everything' } },
    { params: { figure: 'users' }, query: { bbox: '1,2,3' } },
    { params: { figure: 'users' }, query: { zoneId: '-1' } },
    { params: { figure: 'users' }, query: { limit: '1000' } },
    { params: { figure: 'users' }, query: { city: ' ' } },
    { params: { figure: 'users' }, query: { city: 'Hemet', zoneId: '1' } },
    { params: { figure: 'users' }, query: { city: 'Hemet', bbox: '33,-118,34,-117' } },
    { params: { figure: 'users' }, query: { category: 'bonus' } },
    { params: { figure: 'payouts' }, query: { category: 'tips' } },
  ])('are refused for %j', async (input) => {
    expect((await people().send(listFigureRows, input as never)).status).toBe(400)
  })
})

describe('GET /api/marketing/city-summary', () => {
  it.each([{}, { zoneId: '1', city: 'Hemet' }, { city: 'Hemet', place: 'Hemet' }])(
    'refuses a query that does not name exactly one place: %j',
    async (query) => {
      expect(await caller.send(readCitySummary, { query })).toMatchObject({ status: 400, failure: { code: 'which' } })
    },
  )
  it('finds a place by the name in a task', async () => {
    const known = await caller.send(readCitySummary, { query: { place: 'riverside' } })
    expect(known.body).toMatchObject({ name: 'Riverside', zoneId: zone.id, box: boxOf(zone.geometry) })
    const other = await caller.send(readCitySummary, { query: { place: 'Nowhere' } })
    expect(other.body).toMatchObject({ name: 'Nowhere', zoneId: null, box: null, metrics: { users: 0 } })
  })
  it('returns 404 for an unknown zone', async () => {
    expect((await caller.send(readCitySummary, { query: { zoneId: '999999' } })).status).toBe(404)
  })
})

describe('refreshing the figures', () => {
  it('recalculates after a new day or new data, but only after the pause', async () => {
    const { services } = server.running
    await refreshFigures(services)
    const { took_ms } = await server.db.selectFrom('growth_state').selectAll().executeTakeFirstOrThrow()
    server.clock.advance(took_ms * 50 - 1)
    expect(await refreshWhenDue(services)).toBe(false)
    server.clock.advance(30 * HOUR)
    expect(await refreshWhenDue(services)).toBe(true)
    const state = await server.db.selectFrom('growth_state').selectAll().executeTakeFirstOrThrow()
    expect(state.refreshed_at).toEqual(server.clock.now())
  })
  it('runs in one process at a time', async () => {
    const { services } = server.running
    const done = await Promise.all([1, 2, 3, 4].map(() => refreshFigures(services)))
    expect(done).toContain(true)
    const rows = await server.db.selectFrom('growth_places').select(['range_days', 'zone_id']).execute()
    expect(new Set(rows.map((row) => `${row.range_days}/${row.zone_id}`)).size).toBe(rows.length)
  })
})

describe('the point of a city', () => {
  const far = { zone_id: null }
  const circleOf = async (city: string) =>
    (await server.as('growth.tab').send(readMap, { query: {} })).body.outliers.find((one) => one.city === city)

  it('is the city center, not the average of the homes around it', async () => {
    await makeCustomer(server.db, { ...far, city: 'Barstow', latitude: 34.8, longitude: -117.3 })
    await makeCustomer(server.db, { ...far, city: 'Barstow', latitude: 34.7, longitude: -117.1 })
    await refreshFigures(server.running.services)
    expect(await circleOf('Barstow')).toMatchObject({ lat: 34.899, lng: -117.023, users: 2 })
    const { box } = (await server.as('growth.tab').send(readCitySummary, { query: { city: 'BARSTOW' } })).body
    expect(box).toEqual({ west: -117.023, south: 34.899, east: -117.023, north: 34.899 })
  })

  it('is a home outside every zone when the city center or the average of the homes is inside a zone', async () => {
    const [west, east] = [
      { latitude: 33.96, longitude: -118 },
      { latitude: 33.96, longitude: -116.7 },
    ]
    for (const city of ['Riverside', 'Nowhere on the list']) {
      await makeCustomer(server.db, { ...far, city, ...west })
      await makeCustomer(server.db, { ...far, city, ...east })
    }
    await refreshFigures(server.running.services)
    for (const city of ['Riverside', 'Nowhere on the list']) {
      const circle = await circleOf(city)
      expect([west.longitude, east.longitude], city).toContain(circle?.lng)
      expect(circle?.users).toBe(2)
    }
  })

  it('is not taken from a city of the same name far away', () => {
    expect(cityPoint('spring valley', { latitude: 32.7, longitude: -117 })).toMatchObject({ longitude: -116.999 })
    expect(cityPoint('spring valley', { latitude: 36.1, longitude: -115.2 })).toMatchObject({ longitude: -115.245 })
    expect(cityPoint('spring valley', { latitude: 40, longitude: -100 })).toBeUndefined()
    expect(cityPoint('constructor', { latitude: 33, longitude: -117 })).toBeUndefined()
  })
})
