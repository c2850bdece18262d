import { activateBlock, BAD_DATE, listCandidates } from '@limber/contract/businesses/sessions/onsite.ts'
import { inputFromMoment, readBareMoment } from '@limber/contract/kit/zone-time.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCertification, makeCertificationType } from '#certifications/certification.factory.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeBooking } from '#support/customers/booking.factory.ts'
import { makeBlock, makeBusiness } from '../business/business.factory.ts'
import { makeZone } from '../zones/zone.factory.ts'

const LA = 'America/Los_Angeles'

let server: TestServer
let clerk: TestCaller
let zone: { id: number }
let businessId: number
let day = 0
beforeAll(async () => {
  server = await startTestServer()
  clerk = server.as('businesses.manage')
  zone = await makeZone(server.db, { name: 'Riverside' })
  businessId = (await makeBusiness(server.db, { zone_id: zone.id })).id
})
afterAll(() => server.stop())

const stretcherOf = (zone_id: number, overrides = {}) => makeStretcher(server.db, { zone_id, ...overrides })
const blockOf = (overrides = {}) => makeBlock(server.db, { business_id: businessId, ...overrides })
/** A start time that no other test uses. */
const aStart = () => new Date(Date.UTC(2027, 0, 1 + day++)).toISOString()
const activate = (prepaid_block_id: number, stretcher_id: number, starts_at: string) =>
  clerk.send(activateBlock, { body: { prepaid_block_id, stretcher_id, starts_at } })
const candidatesFor = async (prepaid_block_id: number, starts_at: string) =>
  (await clerk.send(listCandidates, { body: { prepaid_block_id, starts_at } })).body
/** Bare times of a reply in the zone's time zone. */
const inZone = (starts: readonly string[]) => starts.map((text) => inputFromMoment(readBareMoment(text), LA))

