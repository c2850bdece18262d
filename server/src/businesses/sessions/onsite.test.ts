import { listBlocks, readLedger } from '@limber/contract/businesses/blocks/block.ts'
import {
  activateBlock,
  BAD_DATE,
  cancelSession,
  changeStretcher,
  listCandidates,
  listSoonSessions,
  readSession,
  rescheduleSession,
} from '@limber/contract/businesses/sessions/onsite.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR, shift } from '#platform/clock.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeBooking } from '#support/customers/booking.factory.ts'
import { makeBlock, makeBusiness, makeSession } from '../business/business.factory.ts'
import { makeZone } from '../zones/zone.factory.ts'

let server: TestServer
let clerk: TestCaller
let zone: { id: number }
let businessId: number
let day = 0
beforeAll(async () => {
  server = await startTestServer()
  clerk = server.as('businesses.manage')
  zone = await makeZone(server.db, { name: 'Riverside' })
  businessId = (await makeBusiness(server.db, { zone_id: zone.id, location: 'Lobby' })).id
})
afterAll(() => server.stop())

const stretcherOf = (zone_id: number, overrides = {}) => makeStretcher(server.db, { zone_id, ...overrides })
const blockOf = (overrides = {}) => makeBlock(server.db, { business_id: businessId, ...overrides })
/** A start time that no other test uses. */
const aStart = () => new Date(Date.UTC(2027, 0, 1 + day++)).toISOString()
const activate = (prepaid_block_id: number, stretcher_id: number, starts_at: string, extra = {}) =>
  clerk.send(activateBlock, { body: { prepaid_block_id, stretcher_id, starts_at, ...extra } })
const later = (iso: string, hours: number) => shift(new Date(iso), hours * HOUR).toISOString()
const bare = (iso: string) => iso.slice(0, -1)

