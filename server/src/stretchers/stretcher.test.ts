import { activateBlock, listCandidates, rescheduleSession } from '@limber/contract/businesses/sessions/onsite.ts'
import {
  activateStretcher,
  deactivateStretcher,
  finishTraining,
  listByZone,
  listStretchers,
  readStretcher,
  updateStretcher,
} from '@limber/contract/stretchers/stretcher.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeBlock, makeBusiness, makeSession } from '#businesses/business/business.factory.ts'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import { makeCertification, makeCertificationType } from '#certifications/certification.factory.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeBooking } from '#support/customers/booking.factory.ts'
import { makeCourse } from '#training/training.factory.ts'
import { makeStretcher, type StretcherDraft } from './stretcher.factory.ts'

let server: TestServer
let staff: TestCaller
let zoneId: number
beforeAll(async () => {
  server = await startTestServer()
  staff = server.as('businesses.manage')
  zoneId = (await makeZone(server.db, { name: 'Riverside' })).id
})
afterAll(() => server.stop())

const hired_at = new Date('2026-01-05T17:00:00Z')
const make = (over: StretcherDraft = {}) => makeStretcher(server.db, { zone_id: zoneId, hired_at, ...over })
const params = (id: number) => ({ id: String(id) })
const read = async (id: number) => (await staff.send(readStretcher, { params: params(id) })).body
const day = (date: number, hour = 18) => new Date(Date.UTC(2026, 11, date, hour))
const book = (stretcher_id: number, date: number, over: object = {}) =>
  makeBooking(server.db, { stretcher_id, starts_at: day(date), ...over })
const visit = async (stretcher_id: number, date: number, over: object = {}) => {
  const business = await makeBusiness(server.db, { zone_id: zoneId, name: 'Citrus Labs' })
  return makeSession(server.db, { business_id: business.id, stretcher_id, starts_at: day(date), ...over })
}
const audited = async (id: number) =>
  (
    await server.db
      .selectFrom('audit_log')
      .select(['action', 'reason'])
      .where('subject', '=', 'stretcher')
      .where('subject_id', '=', String(id))
      .orderBy('id')
      .execute()
  ).map(({ action, reason }) => [action, reason])

describe('GET /api/stretchers', () => {
  it('shows zone, status, certifications and upcoming sessions', async () => {
    const one = await make({ first_name: 'Ada', last_name: 'Listed' })
    const { customer_id } = one
    await makeCertification(server.db, { customer_id })
    await makeCertification(server.db, { customer_id, valid_until: '2026-12-01' })
    await makeCertification(server.db, { customer_id, valid_until: '2026-11-15' })
    await makeCertification(server.db, { customer_id, revoked_at: server.clock.now() })
    await book(one.id, 3)
    await book(one.id, 4, { status: 'requested' })
    await book(one.id, 5, { status: 'cancelled' })
    await makeBooking(server.db, {
      stretcher_id: one.id,
      starts_at: new Date('2026-11-10T18:00:00Z'),
      status: 'completed',
    })
    await visit(one.id, 2)
    await visit(one.id, 6, { cancelled_at: server.clock.now(), cancel_reason: 'No room' })
    const { body } = await staff.send(listStretchers, { query: { search: 'ada listed' } })
    expect(body.pagination.totalItems).toBe(1)
    expect(body.stretchers[0]).toMatchObject({
      id: one.id,
      userId: customer_id,
      zone: { id: zoneId, name: 'Riverside' },
      status: 'active',
      readiness: 'ready',
      training: { required: 0, completed: 0 },
      certifications: { valid: 2, expiring: 1, expired: 1, revoked: 1 },
      upcoming: { bookings: 2, onsite: 1, nextAt: '2026-12-02T18:00:00.000Z' },
    })
  })
  it('searches, filters, sorts and pages', async () => {
    const zone = await makeZone(server.db)
    const names = ['Uma', 'Tess', 'Vik', 'Wes'] as const
    const statuses = ['active', 'in_training', 'inactive', 'active'] as const
    const made = []
    for (const [index, first_name] of names.entries())
      made.push(
        await make({
          first_name,
          last_name: 'Sifted',
          status: statuses[index] ?? 'active',
          zone_id: index === 3 ? null : zone.id,
          hired_at: new Date(Date.UTC(2026, 0, 10 - index)),
        }),
      )
    const find = async (query: object) =>
      (await staff.send(listStretchers, { query: { search: 'sifted', ...query } })).body.stretchers.map(
        (one) => one.firstName,
      )
    expect(await find({})).toEqual(['Tess', 'Uma', 'Vik', 'Wes'])
    expect(await find({ order: 'desc' })).toEqual(['Wes', 'Vik', 'Uma', 'Tess'])
    expect(await find({ sort: 'hired' })).toEqual(['Wes', 'Vik', 'Tess', 'Uma'])
    expect(await find({ status: 'active' })).toEqual(['Uma', 'Wes'])
    expect(await find({ status: 'in_training' })).toEqual(['Tess'])
    expect(await find({ status: 'inactive' })).toEqual(['Vik'])
    expect(await find({ zone: String(zone.id) })).toEqual(['Tess', 'Uma', 'Vik'])
    expect(await find({ zone: 'none' })).toEqual(['Wes'])
    expect(await find({ limit: '3', page: '2' })).toEqual(['Wes'])
    expect(await find({ search: '%' })).toEqual([])
    expect(await find({ search: made[0]?.email })).toEqual(['Uma'])
  })
  it.each(['page=0', 'limit=0', 'limit=101', 'status=gone', 'zone=x', 'sort=email', 'order=up', 'limit=2;drop'])(
    'rejects ?%s',
    async (query) => {
      const reply = await staff.send(listStretchers, { query: Object.fromEntries(new URLSearchParams(query)) })
      expect(reply.status).toBe(400)
    },
  )
})

