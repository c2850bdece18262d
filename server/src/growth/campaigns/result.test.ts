import { changeFrom, changeLike, type Expectation, expectedAfter } from '@limber/contract/growth/campaigns/result.ts'
import { readCitySummary } from '@limber/contract/growth/map/city.ts'
import type { TaskFigures } from '@limber/contract/growth/tasks/task.ts'
import { editCampaign, readCampaign } from '@limber/contract/marketing/campaigns/campaign.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import { create } from '#marketing/campaigns/campaign.testing.ts'
import { DAY, shift } from '#platform/clock.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { refreshFigures } from '../figures/refresh-figures.ts'
import { markCampaigns } from './mark-campaigns.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const maker = () => server.as('growth.tab', 'campaigns.create', 'campaigns.edit')
const expected = { users: 30, activeUsers: 20, sessions: 9, revenue: 1000 }
const start = (over: Record<string, string | undefined>) =>
  create(maker(), { source: 'manual', start_date: '2026-11-20', end_date: undefined, ...over })
const read = async (id: number) =>
  (await maker().send(readCampaign, { params: { id: String(id) } })).body.campaign.result

/** Puts users into a zone who joined so many days from now. */
async function join(zone_id: number, days: number, count: number) {
  const joined_at = shift(server.clock.now(), days * DAY)
  for (let left = count; left > 0; left -= 1)
    await makeCustomer(server.db, { zone_id, latitude: 33.9, longitude: -117.4, joined_at })
}

describe('the measure', () => {
  const figures = (users: number, revenue = users * 10): TaskFigures => ({
    users,
    activeUsers: users,
    sessions: users,
    revenue,
  })
  it.each([
    [0, 0, 0],
    [30, 10, 333.33],
    [60, 20, 666.67],
    [90, 30, 1000],
  ])('expects after %i days the share of day 90', (days, users, revenue) => {
    expect(expectedAfter(expected as typeof Expectation._output, days)).toMatchObject({ users, revenue })
  })
  it.each([
    // The place has half as many users as the similar zones, which grew by a tenth.
    [100, 200, 220, 10],
    [100, 200, 200, 0],
    [100, 200, 150, -25],
    [0, 200, 400, 0],
    // Zones without any tell nothing.
    [100, 0, 40, null],
  ])('of %i grows like the similar zones from %i to %i: by %s', (before, from, to, change) => {
    expect(changeLike(figures(before), figures(from), figures(to)).users).toBe(change)
  })
  it('of a place that moved exactly like the similar zones leaves nothing to the campaign', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const [zones, size, growth] = [1 + (seed % 5), 10 + ((seed * 37) % 400), 1 + ((seed * 13) % 7)]
      const [before, after] = [figures(size), figures(size * growth)]
      const like = changeLike(before, figures(size * zones), figures(size * zones * growth))
      expect(like).toEqual(changeFrom(before, after))
    }
  })
  it('of money is exact', () => {
    expect(changeFrom(figures(1, 0.1), figures(1, 0.3)).revenue).toBe(0.2)
  })
})

describe('a campaign for a zone', () => {
  it('stores what is expected, and shows it beside what was measured and what similar zones did', async () => {
    const [zone, twin, small, busy] = await Promise.all(
      ['Corona', 'Norco', 'Eastvale', 'Chino'].map((name) => makeZone(server.db, { name })),
    )
    if (!zone || !twin || !small || !busy) throw new Error('four zones were made')
    const begun = server.clock.now()
    await join(zone.id, -40, 10)
    await join(twin.id, -40, 8)
    await join(small.id, -40, 2)
    await join(busy.id, -40, 10)
    await refreshFigures(server.running.services)
    // Chino has its own campaign, so it is no control.
    await start({ name: 'Chino too', city_name: 'chino', expected: JSON.stringify(expected) })
    const { id } = (await start({ name: 'Corona', city_name: ' Corona ', expected: JSON.stringify(expected) })).body
      .campaign
    expect(await read(id)).toMatchObject({
      cityName: 'Corona',
      before: null,
      marks: [{ afterDays: 30, expected: { users: 10 }, measured: null, similar: null }, {}, {}],
    })
    // The day before the start is over on the 20th.
    expect(await markCampaigns(server.db, begun)).toBe(0)
    await join(zone.id, 10, 4)
    await join(twin.id, 10, 2)
    await join(zone.id, 40, 1)
    server.clock.set(shift(begun, 70 * DAY))
    expect(await markCampaigns(server.db, server.clock.now())).toBe(6)
    expect(await markCampaigns(server.db, server.clock.now())).toBe(0)
    const result = await read(id)
    expect(result?.before).toMatchObject({ users: 10, activeUsers: 0, sessions: 0, revenue: 0 })
    expect(result?.similar).toEqual(['Eastvale', 'Norco'])
    // Norco and Eastvale together grew from 10 to 12 users, by a fifth.
    expect(
      result?.marks.map(({ day, expected: due, measured, similar }) => [
        day,
        due.users,
        measured?.users,
        similar?.users,
      ]),
    ).toEqual([
      ['2026-12-19', 10, 4, 2],
      ['2027-01-18', 20, 5, 2],
      ['2027-02-17', 30, undefined, undefined],
    ])
    expect(result?.marks[0]?.similar).toMatchObject({ sessions: null, revenue: null })
    await refreshFigures(server.running.services)
    const city = await server.as('growth.tab').send(readCitySummary, { query: { zoneId: String(zone.id) } })
    expect(city.body.campaigns).toMatchObject([{ id, name: 'Corona', result }])
    // Another start is measured again; the same zones stay its control.
    await maker().send(editCampaign, { params: { id: String(id) }, body: { start_date: '2026-12-05' } })
    expect((await read(id))?.before).toBeNull()
    await markCampaigns(server.db, server.clock.now())
    expect(await read(id)).toMatchObject({ before: { users: 14 }, similar: ['Eastvale', 'Norco'] })
    server.clock.set(begun)
  })

  it('measures a city outside every zone by its people', async () => {
    const { id } = (await start({ city_name: 'Hemet', expected: JSON.stringify(expected), start_date: '2026-11-01' }))
      .body.campaign
    await makeCustomer(server.db, {
      zone_id: null,
      city: 'Hemet',
      latitude: 33.7,
      longitude: -116.9,
      joined_at: new Date('2026-10-01T12:00:00Z'),
    })
    await markCampaigns(server.db, server.clock.now())
    expect((await read(id))?.before).toMatchObject({ users: 1 })
    const city = await server.as('growth.tab').send(readCitySummary, { query: { city: 'Hemet' } })
    expect(city.body.campaigns).toMatchObject([{ id }])
  })

  it('is refused without a valid expectation, and writes nothing', async () => {
    const count = async () =>
      (await sql<{ n: number }>`select count(*)::int as n from campaigns`.execute(server.db)).rows[0]?.n
    const before = await count()
    for (const text of [undefined, '{}', '{"users":1.5,"activeUsers":0,"sessions":0,"revenue":0}', '[]'])
      expect((await start({ city_name: 'Corona', expected: text })).status).toBe(400)
    expect(await count()).toBe(before)
  })

  it('has no result when it is for no place', async () => {
    const { id } = (await start({})).body.campaign
    expect(await read(id)).toBeNull()
  })
})
