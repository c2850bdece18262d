import { readHealthOverview } from '@limber/contract/growth/overview/health.ts'
import {
  changePartner,
  listPartners,
  listPastSessions,
  listUpcomingSessions,
  notePartner,
  readPartner,
} from '@limber/contract/growth/partners/partner.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { formatDay } from '@limber/contract/kit/formats/dates.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeBlock, makeBusiness, makeSession } from '#businesses/business/business.factory.ts'
import { DAY, HOUR, shift } from '#platform/clock.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeBooking } from '#support/customers/booking.factory.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeTransaction } from '#support/customers/transaction.factory.ts'
import { refreshFigures } from '../figures/refresh-figures.ts'

let server: TestServer
let caller: TestCaller
let now: Date
let today: string
const list = async (query: object = {}) => (await caller.send(listPartners, { query })).body
const change = (id: number, body: object, by = caller) => by.send(changePartner, { params: { id: String(id) }, body })
const read = (id: number) => caller.send(readPartner, { params: { id: String(id) } })

beforeAll(async () => {
  server = await startTestServer()
  now = server.clock.now()
  today = companyDay(now)
  caller = server.as('growth.tab')
})
afterAll(() => server.stop())

describe('GET /api/marketing/partner/businesses', () => {
  it('adds up the results of a partnership from the customers on its list and its on-site sessions', async () => {
    const business = await makeBusiness(server.db, { name: 'Canyon Tiles', stage: 'active', rep_name: 'Ada Poe' })
    const mia = await makeCustomer(server.db, { email: 'mia@tiles.example', joined_at: shift(now, -90 * DAY) })
    const emails = ['mia@tiles.example', 'nobody@tiles.example']
    await server.db
      .insertInto('business_emails')
      .values(emails.map((email) => ({ business_id: business.id, email, created_at: now })))
      .execute()
    const stretcher = await makeStretcher(server.db, { zone_id: business.zone_id })
    const visit = { customer_id: mia.id, zone_id: business.zone_id, stretcher_id: stretcher.id }
    const at = (days: number) => ({ starts_at: shift(now, -days * DAY), created_at: shift(now, -(days + 1) * DAY) })
    await makeBooking(server.db, { ...visit, ...at(10), status: 'completed', rating: 5 })
    await makeBooking(server.db, { ...visit, ...at(60), status: 'completed' })
    await makeBooking(server.db, { ...visit, ...at(5), status: 'cancelled', cancelled_at: shift(now, -5 * DAY) })
    await makeTransaction(server.db, { customer_id: mia.id, amount: '75.5000', created_at: shift(now, -9 * DAY) })
    const block = await makeBlock(server.db, { business_id: business.id })
    const held = await makeSession(server.db, { block_id: block.id, starts_at: shift(now, -3 * DAY) })
    const slot = {
      session_id: held.id,
      name: 'Mia Gray',
      email: 'mia@tiles.example',
      customer_id: null,
      booked_at: now,
    }
    await server.db
      .insertInto('onsite_participants')
      .values([
        { ...slot, slot: 0, rating: 4 },
        { ...slot, slot: 1, rating: null },
      ])
      .execute()
    await refreshFigures(server.running.services)
    const { businesses } = await list({ status: 'active', search: 'canyon' })
    expect(businesses).toHaveLength(1)
    expect(businesses[0]).toMatchObject({
      id: business.id,
      status: 'active',
      kind: 'business',
      repName: 'Ada Poe',
      repEmail: 'wellness@example.com',
      emailList: emails,
      emailListSize: 2,
      activeUsers: 1,
      onSiteSessions: 1,
      totalUserSessions: 4,
      totalRevenue: 75.5,
      avgRating: 4.5,
    })
  })

  it('sorts partners by status; an active partner without a renewal date is inactive', async () => {
    const made = {
      contacted: await makeBusiness(server.db, { name: 'Sort A', stage: 'contacted' }),
      pending: await makeBusiness(server.db, { name: 'Sort B', stage: 'pending' }),
      active: await makeBusiness(server.db, { name: 'Sort C', stage: 'active' }),
      lapsed: await makeBusiness(server.db, { name: 'Sort D', stage: 'active', renews_on: null }),
      ended: await makeBusiness(server.db, { name: 'Sort E', stage: 'ended' }),
      archived: await makeBusiness(server.db, { name: 'Sort F', stage: 'active', archived_at: now }),
    }
    const names = async (status: string) => (await list({ status, search: 'Sort ' })).businesses.map(({ name }) => name)
    expect(await names('contacted')).toEqual(['Sort A'])
    expect(await names('pending')).toEqual(['Sort B'])
    expect(await names('active')).toEqual(['Sort C'])
    expect(await names('inactive')).toEqual(['Sort D', 'Sort E'])
    expect(await names('')).toHaveLength(5)
    const page = await list({ search: 'Sort ', limit: '2', page: '2' })
    expect(page.pagination).toEqual({ page: 2, limit: 2, totalItems: 5, totalPages: 3 })
    expect(page.businesses.map(({ id }) => id)).toEqual([made.active.id, made.lapsed.id])
  })

  it('returns no schools until one exists', async () => {
    expect((await list({ kind: 'school' })).businesses).toEqual([])
    const school = await makeBusiness(server.db, { name: 'Hilltop College', stage: 'contacted' })
    const changed = await change(school.id, { kind: 'school' })
    expect(changed.body.kind).toBe('school')
    const { businesses, kinds } = await list({ kind: 'school' })
    expect(businesses.map(({ id }) => id)).toEqual([school.id])
    expect(kinds.school).toBe(1)
  })

  it('refuses callers without permission and invalid filters', async () => {
    expect((await server.as('businesses.manage').send(listPartners)).status).toBe(403)
    for (const query of [{ status: 'x' }, { kind: 'club' }, { limit: '0' }, { more: '1' }])
      expect((await caller.send(listPartners, { query: query as never })).status).toBe(400)
  })
})