describe('GET /api/stretchers/{id}', () => {
  it('shows upcoming bookings and on-site sessions in order, without customer names, and certifications', async () => {
    const one = await make()
    await book(one.id, 9)
    const session = await visit(one.id, 8)
    const held = await makeCertification(server.db, { customer_id: one.customer_id })
    const reply = await staff.send(readStretcher, { params: params(one.id) })
    expect(reply.body.sessions.map(({ kind, place }) => [kind, place])).toEqual([
      ['onsite', 'Citrus Labs'],
      ['booking', 'Riverside'],
    ])
    expect(reply.body.sessions[0]).toMatchObject({ id: session.id, startsAt: '2026-12-08T18:00:00.000Z' })
    expect(reply.body.certificationList).toMatchObject([{ id: held.id, shortId: held.short_id, status: 'valid' }])
    expect(reply.text).not.toContain('Reyes')
    expect((await staff.send(readStretcher, { params: params(999_999) })).status).toBe(404)
  })
  it('names what sessions take: each required course and certification, done or not', async () => {
    const { id, customer_id } = await make()
    const now = server.clock.now()
    for (const [title, completed_at] of [
      ['Hips And Legs', now],
      ['Customer Care', null],
    ] as const) {
      const { id: course_id } = await makeCourse(server.db, { title, is_required: true })
      const times = { enrolled_at: now, started_at: now, last_seen_at: now, completed_at }
      await server.db
        .insertInto('training_enrolments')
        .values({ course_id, customer_id, ...times })
        .execute()
    }
    const type = (name: string) => makeCertificationType(server.db, { name, is_required: true })
    const [level1, level2, level3, level4] = [await type('L1'), await type('L2'), await type('L3'), await type('L4')]
    await makeCertificationType(server.db, { name: 'L5', is_required: true, retired_at: now })
    const hold = (type_id: number, over: object) => makeCertification(server.db, { customer_id, type_id, ...over })
    await hold(level1.id, { valid_until: '2026-11-15' })
    await hold(level1.id, {})
    await hold(level2.id, { valid_until: '2026-12-01' })
    await hold(level3.id, { valid_until: '2026-11-15' })
    await hold(level4.id, { revoked_at: now, revoke_reason: 'Wrong person' })
    const { requirements, training } = await read(id)
    expect(requirements.courses.map(({ courseName, completedAt }) => [courseName, completedAt])).toEqual([
      ['Customer Care', null],
      ['Hips And Legs', now.toISOString()],
    ])
    expect(training).toEqual({ required: 2, completed: 1 })
    const ours = new Set([level1, level2, level3, level4].map((each) => each.id))
    expect(
      requirements.certifications
        .filter((each) => ours.has(each.id))
        .map(({ certificationName, state, validUntil }) => [certificationName, state, validUntil]),
    ).toEqual([
      ['L1', 'valid', null],
      ['L2', 'expiring', '2026-12-01'],
      ['L3', 'expired', '2026-11-15'],
      ['L4', 'missing', null],
    ])
    expect(requirements.certifications.map(({ certificationName }) => certificationName)).not.toContain('L5')
    // Nothing that is required here may hold back the stretchers of other tests.
    await server.db.updateTable('certification_types').set({ is_required: false }).execute()
  })
})

