import { addEntry, listUnpaidSessions, type SessionRef } from '@limber/contract/payroll/entries/entry.ts'
import { listDetails } from '@limber/contract/payroll/lists/detail.ts'
import { changeSettings, readSettings } from '@limber/contract/payroll/settings/settings.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeBlock, makeBusiness, makeSession } from '#businesses/business/business.factory.ts'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeBooking } from '#support/customers/booking.factory.ts'
import { makeEarner, makeEntry } from '../payroll.factory.ts'
import { createSessionEntries } from './pay-sessions.ts'

let server: TestServer
let zone_id: number
let stretcher_id: number

beforeAll(async () => {
  server = await startTestServer()
  zone_id = (await makeZone(server.db, { time_zone: 'America/Los_Angeles' })).id
})
afterAll(() => server.stop())
beforeEach(async () => {
  server.clock.set('2026-11-16T17:00:00Z')
  stretcher_id = (await makeStretcher(server.db, { zone_id })).id
})

const book = () => createSessionEntries(server.running.services)
const change = (body: object) => server.asSteppedUp('payroll.settings').send(changeSettings, { body: body as never })

async function makeOnsiteSession(
  starts_at: string,
  block_hours = 3,
  more: { cancelled_at?: Date; cancel_reason?: string } = {},
) {
  const business = await makeBusiness(server.db, { zone_id, name: 'Arrowhead Credit Union' })
  const block = await makeBlock(server.db, { business_id: business.id, block_hours })
  return makeSession(server.db, { block_id: block.id, stretcher_id, starts_at: new Date(starts_at), ...more })
}

const entriesOf = (sessionId: number) =>
  server.db
    .selectFrom('payroll_entries as e')
    .innerJoin('earners as n', 'n.id', 'e.earner_id')
    .select([
      'e.type',
      'e.sub_type',
      'e.amount',
      'e.withheld',
      'e.work_date',
      'e.status',
      'n.stretcher_id',
      'e.booking_id',
    ])
    .where('onsite_session_id', '=', sessionId)
    .execute()

async function earnerOf() {
  await makeBooking(server.db, { stretcher_id, status: 'completed', starts_at: new Date('2026-11-03T17:00:00Z') })
  await book()
  const { id } = await server.db
    .selectFrom('earners')
    .select('id')
    .where('stretcher_id', '=', stretcher_id)
    .executeTakeFirstOrThrow()
  return id
}

describe('on-site sessions', () => {
  it('are not paid before an hourly rate was set', async () => {
    const session = await makeOnsiteSession('2026-11-12T17:00:00Z')
    expect((await server.as('payroll.settings').send(readSettings)).body.onsiteHourlyPay).toBeNull()
    await book()
    expect(await entriesOf(session.id)).toEqual([])
    const saved = await change({ onsiteHourlyPay: 36 })
    expect(saved.body).toMatchObject({ onsiteHourlyPay: 36, basePay: 40 })
    expect(saved.body.history[0]).toMatchObject({ onsiteHourlyPay: 36, effectiveFrom: '2026-11-16' })
    expect(saved.body.history.at(-1)).toMatchObject({ onsiteHourlyPay: null })
    await book()
    expect(await entriesOf(session.id)).toEqual([])
  })

  it('become entries once, with the hours and the rate of the work date', async () => {
    const session = await makeOnsiteSession('2026-11-16T18:00:00Z', 4)
    // 5 PM on the 16th in the zone is already the 17th in UTC.
    const late = await makeOnsiteSession('2026-11-17T01:00:00Z', 2)
    const cancelled = await makeOnsiteSession('2026-11-16T23:00:00Z', 2, {
      cancelled_at: new Date('2026-11-16T17:30:00Z'),
      cancel_reason: 'Room flooded',
    })
    await book()
    expect(await entriesOf(session.id)).toEqual([])
    expect((await change({ onsiteHourlyPay: 50, effectiveFrom: '2026-11-17' })).status).toBe(200)
    server.clock.set('2026-11-17T18:00:00Z')
    expect(await book()).toEqual({ booked: 2 })
    expect(await book()).toEqual({ booked: 0 })
    expect(await entriesOf(session.id)).toEqual([
      {
        ...{ type: 'session', sub_type: 'on-site', amount: '144.0000', withheld: '25.9200', booking_id: null },
        ...{ work_date: '2026-11-16', status: 'pending', stretcher_id },
      },
    ])
    expect(await entriesOf(late.id)).toMatchObject([{ amount: '72.0000', work_date: '2026-11-16' }])
    expect(await entriesOf(cancelled.id)).toEqual([])
    const { details } = (await server.as('payroll.details').send(listDetails, { query: { type: 'session' } })).body
    expect(details.map((one) => one.onsite_session_id)).toContain(session.id)
  })

  it('get one entry when several processes run at the same time', async () => {
    server.clock.set('2026-11-17T23:00:00Z')
    const session = await makeOnsiteSession('2026-11-17T18:00:00Z', 2)
    await Promise.all([book(), book(), book()])
    expect(await entriesOf(session.id)).toHaveLength(1)
  })

  it('have at most one entry each', async () => {
    const session = await makeOnsiteSession('2026-11-17T18:00:00Z', 2)
    const { id } = await makeEarner(server.db)
    const write = () => makeEntry(server.db, { earner_id: id, work_date: '2026-11-17', onsite_session_id: session.id })
    await write()
    await expect(write()).rejects.toThrow('payroll_entries_onsite_session')
  })

  it('keep a scheduled rate when another setting changes before it', async () => {
    server.clock.set('2026-11-18T17:00:00Z')
    await change({ onsiteHourlyPay: 60, effectiveFrom: '2026-12-01' })
    await change({ basePay: 41 })
    const { history } = (await server.as('payroll.settings').send(readSettings)).body
    const on = (day: string) => history.find(({ effectiveFrom }) => effectiveFrom <= day)
    expect(on('2026-11-18')).toMatchObject({ basePay: 41, onsiteHourlyPay: 50 })
    expect(on('2026-12-01')).toMatchObject({ basePay: 41, onsiteHourlyPay: 60 })
  })
})