describe('POST /api/onsite/activate-block', () => {
  it('schedules the session, returns its end without an offset, and marks the block as used', async () => {
    const block = await blockOf({ block_hours: 4, slot_length_minutes: 20 })
    const { id } = await stretcherOf(zone.id)
    const start = aStart()
    const reply = await activate(block.id, id, start)
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body).toMatchObject({
      block_id: block.id,
      stretcher_id: id,
      starts_at: bare(start),
      ends_at: bare(later(start, 4)),
      state: 'scheduled',
      slots: 12,
      taken_slots: 0,
    })
    const { blocks } = (await clerk.send(listBlocks, { body: { business_id: businessId } })).body
    expect(blocks.find((one) => one.id === block.id)).toMatchObject({
      is_used: 1,
      state: 'scheduled',
      session: { id: reply.body.id },
    })
  })
  it('accepts a start with any offset', async () => {
    const { id } = await stretcherOf(zone.id)
    const reply = await activate((await blockOf()).id, id, '2027-06-01T09:00:00+14:00')
    expect(reply.body.starts_at).toBe('2027-05-31T19:00:00.000')
  })
  it.each([
    '2026-12-01T01:30',
    '2026-12-01T24:00:00Z',
    '10000-01-01T00:00:00Z',
    '2026-12-31T23:59:60Z',
    '2027-02-29T10:00:00Z',
    'tomorrow',
    '',
    '2026-12-01T10:00:00+14:60',
    '2026-12-01 10:00:00Z',
    'x'.repeat(150),
  ])('T3 refuses the start %j with the specified text', async (starts_at) => {
    const block = await blockOf()
    const { id } = await stretcherOf(zone.id)
    const reply = await activate(block.id, id, starts_at)
    expect([reply.status, reply.failure.error]).toEqual([400, BAD_DATE])
    const { blocks } = (await clerk.send(listBlocks, { body: { business_id: businessId } })).body
    expect(blocks.find((one) => one.id === block.id)?.is_used).toBe(0)
  })
  it('J13 refuses invalid requests, and leaves the block unused', async () => {
    const block = await blockOf()
    const here = await stretcherOf(zone.id)
    const elsewhere = await makeStretcher(server.db)
    const trainee = await stretcherOf(zone.id, { status: 'in_training' })
    const gone = await stretcherOf(zone.id, { status: 'inactive' })
    const start = aStart()
    const cases = [
      [here.id, '2026-11-16T16:55:00Z', 422, 'in_the_past'],
      [here.id, '2026-11-01T17:00:00Z', 422, 'in_the_past'],
      [here.id, '2031-01-01T17:00:00Z', 422, 'too_far'],
      [elsewhere.id, start, 422, 'other_zone'],
      [trainee.id, start, 422, 'not_ready'],
      [gone.id, start, 422, 'not_ready'],
      [999_999, start, 404, 'no_stretcher'],
    ] as const
    for (const [stretcher, at, status, code] of cases) {
      const reply = await activate(block.id, stretcher, at)
      expect([reply.status, reply.failure.code]).toEqual([status, code])
    }
    expect((await activate(999_999, here.id, start)).status).toBe(404)
    expect((await activate(block.id, here.id, start)).status).toBe(200)
    const twice = await activate(block.id, here.id, aStart())
    expect([twice.status, twice.failure.code]).toEqual([409, 'block_taken'])
    const overlapping = await activate((await blockOf()).id, here.id, later(start, 1))
    expect([overlapping.status, overlapping.failure.code]).toEqual([409, 'busy'])
    expect(overlapping.failure.error).toMatch(/^Sam Okafor is busy \d+:\d\d [AP]M – \d+:\d\d [AP]M\.$/)
  })
  it('accepts the current five minutes as the start', async () => {
    for (const start of ['2026-11-16T17:00:00Z', '2026-11-16T16:55:01Z']) {
      const { id } = await stretcherOf(zone.id)
      const reply = await activate((await blockOf()).id, id, start)
      expect([reply.status, reply.body.state]).toEqual([200, 'in_progress'])
    }
  })
  it('S3 allows back-to-back sessions', async () => {
    const { id } = await stretcherOf(zone.id)
    const start = aStart()
    for (const at of [start, later(start, 2), later(start, -2)])
      expect((await activate((await blockOf()).id, id, at)).status).toBe(200)
    const before = { prepaid_block_id: (await blockOf()).id, starts_at: later(start, -4) }
    const { candidates } = (await clerk.send(listCandidates, { body: before })).body
    expect(candidates.find((one) => one.id === id)?.state).toBe('free')
  })
  it('refuses overlaps with bookings of the stretcher, and bookings that overlap its sessions', async () => {
    const { id } = await stretcherOf(zone.id)
    const start = aStart()
    const booking = { stretcher_id: id, starts_at: new Date(start), ends_at: new Date(later(start, 1)) }
    await makeBooking(server.db, { ...booking, status: 'confirmed' })
    expect((await activate((await blockOf()).id, id, start)).failure.code).toBe('busy')
    expect((await activate((await blockOf()).id, id, later(start, 1))).status).toBe(200)
    const during = { starts_at: new Date(later(start, 2)), ends_at: new Date(later(start, 2.5)) }
    await expect(makeBooking(server.db, { stretcher_id: id, ...during })).rejects.toThrow('on-site session')
    await makeBooking(server.db, { stretcher_id: id, ...during, status: 'requested' })
  })
  it("refuses a start after the last day of the block, in the zone's time zone", async () => {
    const { id } = await stretcherOf(zone.id)
    const block = await blockOf({ expires_on: '2026-12-01' })
    const reply = await activate(block.id, id, '2026-12-02T08:30:00Z')
    expect([reply.status, reply.failure.error]).toEqual([409, 'This block can be used until Dec 1, 2026.'])
    expect((await activate(block.id, id, '2026-12-02T07:30:00Z')).status).toBe(200)
  })
  it('emails only the recipients the worker chose', async () => {
    const { id } = await stretcherOf(zone.id, { first_name: 'Renata', last_name: 'Solis' })
    const { body } = await activate((await blockOf()).id, id, '2027-08-03T17:00:00Z', { notify: { stretcher: true } })
    const posted = async () =>
      (
        await server.db
          .selectFrom('outbox')
          .select(['key', 'about'])
          .where('key', 'like', `onsite:${body.id}:%`)
          .execute()
      )
        .map(({ key }) => key)
        .sort()
    expect(await posted()).toEqual([`onsite:${body.id}:1:stretcher`])
    const reason = 'The lobby is closed'
    const done = await clerk.send(cancelSession, {
      body: { session_id: body.id, reason, notify: { stretcher: true, business: true } },
    })
    expect(done.body.state).toBe('cancelled')
    expect(await posted()).toEqual([
      `onsite:${body.id}:1:stretcher`,
      `onsite:${body.id}:2:business`,
      `onsite:${body.id}:2:stretcher`,
    ])
  })
})