describe('POST /api/stretchers/by-zone', () => {
  it('lists the stretchers of the zone by name, without inactive ones', async () => {
    const zone = await makeZone(server.db)
    const zed = await make({ zone_id: zone.id, first_name: 'Zed', last_name: 'A' })
    const amy = await make({ zone_id: zone.id, first_name: 'Amy', last_name: 'B', status: 'in_training' })
    await make({ zone_id: zone.id, status: 'inactive' })
    const { body } = await staff.send(listByZone, { body: { zone_id: zone.id } })
    expect(body.stretchers).toEqual([
      { id: amy.id, name: 'Amy B', readiness: 'in_training' },
      { id: zed.id, name: 'Zed A', readiness: 'ready' },
    ])
  })
  it.each([
    [{ zone_id: 999_999 }, 404],
    [{ zone_id: 'x' }, 400],
    [{}, 400],
    [{ zone_id: 1, all: true }, 400],
  ])('rejects %o', async (body, status) => {
    expect((await staff.send(listByZone, { body: body as never })).status).toBe(status)
  })
})

describe('PATCH /api/stretchers/{id}', () => {
  const change = (over: object = {}) => ({
    firstName: 'Nia',
    lastName: 'Moss',
    dateOfBirth: '1990-01-02',
    zoneId: zoneId,
    ...over,
  })
  const patch = (id: number, over: object = {}) =>
    staff.send(updateStretcher, { params: params(id), body: change(over) })

  it('changes name, date of birth and zone, and the name of the account', async () => {
    const one = await make({ zone_id: null })
    const { body } = await patch(one.id, { version: one.version })
    expect(body).toMatchObject({ firstName: 'Nia', dateOfBirth: '1990-01-02', zone: { id: zoneId }, version: 2 })
    const account = await server.db
      .selectFrom('customers')
      .select(['first_name', 'last_name'])
      .where('id', '=', one.customer_id)
      .executeTakeFirst()
    expect(account).toEqual({ first_name: 'Nia', last_name: 'Moss' })
    expect((await audited(one.id)).map(([action]) => action)).toEqual(['stretcher_changed'])
  })
  it('O1 rejects a stale version and returns the current record', async () => {
    const one = await make()
    await patch(one.id, { firstName: 'First', version: one.version })
    const second = await patch(one.id, { firstName: 'Second', version: one.version })
    expect(second.status).toBe(409)
    expect(second.failure).toMatchObject({ code: 'stale', current: { firstName: 'First', version: 2 } })
    expect((await read(one.id)).firstName).toBe('First')
  })
  it('keeps the zone while on-site sessions are scheduled there', async () => {
    const one = await make({ first_name: 'Oli', last_name: 'Wade' })
    await visit(one.id, 11)
    const reply = await patch(one.id, { zoneId: null })
    expect(reply.failure.error).toBe(
      'Oli Wade has 1 on-site session scheduled in Riverside. Assign another stretcher first.',
    )
    expect((await patch(one.id)).status).toBe(200)
  })
  it.each([
    [{ zoneId: 999_999 }, 422, 'no_zone'],
    [{ dateOfBirth: '2020-01-01' }, 422, 'too_young'],
    [{ dateOfBirth: '1800-01-01' }, 422, 'bad_birth'],
    [{ firstName: '' }, 400, 'bad_request'],
    [{ email: 'x@example.com' }, 400, 'bad_request'],
  ])('rejects %o', async (over, status, code) => {
    const { id } = await make()
    const reply = await patch(id, over)
    expect([reply.status, reply.failure.code]).toEqual([status, code])
  })
})

