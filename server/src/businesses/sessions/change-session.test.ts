import { readLedger } from '@limber/contract/businesses/blocks/block.ts'
import {
  activateBlock,
  cancelSession,
  markNotHeld,
  readSession,
  rescheduleSession,
} from '@limber/contract/businesses/sessions/onsite.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, shift } from '#platform/clock.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeBooking } from '#support/customers/booking.factory.ts'
import { makeBlock, makeBusiness, makeSession } from '../business/business.factory.ts'
import { makeZone } from '../zones/zone.factory.ts'

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
  it('changes stretcher and start together, where neither could change alone', async () => {
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
  it('refuses a stretcher who is not ready, and leaves the session unchanged', async () => {
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

describe('POST /api/onsite/not-held', () => {
  const mark = (session_id: number, extra = {}) =>
    server.as('businesses.manage').send(markNotHeld, { body: { session_id, reason: 'Stretcher ill', ...extra } })
  async function at<T>(moment: Date, act: () => Promise<T>): Promise<T> {
    const before = server.clock.now()
    server.clock.set(moment)
    try {
      return await act()
    } finally {
      server.clock.set(before)
    }
  }

  it.each([
    ['as it begins', 0],
    ['while it lasts', HOUR],
    ['seven days after its start', 7 * DAY],
  ])('returns the hours %s, with the reason, and the block can be scheduled again', async (_, after) => {
    const { business, session, stretcher } = await scheduled()
    const moment = shift(START, after)
    await at(moment, async () => {
      const reply = await mark(session.id, { notify: { stretcher: true, business: true } })
      expect(reply.status, reply.text).toBe(200)
      expect(reply.body).toMatchObject({ state: 'cancelled', version: 2 })
      const caller = server.as('businesses.manage')
      const detail = (await caller.send(readSession, { params: { id: String(session.id) } })).body
      expect(detail).toMatchObject({ cancel_reason: 'Stretcher ill', block_state: 'available' })
      const { ledger, entries } = (await caller.send(readLedger, { params: { id: String(business.id) } })).body
      expect(ledger).toMatchObject({ granted: { hours: 2 }, available: { hours: 2 }, delivered: { hours: 0 } })
      expect(entries[0]).toMatchObject({ kind: 'returned', hours: 2, reason: 'Stretcher ill' })
      expect(await postedAbout(session.id)).toEqual([
        `onsite:${session.id}:2:business`,
        `onsite:${session.id}:2:stretcher`,
      ])
      const again = { prepaid_block_id: session.block_id ?? 0, stretcher_id: stretcher.id }
      const starts_at = shift(moment, 5 * DAY).toISOString()
      expect((await caller.send(activateBlock, { body: { ...again, starts_at } })).status).toBe(200)
      expect((await mark(session.id)).failure.code).toBe('cancelled')
    })
    const audited = await server.db
      .selectFrom('audit_log')
      .select(['action', 'reason'])
      .where('subject', '=', 'onsite_session')
      .where('subject_id', '=', String(session.id))
      .execute()
    expect(audited).toEqual([{ action: 'session_not_held', reason: 'Stretcher ill' }])
  })

  it('is refused before the start, more than seven days after it, without a reason, and without permission', async () => {
    const { session } = await scheduled()
    expect((await mark(session.id)).failure.code).toBe('not_begun')
    await at(shift(START, 7 * DAY + MINUTE), async () => expect((await mark(session.id)).failure.code).toBe('too_late'))
    await at(START, async () => {
      expect((await mark(session.id, { reason: ' ' })).status).toBe(400)
      expect((await mark(999_999)).status).toBe(404)
      const body = { session_id: session.id, reason: 'Stretcher ill' }
      expect((await server.as('payroll.details').send(markNotHeld, { body })).status).toBe(403)
    })
    const row = await server.db.selectFrom('onsite_sessions').select('version').where('id', '=', session.id).execute()
    expect(row).toEqual([{ version: 1 }])
  })
})

describe('participants', () => {
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

  it('get an email when the session is moved or canceled, if the worker chose so', async () => {
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