describe('a session', () => {
  const scheduled = async (start = aStart(), overrides = {}) => {
    const block = await blockOf(overrides)
    const stretcher = await stretcherOf(zone.id)
    const { body } = await activate(block.id, stretcher.id, start)
    return { block, stretcher, session: body, start }
  }

  it('S7 can be moved to another start and keeps its length', async () => {
    const { session, start } = await scheduled()
    const to = later(start, 1)
    const reply = await clerk.send(rescheduleSession, { body: { session_id: session.id, new_starts_at: to } })
    expect(reply.body).toMatchObject({ starts_at: bare(to), ends_at: bare(later(to, 2)), version: 2 })
    const bad = await clerk.send(rescheduleSession, { body: { session_id: session.id, new_starts_at: 'soon' } })
    expect([bad.status, bad.failure.error]).toEqual([400, BAD_DATE])
    const past = await clerk.send(rescheduleSession, {
      body: { session_id: session.id, new_starts_at: '2026-11-16T16:00:00Z' },
    })
    expect(past.status).toBe(422)
  })
  it('O1 refuses a stale version with the current session', async () => {
    const { session, start } = await scheduled()
    const move = (hours: number) =>
      clerk.send(rescheduleSession, {
        body: { session_id: session.id, new_starts_at: later(start, hours), version: session.version },
      })
    expect((await move(1)).status).toBe(200)
    const stale = await move(2)
    expect([stale.status, stale.failure.code]).toEqual([409, 'stale'])
    expect(stale.failure.current).toMatchObject({ starts_at: bare(later(start, 1)), version: 2 })
    const body = { session_id: session.id, new_stretcher_id: session.stretcher_id, version: 1 }
    expect((await clerk.send(changeStretcher, { body })).failure.code).toBe('stale')
  })
  it('S5 can be assigned only to another stretcher of the zone', async () => {
    const { session, start } = await scheduled()
    const change = (new_stretcher_id: number) =>
      clerk.send(changeStretcher, { body: { session_id: session.id, new_stretcher_id } })
    const other = await stretcherOf(zone.id)
    expect((await change(other.id)).body.stretcher_id).toBe(other.id)
    expect((await change((await makeStretcher(server.db)).id)).status).toBe(422)
    expect((await change(999_999)).status).toBe(404)
    const busy = await stretcherOf(zone.id)
    await activate((await blockOf()).id, busy.id, later(start, -1))
    expect((await change(busy.id)).failure.code).toBe('busy')
  })
  it('returns its block when canceled, with the reason in the ledger', async () => {
    const { session, block, stretcher, start } = await scheduled()
    const cancel = () => clerk.send(cancelSession, { body: { session_id: session.id, reason: 'Fire drill that day' } })
    expect((await cancel()).body.state).toBe('cancelled')
    expect((await cancel()).failure.code).toBe('cancelled')
    expect((await clerk.send(cancelSession, { body: { session_id: session.id, reason: ' ' } })).status).toBe(400)
    const { entries } = (await clerk.send(readLedger, { params: { id: String(businessId) } })).body
    expect(entries[0]).toMatchObject({ kind: 'returned', block_id: block.id, reason: 'Fire drill that day', hours: 2 })
    expect((await activate(block.id, stretcher.id, start)).status).toBe(200)
  })
  it('cannot be changed after it has started', async () => {
    const { session } = await scheduled(shift(server.clock.now(), 10 * 60_000).toISOString())
    server.clock.advance(20 * 60_000)
    try {
      const at = aStart()
      expect(
        (await clerk.send(rescheduleSession, { body: { session_id: session.id, new_starts_at: at } })).failure.code,
      ).toBe('begun')
      expect((await clerk.send(cancelSession, { body: { session_id: session.id, reason: 'late' } })).failure.code).toBe(
        'begun',
      )
    } finally {
      server.clock.advance(-20 * 60_000)
    }
  })
  it('lists its slots with their participants, which move along', async () => {
    const { session, start } = await scheduled()
    await server.db
      .insertInto('onsite_participants')
      .values({
        session_id: session.id,
        slot: 2,
        name: 'Ana Ruiz',
        email: 'ana@example.com',
        customer_id: null,
        rating: 5,
        booked_at: server.clock.now(),
      })
      .execute()
    const to = later(start, 3)
    await clerk.send(rescheduleSession, { body: { session_id: session.id, new_starts_at: to } })
    const { body } = await clerk.send(readSession, { params: { id: String(session.id) } })
    expect(body.slot_list).toHaveLength(8)
    expect(body.slot_list[2]).toEqual({
      starts_at: bare(later(to, 0.5)),
      ends_at: bare(later(to, 0.75)),
      participant: { name: 'Ana Ruiz', email: 'ana@example.com', rating: 5 },
    })
    expect(body).toMatchObject({ taken_slots: 1, slots: 8, time_zone: 'America/Los_Angeles', location: 'Lobby' })
  })
  it('is not found, with the specified text', async () => {
    const reply = await clerk.send(readSession, { params: { id: '999999' } })
    expect([reply.status, reply.failure.error]).toEqual([404, 'No session found for this block.'])
  })
})