describe('Add pay', () => {
  const clerk = () => server.asSteppedUp('payroll.details')
  const unpaid = async (id: number) =>
    (await clerk().send(listUnpaidSessions, { params: { id: String(id) } })).body.sessions
  const pay = (earner_id: number, session: SessionRef, more = {}) =>
    clerk().send(addEntry, { body: { earner_id, type: 'session', amount: 90, session, ...more } })

  it('lists sessions without an entry and pays the selected one once', async () => {
    const earner = await earnerOf()
    const old = await makeOnsiteSession('2026-10-06T17:00:00Z', 3)
    await makeOnsiteSession('2026-12-01T17:00:00Z', 3)
    expect(await unpaid(earner)).toEqual([
      { kind: 'onsite', id: old.id, work_date: '2026-10-06', place: 'Arrowhead Credit Union', hours: 3, amount: null },
    ])
    const session = { kind: 'onsite', id: old.id } as const
    const reply = await pay(earner, session)
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body).toMatchObject({
      ...{ type: 'session', sub_type: 'on-site', amount: 90, withheld_tax: 16.2, onsite_session_id: old.id },
      ...{ work_date: '2026-10-06', pay_date: '2026-11-27', status: 'pending', booking_id: null },
    })
    expect(await unpaid(earner)).toEqual([])
    expect((await pay(earner, session)).failure.code).toBe('no_session')
    await book()
    expect(await entriesOf(old.id)).toHaveLength(1)
  })

  it('pays a booking before the hourly job, which then skips it', async () => {
    const earner = await earnerOf()
    const starts_at = new Date('2026-11-13T17:00:00Z')
    const booking = await makeBooking(server.db, { stretcher_id, status: 'completed', starts_at })
    expect(await unpaid(earner)).toMatchObject([{ kind: 'booking', id: booking.id, amount: 40, hours: null }])
    const reply = await pay(earner, { kind: 'booking', id: booking.id })
    expect(reply.body).toMatchObject({ booking_id: booking.id, onsite_session_id: null, work_date: '2026-11-13' })
    expect(await book()).toEqual({ booked: 0 })
  })

  it('rejects sessions of others, future sessions and canceled ones', async () => {
    const earner = await earnerOf()
    const mine = stretcher_id
    const ahead = await makeOnsiteSession('2026-12-01T17:00:00Z')
    const gone = await makeOnsiteSession('2026-10-06T17:00:00Z', 2, {
      cancelled_at: new Date('2026-10-01T17:00:00Z'),
      cancel_reason: 'Rain',
    })
    stretcher_id = (await makeStretcher(server.db, { zone_id })).id
    const other = await makeOnsiteSession('2026-10-07T17:00:00Z')
    stretcher_id = mine
    for (const { id } of [ahead, gone, other, { id: 999_999 }])
      expect((await pay(earner, { kind: 'onsite', id })).failure.code).toBe('no_session')
    expect((await pay(earner, { kind: 'onsite', id: 1 }, { work_date: '2026-10-06' })).status).toBe(400)
    expect(
      (await server.as('payroll.summary').send(listUnpaidSessions, { params: { id: String(earner) } })).status,
    ).toBe(403)
    expect((await clerk().send(listUnpaidSessions, { params: { id: '999999' } })).status).toBe(404)
  })
})