describe('PATCH /api/marketing/partner/businesses/:id', () => {
  it('changes the status, adds a dated note each time, and updates the warnings', async () => {
    const { id, version } = await makeBusiness(server.db, {
      name: 'Ticker Works',
      stage: 'contacted',
      times_contacted: 1,
      last_contact_at: now,
    })
    const pilot = await change(id, { status: 'pending', note: 'They want to try.', version })
    expect(pilot.body).toMatchObject({ status: 'pending', pilotEndsOn: addDays(today, 90), version: version + 1 })
    const renewalDate = addDays(today, 20)
    const active = await change(id, { status: 'active', renewalDate, version: version + 1 })
    expect(active.body).toMatchObject({ status: 'active', renewalDate, pilotEndsOn: null })
    const warnings = async () =>
      (await caller.send(readHealthOverview)).body.warnings.filter(({ businessId }) => businessId === id)
    expect(await warnings()).toMatchObject([{ kind: 'renewal', day: renewalDate }])
    const ended = await change(id, { status: 'inactive', reason: 'Budget was cut' })
    expect(ended.body).toMatchObject({ status: 'inactive', endedReason: 'Budget was cut', renewalDate: null })
    expect(ended.body.notes.map(({ status, note }) => [status, note])).toEqual([
      ['inactive', 'Inactive: Budget was cut'],
      ['active', `Active, renews on ${formatDay(renewalDate)}.`],
      ['pending', `90-day pilot until ${formatDay(addDays(today, 90))}.\nThey want to try.`],
    ])
    expect(await warnings()).toEqual([])
  })

  it('stores every note, and adds none when nothing changes', async () => {
    const { id } = await makeBusiness(server.db, { stage: 'contacted' })
    const notes = async (body: object) => (await change(id, body)).body.notes.map(({ note }) => note)
    expect(await notes({ note: 'They ring back.' })).toEqual(['They ring back.'])
    expect(await notes({ kind: 'school', note: 'A college.' })).toEqual([
      'Changed to school.\nA college.',
      'They ring back.',
    ])
    expect(await notes({ kind: 'school' })).toHaveLength(2)
    expect(await notes({})).toHaveLength(2)
  })

  it('refuses a stale version and returns the current partner', async () => {
    const { id, version } = await makeBusiness(server.db, { stage: 'contacted' })
    await change(id, { status: 'pending' })
    const late = await change(id, { status: 'inactive', reason: 'Gone', version })
    expect(late.status).toBe(409)
    expect(late.failure.current).toMatchObject({ status: 'pending' })
  })

  it.each([
    [{ status: 'inactive' }, 422],
    [{ status: 'inactive', reason: '  ' }, 422],
    [{ status: 'active' }, 422],
    [{ status: 'active', renewalDate: '2020-01-01' }, 422],
    [{ status: 'active', renewalDate: '2026-02-31' }, 400],
    [{ status: 'gone' }, 400],
    [{ kind: 'club' }, 400],
  ])('refuses %j with %i and changes nothing', async (body, status) => {
    const { id, version } = await makeBusiness(server.db, { stage: 'pending' })
    expect((await change(id, body)).status).toBe(status)
    expect((await read(id)).body).toMatchObject({ status: 'pending', version, notes: [] })
  })

  it('refuses archived and unknown partners and callers without permission', async () => {
    const archived = await makeBusiness(server.db, { archived_at: now })
    expect((await change(archived.id, { status: 'contacted' })).status).toBe(409)
    expect((await change(999_999, { status: 'contacted' })).status).toBe(404)
    expect((await change(archived.id, {}, server.as('businesses.manage'))).status).toBe(403)
  })
})