describe('deactivating and activating', () => {
  const deactivate = (id: number, over: object = {}) =>
    staff.send(deactivateStretcher, { params: params(id), body: { reason: 'Moved away', ...over } })
  const activate = (id: number, over: object = {}) =>
    staff.send(activateStretcher, { params: params(id), body: { reason: 'Back again', ...over } })

  it('unassigns upcoming bookings on deactivation, once the worker has seen their number', async () => {
    const one = await make({ first_name: 'Ivy', last_name: 'Ruiz' })
    const ahead = await book(one.id, 14)
    await book(one.id, 15, { status: 'requested' })
    const past = await makeBooking(server.db, {
      stretcher_id: one.id,
      starts_at: new Date('2026-11-01T18:00:00Z'),
      status: 'completed',
    })
    const unseen = await deactivate(one.id)
    expect([unseen.status, unseen.failure.error]).toEqual([
      409,
      'Ivy Ruiz now has 2 bookings scheduled that would become unassigned. Reload and confirm again.',
    ])
    expect((await read(one.id)).status).toBe('active')
    const { body } = await deactivate(one.id, { bookings: 2, version: one.version })
    expect(body).toMatchObject({
      releasedBookings: 2,
      stretcher: { status: 'inactive', readiness: 'inactive', deactivated: { reason: 'Moved away' } },
    })
    expect(body.stretcher.deactivated?.by).toMatch(/^Worker/)
    const rows = await server.db
      .selectFrom('bookings')
      .select(['id', 'stretcher_id', 'status'])
      .where('id', 'in', [ahead.id, past.id])
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { id: ahead.id, stretcher_id: null, status: 'requested' },
      { id: past.id, stretcher_id: one.id, status: 'completed' },
    ])
    expect((await deactivate(one.id)).failure.code).toBe('inactive')
    expect((await activate(one.id)).body).toMatchObject({ status: 'active', deactivated: null })
    expect((await activate(one.id)).failure.code).toBe('not_inactive')
    expect(await audited(one.id)).toEqual([
      ['stretcher_deactivated', 'Moved away'],
      ['stretcher_activated', 'Back again'],
    ])
  })
  it('rejects deactivation while on-site sessions are scheduled, and says how many', async () => {
    const one = await make({ first_name: 'Sol', last_name: 'Park' })
    await visit(one.id, 16)
    await visit(one.id, 17)
    expect((await deactivate(one.id)).failure).toMatchObject({
      code: 'has_onsite',
      error: 'Sol Park has 2 on-site sessions scheduled. Assign another stretcher or cancel first.',
    })
  })
  it('requires a reason and the current version', async () => {
    const one = await make()
    expect((await deactivate(one.id, { reason: ' ' })).status).toBe(400)
    expect((await deactivate(one.id, { version: 7 })).failure).toMatchObject({ code: 'stale', current: { id: one.id } })
    expect((await deactivate(999_999)).status).toBe(404)
  })
  it('resumes unfinished training on activation, and finishes it with a reason', async () => {
    const one = await make({ status: 'in_training' })
    await deactivate(one.id)
    expect((await activate(one.id)).body.status).toBe('in_training')
    const finish = () =>
      staff.send(finishTraining, { params: params(one.id), body: { reason: 'Passed the practical' } })
    const { body } = await finish()
    expect(body).toMatchObject({ status: 'active', readiness: 'ready', trainedAt: server.clock.now().toISOString() })
    expect((await finish()).failure.code).toBe('not_training')
  })
  it('never schedules an on-site session with a stretcher being deactivated', async () => {
    const business = await makeBusiness(server.db, { zone_id: zoneId })
    for (let round = 0; round < 8; round++) {
      const one = await make()
      const block = await makeBlock(server.db, { business_id: business.id })
      const body = { prepaid_block_id: block.id, stretcher_id: one.id, starts_at: day(20, 10).toISOString() }
      const [scheduled, left] = await Promise.all([staff.send(activateBlock, { body }), deactivate(one.id)])
      const outcome = `${scheduled.status === 200} ${left.status === 200}`
      expect(['true false', 'false true']).toContain(outcome)
      expect([409, 422, 200]).toContain(scheduled.status)
    }
  })
})