describe('GET /api/onsite/soon', () => {
  it("lists the sessions of today and tomorrow that have not ended, in the zone's time zone", async () => {
    // It is about 9 AM on Monday, November 16, 2026 in California.
    const own = await makeBusiness(server.db, { zone_id: zone.id, location: 'Canteen' })
    const at = async (starts: string, more = {}) => {
      const block = await makeBlock(server.db, { business_id: own.id, block_hours: 2 })
      return makeSession(server.db, { starts_at: new Date(starts), block_id: block.id, ...more })
    }
    await at('2026-11-16T13:00:00Z')
    const running = await at('2026-11-16T16:00:00Z')
    const tonight = await at('2026-11-17T04:00:00Z')
    const tomorrow = await at('2026-11-18T06:00:00Z')
    await at('2026-11-18T09:00:00Z')
    await at('2026-11-16T21:00:00Z', { cancelled_at: server.clock.now(), cancel_reason: 'Fire drill' })
    const { sessions: all } = (await clerk.send(listSoonSessions)).body
    const sessions = all.filter(({ business_id }) => business_id === own.id)
    expect(sessions.map(({ id, is_today, time }) => [id, is_today, time])).toEqual([
      [running.id, true, '8:00 AM – 10:00 AM'],
      [tonight.id, true, '8:00 PM – 10:00 PM'],
      [tomorrow.id, false, '10:00 PM – 12:00 AM'],
    ])
    expect(sessions[0]).toMatchObject({ business_name: own.name, block_id: running.block_id, location: 'Canteen' })
  })
  it('refuses callers without permission', async () => {
    expect((await server.as('growth.tab').send(listSoonSessions)).status).toBe(403)
  })
})