describe('POST /api/marketing/partner/businesses/:id/notes', () => {
  it('adds a dated note', async () => {
    const { id } = await makeBusiness(server.db)
    const add = (note: string) => caller.send(notePartner, { params: { id: String(id) }, body: { note } })
    const { body } = await add('Called, they ring back.')
    expect(body.notes).toMatchObject([{ note: 'Called, they ring back.', status: null, at: now.toISOString() }])
    expect((await add('  ')).status).toBe(400)
    const nobody = await caller.send(notePartner, { params: { id: '999999' }, body: { note: 'x' } })
    expect(nobody.status).toBe(404)
  })
})

describe('on-site sessions', () => {
  it('are upcoming until they end, then past, with the participant of each slot', async () => {
    const business = await makeBusiness(server.db, { name: 'Session House', location: 'Hall 2', rep_name: 'Jo May' })
    const block = async () => (await makeBlock(server.db, { business_id: business.id })).id
    // It is 9 AM in California: one session is under way, one is over, one was canceled.
    const running = await makeSession(server.db, { block_id: await block(), starts_at: shift(now, -HOUR) })
    const past = await makeSession(server.db, { block_id: await block(), starts_at: shift(now, -DAY) })
    await makeSession(server.db, {
      block_id: await block(),
      starts_at: shift(now, 2 * DAY),
      cancelled_at: now,
      cancel_reason: 'No room',
    })
    const slot = { session_id: past.id, customer_id: null, booked_at: now }
    await server.db
      .insertInto('onsite_participants')
      .values([
        { ...slot, slot: 2, name: 'Bo Hill', email: 'bo@example.com', rating: 5 },
        { ...slot, slot: 0, name: 'Al Reed', email: 'al@example.com', rating: null },
      ])
      .execute()
    const query = { businessId: String(business.id) }
    const upcoming = (await caller.send(listUpcomingSessions, { query })).body
    expect(upcoming.sessions).toMatchObject([
      {
        id: running.id,
        business: 'Session House',
        date: today,
        time: '8:00 AM – 10:00 AM',
        location: 'Hall 2',
        slotLength: 15,
        contact: 'Jo May',
        participants: [],
      },
    ])
    const before = (await caller.send(listPastSessions, { query })).body
    expect(before.pagination.totalItems).toBe(1)
    expect(before.sessions[0]).toMatchObject({ date: addDays(today, -1), assignedStretcher: expect.any(String) })
    expect(before.sessions[0]?.participants).toEqual([
      { slotTime: '9:00 AM', name: 'Al Reed', email: 'al@example.com', rating: null },
      { slotTime: '9:30 AM', name: 'Bo Hill', email: 'bo@example.com', rating: 5 },
    ])
    expect((await server.as('support.tab').send(listPastSessions)).status).toBe(403)
    expect((await server.as('support.tab').send(listUpcomingSessions)).status).toBe(403)
  })
})
