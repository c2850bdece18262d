import { listSessions, MAX_CALENDAR_SESSIONS } from '@limber/contract/businesses/calendar/onsite-calendar.ts'
import { cancelSession } from '@limber/contract/businesses/sessions/onsite.ts'
import type { InputOf } from '@limber/contract/kit/call.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCertification, makeCertificationType } from '#certifications/certification.factory.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeBlock, makeBusiness, makeSession } from '../business/business.factory.ts'
import { makeZone } from '../zones/zone.factory.ts'

let server: TestServer
let clerk: TestCaller
beforeAll(async () => {
  server = await startTestServer()
  clerk = server.as('businesses.manage')
})
afterAll(() => server.stop())

type Query = InputOf<typeof listSessions>['query']
const read = (query: Query) => clerk.send(listSessions, { query })
const startsOf = async (query: Query) =>
  (await read(query)).body.sessions.map(({ starts_at }) => starts_at.slice(0, 16))

/** Creates a business in its own zone, and a function that adds sessions. */
async function makePlace(time_zone = 'America/Los_Angeles') {
  const zone = await makeZone(server.db, { time_zone })
  const business = await makeBusiness(server.db, { zone_id: zone.id, name: `Business of ${zone.name}` })
  const schedule = async (at: string, overrides = {}) => {
    const block = await makeBlock(server.db, { business_id: business.id, block_hours: 4, slot_length_minutes: 20 })
    return makeSession(server.db, { block_id: block.id, starts_at: new Date(at), ...overrides })
  }
  return { zone, business, schedule }
}