describe('readiness for a session', () => {
  it('requires a valid certification of every required type on the day of the session', async () => {
    const zone = await makeZone(server.db)
    const business = await makeBusiness(server.db, { zone_id: zone.id })
    const block = await makeBlock(server.db, { business_id: business.id })
    const type_id = (await makeCertificationType(server.db, { is_required: true })).id
    const hire = async (first_name: string, certificate?: object) => {
      const one = await make({ zone_id: zone.id, first_name })
      if (certificate) await makeCertification(server.db, { customer_id: one.customer_id, type_id, ...certificate })
      return one
    }
    const good = await hire('Good', {})
    const soon = await hire('Soon', { valid_until: '2026-12-15' })
    const none = await hire('None')
    await hire('Over', { valid_until: '2026-11-15' })
    await hire('Taken', { revoked_at: server.clock.now() })
    const again = await hire('Again', { issued_on: '2023-07-01', valid_until: '2025-06-30' })
    const renewed = {
      customer_id: again.customer_id,
      type_id,
      valid_until: '2028-06-30',
      revoked_at: server.clock.now(),
    }
    await makeCertification(server.db, renewed)
    const states = async (starts_at: string) => {
      const reply = await staff.send(listCandidates, { body: { prepaid_block_id: block.id, starts_at } })
      return Object.fromEntries(reply.body.candidates.map(({ name, state }) => [name.split(' ')[0], state]))
    }
    const reply = await staff.send(listCandidates, {
      body: { prepaid_block_id: block.id, starts_at: '2026-12-16T18:00:00Z' },
    })
    const { name: certification } = await server.db
      .selectFrom('certification_types')
      .select('name')
      .where('id', '=', type_id)
      .executeTakeFirstOrThrow()
    expect(Object.fromEntries(reply.body.candidates.map(({ name, lacks }) => [name.split(' ')[0], lacks]))).toEqual({
      Good: null,
      Soon: { certification, ended_on: '2026-12-15' },
      Over: { certification, ended_on: '2026-11-15' },
      None: { certification, ended_on: null },
      Taken: { certification, ended_on: null },
      Again: { certification, ended_on: null },
    })
    const others = { None: 'not_certified', Over: 'not_certified', Taken: 'not_certified', Again: 'not_certified' }
    expect(await states('2026-12-15T18:00:00Z')).toEqual({ Good: 'free', Soon: 'free', ...others })
    expect(await states('2026-12-16T18:00:00Z')).toEqual({ Good: 'free', Soon: 'not_certified', ...others })
    const send = (stretcher_id: number, starts_at: string) =>
      staff.send(activateBlock, { body: { prepaid_block_id: block.id, stretcher_id, starts_at } })
    expect((await send(none.id, '2026-12-15T18:00:00Z')).failure.code).toBe('not_ready')
    expect((await send(soon.id, '2026-12-16T18:00:00Z')).failure.error).toContain('certification is missing or expired')
    expect((await send(good.id, '2026-12-16T18:00:00Z')).status).toBe(200)
    const moving = await makeBlock(server.db, { business_id: business.id })
    const { body: held } = await staff.send(activateBlock, {
      body: { prepaid_block_id: moving.id, stretcher_id: soon.id, starts_at: '2026-12-15T18:00:00Z' },
    })
    const move = (new_starts_at: string) =>
      staff.send(rescheduleSession, { body: { session_id: held.id, new_starts_at } })
    expect((await move('2026-12-16T18:00:00Z')).failure.code).toBe('not_ready')
    expect((await move('2026-12-14T18:00:00Z')).status).toBe(200)
    const { body } = await staff.send(listStretchers, { query: { zone: String(zone.id), status: 'not_certified' } })
    expect(body.stretchers.map(({ firstName, readiness }) => [firstName, readiness])).toEqual([
      ['Again', 'not_certified'],
      ['None', 'not_certified'],
      ['Over', 'not_certified'],
      ['Taken', 'not_certified'],
    ])
    expect(body.counts.not_certified).toBeGreaterThanOrEqual(3)
    await server.db.updateTable('certification_types').set({ is_required: false }).where('id', '=', type_id).execute()
    expect((await states('2026-12-16T20:00:00Z')).None).toBe('free')
  })
})