describe('POST /api/onsite/candidates', () => {
  it('ranks stretchers by availability, shows conflicts, and suggests other start times', async () => {
    const own = await makeZone(server.db, { name: 'Redlands' })
    const business = await makeBusiness(server.db, { zone_id: own.id })
    const block = await makeBlock(server.db, { business_id: business.id })
    const named = (first_name: string, overrides = {}) => stretcherOf(own.id, { first_name, ...overrides })
    const trainee = await named('Aaron', { status: 'in_training' })
    const busy = await named('Bea')
    const free = await named('Zoe')
    await named('Gone', { status: 'inactive' })
    await stretcherOf(zone.id, { first_name: 'Elsewhere' })
    // 9:00 AM in California; Bea is with a customer until 10:00 AM.
    const start = '2026-12-02T17:00:00Z'
    await makeBooking(server.db, {
      stretcher_id: busy.id,
      starts_at: new Date('2026-12-02T16:30:00Z'),
      ends_at: new Date('2026-12-02T18:00:00Z'),
    })
    const { body } = await clerk.send(listCandidates, { body: { prepaid_block_id: block.id, starts_at: start } })
    expect(body.candidates.map(({ id, state }) => [id, state])).toEqual([
      [free.id, 'free'],
      [busy.id, 'busy'],
      [trainee.id, 'in_training'],
    ])
    expect(body.candidates[1]?.clash).toEqual({
      kind: 'booking',
      starts_at: '2026-12-02T16:30:00.000',
      ends_at: '2026-12-02T18:00:00.000',
      business: null,
    })
    expect(body.candidates[1]?.next_starts).toEqual([
      '2026-12-02T18:00:00.000',
      '2026-12-02T18:30:00.000',
      '2026-12-02T19:00:00.000',
    ])
    expect(body.candidates[2]?.next_starts).toEqual([])
    expect(body.next_starts[0]).toEqual({ starts_at: '2026-12-02T17:30:00.000', stretcher_id: free.id })
    expect(body).toMatchObject({ time_zone: 'America/Los_Angeles', ends_at: '2026-12-02T19:00:00.000' })
    // Late in the evening, the next possible start is in the morning.
    const late = await clerk.send(listCandidates, {
      body: { prepaid_block_id: block.id, starts_at: '2026-12-03T04:00:00Z' },
    })
    expect(late.body.next_starts[0]?.starts_at).toBe('2026-12-03T15:00:00.000')
  })
  it('is empty in a zone without stretchers', async () => {
    const block = await makeBlock(server.db)
    const { body } = await clerk.send(listCandidates, { body: { prepaid_block_id: block.id, starts_at: aStart() } })
    expect(body.candidates).toEqual([])
    expect(
      (await clerk.send(listCandidates, { body: { prepaid_block_id: 999_999, starts_at: aStart() } })).status,
    ).toBe(404)
    expect((await clerk.send(listCandidates, { body: { prepaid_block_id: 1, starts_at: 'x' } })).failure.error).toBe(
      BAD_DATE,
    )
  })
  it('does not count the session of the block itself as a conflict', async () => {
    const block = await blockOf()
    const { id } = await stretcherOf(zone.id)
    const start = aStart()
    await activate(block.id, id, start)
    const { body } = await clerk.send(listCandidates, { body: { prepaid_block_id: block.id, starts_at: start } })
    expect(body.candidates.find((one) => one.id === id)?.state).toBe('free')
  })
  it("suggests no start after the last day of the block, in the zone's time zone", async () => {
    const own = await makeZone(server.db, { name: 'Hemet' })
    const business = await makeBusiness(server.db, { zone_id: own.id })
    const { id } = await stretcherOf(own.id)
    const block = await makeBlock(server.db, { business_id: business.id, expires_on: '2026-12-01' })
    // 5:30 PM of the last day in California, already the next day in UTC.
    const body = await candidatesFor(block.id, '2026-12-02T01:30:00Z')
    const own_starts = body.candidates[0]?.next_starts ?? []
    expect(inZone(own_starts)).toEqual(['2026-12-01T18:00', '2026-12-01T18:30', '2026-12-01T19:00'])
    expect(
      inZone((await candidatesFor(block.id, '2026-12-02T02:30:00Z')).next_starts.map((one) => one.starts_at)),
    ).toEqual(['2026-12-01T19:00'])
    const [last] = own_starts.slice(-1)
    expect((await activate(block.id, id, `${last}Z`)).status).toBe(200)
  })
  it('suggests no start beyond the limit, and none that overlaps a later booking', async () => {
    const own = await makeZone(server.db, { name: 'Banning' })
    const business = await makeBusiness(server.db, { zone_id: own.id })
    const { id } = await stretcherOf(own.id)
    const block = await makeBlock(server.db, { business_id: business.id, block_hours: 4 })
    expect((await candidatesFor(block.id, '2028-11-18T16:00:00Z')).next_starts).toEqual([])
    // Busy all day for two weeks except the last morning, which overlaps a booking after the two weeks.
    const start = new Date('2026-12-02T16:00:00Z')
    for (let hours = 0; hours < 14 * 24 - 1; hours += 7)
      await makeBooking(server.db, {
        stretcher_id: id,
        starts_at: new Date(start.getTime() + hours * 3_600_000),
        ends_at: new Date(start.getTime() + Math.min(hours + 7, 14 * 24 - 1) * 3_600_000),
      })
    await makeBooking(server.db, {
      stretcher_id: id,
      starts_at: new Date('2026-12-16T17:00:00Z'),
      ends_at: new Date('2026-12-16T18:00:00Z'),
    })
    expect((await candidatesFor(block.id, start.toISOString())).next_starts).toEqual([])
  })
  it('suggests only starts on days when the stretcher is still certified', async () => {
    const own = await makeZone(server.db, { name: 'Perris' })
    const business = await makeBusiness(server.db, { zone_id: own.id })
    const block = await makeBlock(server.db, { business_id: business.id })
    const [ending, endless] = [await stretcherOf(own.id), await stretcherOf(own.id)]
    const safety = await makeCertificationType(server.db, { is_required: true })
    const give = (customer_id: number, valid_until: string | null) =>
      makeCertification(server.db, { customer_id, type_id: safety.id, valid_until })
    await give(ending.customer_id, '2026-11-30')
    await give(ending.customer_id, '2026-12-02')
    await give(endless.customer_id, null)
    // 6:30 PM of the last certified day in California.
    const body = await candidatesFor(block.id, '2026-12-03T02:30:00Z')
    const startsOf = (id: number) => inZone(body.candidates.find((one) => one.id === id)?.next_starts ?? [])
    expect(startsOf(ending.id)).toEqual(['2026-12-02T19:00'])
    expect(startsOf(endless.id)).toEqual(['2026-12-02T19:00', '2026-12-03T07:00', '2026-12-03T07:30'])
    await server.db.updateTable('certification_types').set({ is_required: false }).where('id', '=', safety.id).execute()
  })
})