describe('GET /api/onsite/sessions', () => {
  it('lists the sessions of every business with stretcher, location and slots, earliest first', async () => {
    const [here, there] = [await makePlace(), await makePlace()]
    const stretcher = await makeStretcher(server.db, {
      zone_id: here.zone.id,
      first_name: 'Renata',
      last_name: 'Solis',
    })
    const second = await here.schedule('2027-01-06T17:00:00Z', { stretcher_id: stretcher.id })
    const first = await there.schedule('2027-01-05T17:00:00Z')
    await sql`insert into onsite_participants (session_id, slot, name, email, booked_at)
      values (${second.id}, 0, 'Ana', 'ana@example.com', now()), (${second.id}, 3, 'Bo', 'bo@example.com', now())`.execute(
      server.db,
    )
    const { status, body } = await read({ from: '2027-01-04', to: '2027-01-10' })
    expect(status).toBe(200)
    expect(body.sessions.map(({ id }) => id)).toEqual([first.id, second.id])
    expect(body.sessions[1]).toEqual({
      id: second.id,
      version: 1,
      block_id: second.block_id,
      business: { id: here.business.id, name: here.business.name },
      zone: { id: here.zone.id, name: here.zone.name, time_zone: 'America/Los_Angeles' },
      stretcher: { id: stretcher.id, name: 'Renata Solis' },
      day: '2027-01-06',
      starts_at: '2027-01-06T17:00:00.000',
      ends_at: '2027-01-06T21:00:00.000',
      status: 'scheduled',
      slots: 12,
      taken_slots: 2,
      problem: null,
    })
    expect(body).toMatchObject({ isMore: false, last_before: null, next_after: null })
  })

  it('counts days in the time zone of each business', async () => {
    const [west, east, line] = [
      await makePlace(),
      await makePlace('Asia/Kathmandu'),
      await makePlace('Pacific/Kiritimati'),
    ]
    // 11:30 PM on the 10th in Los Angeles, 12:15 AM on the 11th in Kathmandu, midnight on the 11th in Kiritimati.
    await west.schedule('2027-02-11T07:30:00Z')
    await east.schedule('2027-02-10T18:30:00Z')
    await line.schedule('2027-02-10T10:00:00Z')
    expect(await startsOf({ from: '2027-02-10', to: '2027-02-10' })).toEqual(['2027-02-11T07:30'])
    expect(await startsOf({ from: '2027-02-11', to: '2027-02-11' })).toEqual(['2027-02-10T10:00', '2027-02-10T18:30'])
    const { sessions } = (await read({ from: '2027-02-10', to: '2027-02-11' })).body
    expect(sessions.map(({ day }) => day)).toEqual(['2027-02-11', '2027-02-11', '2027-02-10'])
  })

  it.each([
    ['2027-03-14', ['2027-03-14T08:00', '2027-03-15T06:30']],
    ['2027-11-07', ['2027-11-07T07:00', '2027-11-08T07:30']],
  ])('includes all hours of %s, when daylight saving time changes', async (day, starts) => {
    const { zone, schedule } = await makePlace()
    for (const start of starts) await schedule(`${start}:00Z`)
    await schedule(starts[0] === '2027-03-14T08:00' ? '2027-03-14T07:59:00Z' : '2027-11-07T06:59:00Z')
    await schedule(starts[0] === '2027-03-14T08:00' ? '2027-03-15T07:00:00Z' : '2027-11-08T08:00:00Z')
    expect(await startsOf({ from: day, to: day, zone: String(zone.id) })).toEqual(starts)
  })

  it('filters by zone, stretcher and business', async () => {
    const [here, there] = [await makePlace(), await makePlace()]
    const own = await here.schedule('2027-04-06T17:00:00Z')
    const other = await there.schedule('2027-04-06T18:00:00Z')
    const week = { from: '2027-04-05', to: '2027-04-11' }
    const idsOf = async (more: object) => (await read({ ...week, ...more })).body.sessions.map(({ id }) => id)
    expect(await idsOf({})).toEqual([own.id, other.id])
    expect(await idsOf({ zone: String(here.zone.id) })).toEqual([own.id])
    expect(await idsOf({ business: String(there.business.id) })).toEqual([other.id])
    expect(await idsOf({ stretcher: String(own.stretcher_id) })).toEqual([own.id])
    expect(await idsOf({ stretcher: String(own.stretcher_id), zone: String(there.zone.id) })).toEqual([])
  })

  it('separates upcoming, running, past and canceled sessions, and shows canceled ones on request', async () => {
    // The test clock is at 2026-11-16 17:00 UTC.
    const { zone, schedule } = await makePlace()
    const over = await schedule('2026-11-16T12:00:00Z')
    const now = await schedule('2026-11-16T16:00:00Z')
    const ahead = await schedule('2026-11-16T18:00:00Z')
    const off = await schedule('2026-11-17T18:00:00Z')
    await clerk.send(cancelSession, { body: { session_id: off.id, reason: 'Fire drill' } })
    const idsOf = async (status?: 'scheduled' | 'in_progress' | 'delivered' | 'cancelled') => {
      const query = { from: '2026-11-16', to: '2026-11-22', zone: String(zone.id), ...(status && { status }) }
      return (await read(query)).body.sessions.map((one) => [one.id, one.status])
    }
    const all = { over: [over.id, 'delivered'], now: [now.id, 'in_progress'], ahead: [ahead.id, 'scheduled'] }
    expect(await idsOf()).toEqual([all.over, all.now, all.ahead])
    expect(await idsOf('delivered')).toEqual([all.over])
    expect(await idsOf('in_progress')).toEqual([all.now])
    expect(await idsOf('scheduled')).toEqual([all.ahead])
    expect(await idsOf('cancelled')).toEqual([[off.id, 'cancelled']])
  })

  it('marks upcoming sessions whose stretcher is no longer ready on the day of the session', async () => {
    const { zone, schedule } = await makePlace()
    const type = await makeCertificationType(server.db, { is_required: true })
    try {
      const make = () => makeStretcher(server.db, { zone_id: zone.id })
      const [holder, lapsing, lacking] = [await make(), await make(), await make()]
      const certify = (customer_id: number, valid_until: string | null) =>
        makeCertification(server.db, { customer_id, type_id: type.id, valid_until })
      await certify(holder.customer_id, null)
      await certify(lapsing.customer_id, null)
      await certify(lacking.customer_id, null)
      await schedule('2027-05-04T17:00:00Z', { stretcher_id: holder.id })
      await schedule('2027-05-04T18:00:00Z', { stretcher_id: lapsing.id })
      await schedule('2027-05-05T18:00:00Z', { stretcher_id: lapsing.id })
      await schedule('2027-05-06T18:00:00Z', { stretcher_id: lacking.id })
      await schedule('2026-11-02T18:00:00Z', { stretcher_id: lacking.id })
      // Certifications are lost after the sessions were scheduled.
      await sql`update certifications set valid_until = '2027-05-04' where customer_id = ${lapsing.customer_id}`.execute(
        server.db,
      )
      await sql`delete from certifications where customer_id = ${lacking.customer_id}`.execute(server.db)
      const problems = async (from: string, to: string) =>
        (await read({ from, to, zone: String(zone.id) })).body.sessions.map(({ problem }) => problem)
      expect(await problems('2027-05-03', '2027-05-09')).toEqual([null, null, 'not_certified', 'not_certified'])
      expect(await problems('2026-11-02', '2026-11-08')).toEqual([null])
      await sql`update stretchers set status = 'in_training', trained_at = null where id = ${holder.id}`.execute(
        server.db,
      )
      expect((await problems('2027-05-03', '2027-05-09'))[0]).toBe('in_training')
    } finally {
      await sql`update certification_types set retired_at = now() where id = ${type.id}`.execute(server.db)
    }
  })

  it('returns the nearest days with a session when there is none, for the same filters', async () => {
    const [here, there] = [await makePlace(), await makePlace()]
    await here.schedule('2027-07-06T17:00:00Z')
    // The evening of the 30th in local time.
    await here.schedule('2027-08-31T05:00:00Z')
    await there.schedule('2027-07-20T17:00:00Z')
    const empty = { from: '2027-07-12', to: '2027-07-18' }
    expect((await read({ ...empty, zone: String(here.zone.id) })).body).toEqual({
      sessions: [],
      isMore: false,
      last_before: '2027-07-06',
      next_after: '2027-08-30',
    })
    expect((await read({ ...empty, business: String(there.business.id) })).body).toMatchObject({
      last_before: null,
      next_after: '2027-07-20',
    })
  })

  it('limits the number of sessions, and says that there are more', async () => {
    const { zone, business } = await makePlace()
    await sql`with team as (
        select id, row_number() over (order by id) as nth from stretchers order by id limit 1),
      blocks as (insert into prepaid_blocks (business_id, block_hours, slot_length_minutes, created_at, used_at)
        select ${business.id}, 2, 15, now(), now() from generate_series(1, ${MAX_CALENDAR_SESSIONS + 1}) returning id)
      insert into onsite_sessions (business_id, block_id, stretcher_id, starts_at, ends_at, created_at)
      select ${business.id}, b.id, t.id, s, s + interval '1 hour', now()
      from (select id, timestamptz '2027-09-06T08:00:00Z' + interval '1 hour' * row_number() over (order by id) as s from blocks) b, team t`.execute(
      server.db,
    )
    const { body } = await read({ from: '2027-09-06', to: '2027-10-17', zone: String(zone.id) })
    expect([body.sessions.length, body.isMore]).toEqual([MAX_CALENDAR_SESSIONS, true])
  })

  it('refuses days in the wrong order and more than six weeks', async () => {
    const refusalOf = async (from: string, to: string) => {
      const { status, failure } = await read({ from, to })
      return [status, failure.code]
    }
    expect(await refusalOf('2027-01-02', '2027-01-01')).toEqual([422, 'bad_range'])
    expect(await refusalOf('2027-01-01', '2027-02-12')).toEqual([422, 'too_long'])
    expect((await read({ from: '2027-01-01', to: '2027-02-11' })).status).toBe(200)
    for (const day of ['0001-01-01', '9999-12-31']) expect((await read({ from: day, to: day })).status).toBe(200)
  })

  it.each([
    { from: '2027-01-01' },
    { from: '2027-02-30', to: '2027-03-01' },
    { from: '2027-01-01', to: '2027-01-02', zone: 'x' },
    { from: '2027-01-01', to: '2027-01-02', status: 'gone' },
    { from: '2027-01-01', to: '2027-01-02', page: '2' },
  ])('refuses %j', async (query) => {
    expect((await read(query as never)).status).toBe(400)
  })

  it('refuses callers without the permission to manage businesses', async () => {
    const query = { from: '2027-01-01', to: '2027-01-02' }
    expect((await server.as('growth.tab').send(listSessions, { query })).status).toBe(403)
  })
})
