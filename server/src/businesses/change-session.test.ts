import { readLedger } from '@limber/contract/businesses/block.ts'
import { cancelSession, rescheduleSession } from '@limber/contract/businesses/onsite.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR, shift } from '#platform/clock.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeBooking } from '#support/booking.factory.ts'
import { makeBlock, makeBusiness, makeSession } from './business.factory.ts'
import { makeZone } from './zone.factory.ts'

let server: TestServer
let clerk: TestCaller
let zoneId: number
beforeAll(async () => {
  server = await startTestServer()
  clerk = server.as('businesses.manage')
  zoneId = (await makeZone(server.db)).id
})
afterAll(() => server.stop())

const START = new Date('2026-12-02T17:00:00Z')
const LATER = shift(START, 24 * HOUR)

async function scheduled() {
  const business = await makeBusiness(server.db, { zone_id: zoneId })
  const block = await makeBlock(server.db, { business_id: business.id })
  const stretcher = await makeStretcher(server.db, { zone_id: zoneId })
  const session = await makeSession(server.db, { block_id: block.id, stretcher_id: stretcher.id, starts_at: START })
  return { business, stretcher, session }
}
const isBusyAt = (stretcher_id: number, starts_at: Date) =>
  makeBooking(server.db, { stretcher_id, starts_at, ends_at: shift(starts_at, HOUR) })
const move = (session_id: number, extra = {}) =>
  clerk.send(rescheduleSession, { body: { session_id, new_starts_at: LATER.toISOString(), ...extra } })
const postedAbout = async (id: number) =>
  (await server.db.selectFrom('outbox').select('key').where('key', 'like', `onsite:${id}:%`).execute())
    .map(({ key }) => key)
    .sort()

describe('POST /api/onsite/reschedule', () => {
  it('gives the session to another stretcher along with its start, where neither could be changed alone', async () => {
    const { business, stretcher, session } = await scheduled()
    const other = await makeStretcher(server.db, { zone_id: zoneId })
    await isBusyAt(stretcher.id, LATER)
    await isBusyAt(other.id, START)
    expect((await move(session.id)).failure.code).toBe('busy')
    const reply = await move(session.id, { new_stretcher_id: other.id, notify: { stretcher: true } })
    expect(reply.body).toMatchObject({
      stretcher_id: other.id,
      starts_at: '2026-12-03T17:00:00.000',
      ends_at: '2026-12-03T19:00:00.000',
      version: 2,
    })
    const { entries } = (await clerk.send(readLedger, { params: { id: String(business.id) } })).body
    expect(entries.slice(0, 2).map(({ kind }) => kind)).toEqual(['reassigned', 'moved'])
    expect(await postedAbout(session.id)).toEqual([`onsite:${session.id}:2:before`, `onsite:${session.id}:2:stretcher`])
  })
  it('refuses another stretcher who may not take it, and leaves the session as it is', async () => {
    const { session } = await scheduled()
    const trainee = await makeStretcher(server.db, { zone_id: zoneId, status: 'in_training' })
    expect((await move(session.id, { new_stretcher_id: trainee.id })).failure.code).toBe('not_ready')
    const elsewhere = await makeStretcher(server.db)
    expect((await move(session.id, { new_stretcher_id: elsewhere.id })).failure.code).toBe('other_zone')
    const row = await server.db
      .selectFrom('onsite_sessions')
      .select(['starts_at', 'version'])
      .where('id', '=', session.id)
      .execute()
    expect(row).toEqual([{ starts_at: START, version: 1 }])
  })
})

describe('those who booked a slot', () => {
  const book = (session_id: number, slots: Record<number, string>) =>
    server.db
      .insertInto('onsite_participants')
      .values(
        Object.entries(slots).map(([slot, email]) => ({
          session_id,
          slot: Number(slot),
          name: 'Ana Ruiz',
          email,
          customer_id: null,
          rating: null,
          booked_at: server.clock.now(),
        })),
      )
      .execute()

  it('get a mail each when it moves and when it is cancelled, if the worker chose so', async () => {
    const { session } = await scheduled()
    await book(session.id, { 0: 'ana@example.com', 1: 'ana@example.com', 4: 'ben@example.com' })
    await move(session.id, { notify: { stretcher: false, business: false } })
    expect(await postedAbout(session.id)).toEqual([])
    const to = shift(LATER, HOUR).toISOString()
    await move(session.id, { new_starts_at: to, notify: { participants: true } })
    const keys = (version: number) => [0, 4].map((slot) => `onsite:${session.id}:${version}:slot-${slot}`)
    expect(await postedAbout(session.id)).toEqual(keys(3))
    const body = { session_id: session.id, reason: 'Fire drill', notify: { participants: true } }
    expect((await clerk.send(cancelSession, { body })).status).toBe(200)
    expect(await postedAbout(session.id)).toEqual([...keys(3), ...keys(4)])
  })
})
