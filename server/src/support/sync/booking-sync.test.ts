import { bookingCalls } from '@limber/contract/support/sync/booking-sync.ts'
import { customerCalls } from '@limber/contract/support/sync/customer-sync.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asProgram } from '#access/api-keys/program.testing.ts'
import { makeSession } from '#businesses/business/business.factory.ts'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import { makeCertification, makeCertificationType } from '#certifications/certification.factory.ts'
import { runPayroll } from '#payroll/public.ts'
import { batchTesting, clearRecords } from '#platform/testing/testing.sync.ts'
import { eventually, startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeBooking } from '../customers/booking.factory.ts'
import { makeCustomer } from '../customers/customer.factory.ts'

const { batch, list, readByExternalId, attach } = bookingCalls
const located = { latitude: 33.97, longitude: -117.38 }

let server: TestServer
let app: Awaited<ReturnType<typeof asProgram>>
let zone: number
let customer: number
let stretcher: number
beforeAll(async () => {
  server = await startTestServer({ withJobs: true })
  zone = (await makeZone(server.db)).id
})
afterAll(() => server.stop())
beforeEach(async () => {
  await clearRecords(server.db)
  app = await asProgram(server)
  customer = (await makeCustomer(server.db, { ...located, zone_id: zone })).id
  stretcher = (await makeStretcher(server.db, { zone_id: zone })).id
})

const at = (hour: number, minute = 0) => new Date(Date.UTC(2026, 10, 13, hour, minute)).toISOString()
const booking = (n: number, more: object = {}) => ({
  external_id: `b-${n}`,
  customer: { id: customer },
  stretcher: { id: stretcher },
  starts_at: at(n),
  ends_at: at(n, 45),
  status: 'confirmed',
  price: '99',
  ...more,
})
const { send, readOne, idOf, errorsOf } = batchTesting(() => app, bookingCalls)

describe('POST /api/v1/bookings/batch', () => {
  it('creates bookings and answers for each item', async () => {
    const body = await send(booking(1), booking(2, { price: '-1' }), booking(3, { stretcher: null }), {
      ...booking(4),
      stretcher: null,
      status: 'requested',
    })
    expect(body).toMatchObject({ created: 2, rejected: 2 })
    expect(body.results.map(({ status }) => status)).toEqual(['created', 'rejected', 'rejected', 'created'])
    expect(await readOne(idOf(body))).toEqual({
      id: idOf(body),
      external_ids: { app: 'b-1' },
      updated_at: expect.any(String),
      customer,
      stretcher,
      zone_id: zone,
      starts_at: at(1),
      ends_at: at(1, 45),
      status: 'confirmed',
      price: '99.0000',
      credits_used: 0,
      rating: null,
      rating_attributes: [],
      rated_at: null,
      feedback: null,
      feedback_at: null,
      cancelled_at: null,
      cancel_reason: null,
      created_at: at(1),
    })
  })

  it('changes nothing when the same batch is sent again', async () => {
    const rated = { status: 'completed', rating: 4, rating_attributes: ['On time'], feedback: 'Good.' }
    const items = [booking(1, rated), booking(2, { status: 'cancelled', cancel_reason: 'Ill' })]
    const made = await send(...items)
    const before = await sql`select * from bookings order by id`.execute(server.db)
    server.clock.advance(60_000)
    const again = await send(...items)
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 2 })
    expect(idOf(again, 1)).toBe(idOf(made, 1))
    expect((await sql`select * from bookings order by id`.execute(server.db)).rows).toEqual(before.rows)
  })

  it('changes only the fields that are sent, and null clears', async () => {
    const made = await send(
      booking(1, { status: 'completed', rating: 4, rating_attributes: ['Calm'], feedback: 'Nice' }),
    )
    expect(await send({ external_id: 'b-1', rating: null })).toMatchObject({ updated: 1 })
    expect(await readOne(idOf(made))).toMatchObject({
      rating: null,
      rated_at: null,
      rating_attributes: [],
      feedback: 'Nice',
      price: '99.0000',
    })
  })

  it('fills in the time of a rating and of a cancellation', async () => {
    const made = await send(
      booking(1, { status: 'completed', rating: 5, updated_at: '2026-11-14T10:00:00Z' }),
      booking(2, { status: 'cancelled' }),
    )
    expect(await readOne(idOf(made))).toMatchObject({ rated_at: '2026-11-14T10:00:00.000Z' })
    expect(await readOne(idOf(made, 1))).toMatchObject({ cancelled_at: server.clock.now().toISOString() })
    expect(await send({ external_id: 'b-2', status: 'confirmed' })).toMatchObject({ updated: 1 })
    expect(await readOne(idOf(made, 1))).toMatchObject({ cancelled_at: null })
  })

  it('answers stale to a version older than the one taken', async () => {
    await send(booking(1, { updated_at: '2026-05-02T00:00:00Z', credits_used: 2 }))
    const late = await send(booking(1, { updated_at: '2026-05-01T00:00:00Z', credits_used: 1 }))
    expect(late).toMatchObject({ stale: 1, updated: 0 })
    expect(await readOne(idOf(late))).toMatchObject({ credits_used: 2 })
  })

  it('applies several items of one booking in order', async () => {
    const body = await send(
      booking(1),
      { external_id: 'b-1', status: 'in_progress' },
      { external_id: 'b-1', status: 'no_show' },
    )
    expect(body.results.map(({ status }) => status)).toEqual(['created', 'updated', 'updated'])
    expect(await readOne(idOf(body))).toMatchObject({ status: 'no_show' })
  })

  it('finds customers and stretchers by their external ids', async () => {
    const person = { external_id: 'c-1', first_name: 'Avery', last_name: 'Brooks', email: 'avery-b@example.com' }
    const { body } = await app.send(customerCalls.batch, { body: { items: [person] } })
    const made = await send(booking(1, { customer: 'c-1' }), booking(2, { customer: 'c-2', stretcher: 's-2' }))
    expect(await readOne(idOf(made))).toMatchObject({ customer: body.results[0]?.id })
    expect(made.results[1]?.errors).toEqual([
      expect.objectContaining({
        path: 'customer',
        code: 'missing_reference',
        resource: 'customers',
        external_id: 'c-2',
      }),
      expect.objectContaining({
        path: 'stretcher',
        code: 'missing_reference',
        resource: 'stretchers',
        external_id: 's-2',
      }),
    ])
  })

  it('books for the kept account of a merged customer, and not for an erased one', async () => {
    const [merged, erased] = [
      await makeCustomer(server.db),
      await makeCustomer(server.db, { ...located, zone_id: zone }),
    ]
    await sql`update customers set merged_into_id = ${customer}, blocked_at = joined_at, blocked_reason = 'merged'
      where id = ${merged.id}`.execute(server.db)
    const own = await send(booking(3, { customer: { id: erased.id } }))
    await sql`update customers set erased_at = joined_at, blocked_at = joined_at, blocked_reason = 'erased'
      where id = ${erased.id}`.execute(server.db)
    const body = await send(booking(1, { customer: { id: merged.id } }), booking(2, { customer: { id: erased.id } }))
    expect(await readOne(idOf(body))).toMatchObject({ customer })
    expect(body.results[1]).toMatchObject({ status: 'rejected', errors: [{ path: 'customer', code: 'erased' }] })
    expect(await errorsOf({ external_id: 'b-3', feedback: 'It is me.' })).toEqual(['customer erased'])
    expect(await readOne(idOf(own))).toMatchObject({ feedback: null })
  })

  it('takes the zone of the customer, of the stretcher, or the one sent', async () => {
    const elsewhere = await makeZone(server.db)
    const nowhere = (await makeCustomer(server.db)).id
    const body = await send(
      booking(1, { zone_id: elsewhere.id }),
      booking(2, { customer: { id: nowhere } }),
      booking(3, { customer: { id: nowhere }, stretcher: null, status: 'requested' }),
      booking(4, { zone_id: 999_999 }),
    )
    expect((await readOne(idOf(body, 0))).zone_id).toBe(elsewhere.id)
    expect((await readOne(idOf(body, 1))).zone_id).toBe(zone)
    expect(body.results[2]?.errors).toEqual([
      { path: 'zone_id', code: 'no_zone', text: 'Neither the customer nor the stretcher has a zone. Send a zone_id.' },
    ])
    expect(body.results[3]?.errors).toMatchObject([{ path: 'zone_id', code: 'missing_reference', resource: 'zones' }])
  })

  const done = { status: 'completed' }
  it.each<[object, string]>([
    [{ customer: undefined }, 'customer required'],
    [{ price: undefined }, 'price required'],
    [{ price: '1.23456' }, 'price invalid'],
    [{ nickname: 'x' }, 'nickname unknown_field'],
    [{ ends_at: at(1) }, 'ends_at invalid'],
    [{ ends_at: at(9, 1) }, 'ends_at invalid'],
    [{ created_at: at(1, 1) }, 'created_at invalid'],
    [{ stretcher: null }, 'stretcher invalid'],
    [{ cancelled_at: at(1) }, 'cancelled_at invalid'],
    [{ status: 'cancelled', cancelled_at: null }, 'cancelled_at invalid'],
    [{ cancel_reason: 'Ill' }, 'cancel_reason invalid'],
    [{ ...done, rated_at: at(2) }, 'rated_at invalid'],
    [{ ...done, rating: 5, rated_at: null }, 'rated_at invalid'],
    [{ ...done, rating: 5, rated_at: at(0) }, 'rated_at invalid'],
    [{ ...done, rating: 6 }, 'rating invalid'],
    [{ ...done, rating_attributes: ['Calm'] }, 'rating_attributes invalid'],
    [{ ...done, feedback_at: at(2) }, 'feedback_at invalid'],
    [{ ...done, feedback: 'Good', feedback_at: null }, 'feedback_at invalid'],
    [{ ...done, feedback: 'Good', feedback_at: at(0) }, 'feedback_at invalid'],
    [{ rating: 5 }, 'rating invalid'],
    [{ feedback: 'Good' }, 'feedback invalid'],
    [{ status: 'lost' }, 'status invalid'],
  ])('rejects %j: %s', async (more, expected) => {
    expect(await errorsOf(booking(1, more))).toEqual([expected])
  })

  it('rejects only the booking that puts a stretcher in two places', async () => {
    const body = await send(booking(1), booking(2), booking(3, { starts_at: at(2, 30), ends_at: at(3) }), booking(4))
    expect(body.results.map(({ status }) => status)).toEqual(['created', 'created', 'rejected', 'created'])
    expect(body.results[2]?.errors).toMatchObject([{ path: 'stretcher', code: 'overlap' }])
    // In order: the first leaves its time before the second takes it.
    const moved = await send(
      booking(2, { starts_at: at(5), ends_at: at(6) }),
      booking(1, { starts_at: at(2), ends_at: at(3) }),
    )
    expect(moved).toMatchObject({ updated: 2 })
  })

  it('rejects only the booking at the time of an on-site session', async () => {
    await makeSession(server.db, { stretcher_id: stretcher, starts_at: new Date(at(10)) })
    expect((await send(booking(9), booking(10), booking(20))).results.map(({ status }) => status)).toEqual([
      'created',
      'rejected',
      'created',
    ])
  })

  it('finds many overlaps in one batch', async () => {
    await send(booking(1), booking(2))
    await makeSession(server.db, { stretcher_id: stretcher, starts_at: new Date(at(10)) })
    const again = (n: number, hour: number) => ({ ...booking(hour), external_id: `x-${n}` })
    const body = await send(
      again(1, 1),
      again(2, 3),
      again(3, 3),
      again(4, 10),
      again(5, 2),
      booking(1, { starts_at: at(4), ends_at: at(5) }),
      again(6, 5),
      again(7, 1),
    )
    const places = body.results.map(({ status, errors }) => errors?.[0]?.code ?? status)
    expect(places).toEqual(['overlap', 'created', 'overlap', 'overlap', 'overlap', 'updated', 'created', 'created'])
  })

  it('gives no session ahead to a stretcher who left', async () => {
    const left = await makeStretcher(server.db, { zone_id: zone, status: 'inactive' })
    const ahead = { starts_at: '2026-12-01T10:00:00Z', ends_at: '2026-12-01T11:00:00Z', stretcher: { id: left.id } }
    expect(await errorsOf(booking(1, ahead), booking(2, { stretcher: { id: left.id } }))).toEqual([
      'stretcher inactive',
    ])
  })

  it('gives no session ahead to a stretcher who lacks a required certification on that day', async () => {
    const { id: type_id } = await makeCertificationType(server.db, { is_required: true })
    const second = await makeCertificationType(server.db, { is_required: true })
    try {
      const hold = async (type: number, valid_until: string | null) => {
        const who = await makeStretcher(server.db, { zone_id: zone })
        await makeCertification(server.db, { customer_id: who.customer_id, type_id: type, valid_until })
        return who
      }
      const [half, until] = [await hold(type_id, null), await hold(type_id, '2026-12-10')]
      await makeCertification(server.db, { customer_id: until.customer_id, type_id: second.id, valid_until: null })
      // Six in the evening of a day in California.
      const on = (day: number, who: number) => ({
        starts_at: `2026-12-${day}T02:00:00Z`,
        ends_at: `2026-12-${day}T03:00:00Z`,
        stretcher: { id: who },
      })
      const codes = async (...items: object[]) =>
        (await send(...(items as never[]))).results.map(({ errors }) => errors?.map(({ code }) => code).join() ?? 'ok')
      expect(
        await codes(
          booking(1, on(10, half.id)),
          booking(2, on(11, until.id)),
          booking(3, on(12, until.id)),
          booking(4, { ...on(12, half.id), status: 'cancelled' }),
          booking(5, { stretcher: { id: half.id } }),
        ),
      ).toEqual(['not_certified', 'ok', 'not_certified', 'ok', 'ok'])
      // Also when it is moved, given to somebody else, or brought back, but not when something else changes.
      const later = { external_id: 'b-2', starts_at: '2026-12-12T02:00:00Z', ends_at: '2026-12-12T03:00:00Z' }
      expect(await codes(later)).toEqual(['not_certified'])
      expect(await codes({ external_id: 'b-2', stretcher: { id: half.id } })).toEqual(['not_certified'])
      expect(await codes({ external_id: 'b-4', status: 'confirmed' })).toEqual(['not_certified'])
      await sql`update certifications set valid_until = '2026-11-20' where customer_id = ${until.customer_id} and type_id = ${type_id}`.execute(
        server.db,
      )
      expect(await codes({ external_id: 'b-2', price: '120' })).toEqual(['ok'])
      expect(await codes({ external_id: 'b-2', status: 'cancelled' })).toEqual(['ok'])
    } finally {
      await sql`update certification_types set is_required = false`.execute(server.db)
    }
  })

  it('creates a booking once when batches race', async () => {
    const items = Array.from({ length: 20 }, (_, n) => booking(n))
    const replies = await Promise.all([1, 2, 3, 4].map(() => send(...items)))
    expect(replies.map(({ created }) => created).sort()).toEqual([0, 0, 0, 20])
  })

  it('lets one of two sources have the time of a stretcher', async () => {
    const crm = await asProgram(server, { source: 'crm' })
    const both = await Promise.all([app, crm].map((program) => program.send(batch, { body: { items: [booking(1)] } })))
    expect(both.map(({ body }) => body.results[0]?.status).sort()).toEqual(['created', 'rejected'])
  })

  it('takes 1,000 items and not one more', async () => {
    const items = Array.from({ length: 1001 }, (_, n) => booking(n))
    expect((await app.send(batch, { body: { items } })).status).toBe(400)
    expect(await send(...items.slice(1))).toMatchObject({ created: 1000 })
  })
})

describe('the pay of bookings', () => {
  const entryOf = async (id: number) => {
    const { rows } = await sql<{ status: string; is_void: boolean }>`
      select status, exists (select from payroll_voids v where v.payroll_id = e.id) as is_void
      from payroll_entries e where booking_id = ${id}`.execute(server.db)
    return rows[0]
  }
  const complete = async () => {
    const made = await send(booking(1, { status: 'completed' }))
    expect(await eventually(() => entryOf(idOf(made)))).toEqual({ status: 'pending', is_void: false })
    return idOf(made)
  }

  it('is created at once, and once', async () => {
    await complete()
    const made = await send(booking(2))
    expect(await send(booking(2, { status: 'completed' }), booking(1, { credits_used: 1 }))).toMatchObject({
      updated: 2,
    })
    await eventually(() => entryOf(idOf(made)))
  })

  it('is canceled when the session was not completed, and then stays so', async () => {
    const id = await complete()
    expect(await send(booking(1, { status: 'no_show' }))).toMatchObject({ updated: 1 })
    expect(await entryOf(id)).toMatchObject({ status: 'cancelled' })
    expect(await errorsOf(booking(1, { status: 'completed' }))).toEqual(['status has_pay'])
  })

  it('is voided when it was paid already', async () => {
    const id = await complete()
    const now = server.clock.now()
    server.clock.set('2027-01-20T17:00:00Z')
    await runPayroll(server.running.services)
    expect(await entryOf(id)).toEqual({ status: 'paid', is_void: false })
    expect(await send(booking(1, { status: 'no_show' }))).toMatchObject({ updated: 1 })
    expect(await entryOf(id)).toEqual({ status: 'paid', is_void: true })
    server.clock.set(now)
  })

  it('stays with the stretcher who was paid', async () => {
    await complete()
    const other = await makeStretcher(server.db, { zone_id: zone })
    expect(await errorsOf({ external_id: 'b-1', stretcher: { id: other.id } })).toEqual(['status has_pay'])
  })
})

describe('reading bookings', () => {
  it('lists them, the latest change last, with tombstones of deleted ones', async () => {
    const made = await send(booking(1), booking(2), booking(3))
    await send({ external_id: 'b-1', credits_used: 1 })
    await sql`delete from bookings where id = ${idOf(made, 1)}`.execute(server.db)
    const { body } = await app.send(list)
    expect(body.items.map(({ external_ids }) => external_ids.app)).toEqual(['b-3', 'b-1', 'b-2'])
    expect(body.items[2]).toMatchObject({ id: idOf(made, 1), reason: 'deleted' })
    expect(await errorsOf(booking(2))).toEqual([' deleted'])
  })

  it('reads one by external id', async () => {
    const made = await send(booking(1))
    const params = { source: 'app', external_id: 'b-1' }
    expect((await app.send(readByExternalId, { params })).body.id).toBe(idOf(made))
    expect((await app.send(readByExternalId, { params: { ...params, source: 'crm' } })).status).toBe(404)
  })

  it('attaches an id to a booking that exists', async () => {
    const { id } = await makeBooking(server.db, { customer_id: customer, stretcher_id: stretcher })
    const { body } = await app.send(attach, { params: { id: String(id) }, body: { external_id: 'b-9' } })
    expect(body).toEqual({ id, external_ids: { app: 'b-9' } })
    expect(await send({ external_id: 'b-9', credits_used: 3 })).toMatchObject({ updated: 1 })
  })

  it('needs the scope', async () => {
    const other = await asProgram(server, { source: 'crm', scopes: ['customers:write', 'bookings:read'] })
    expect((await other.send(batch, { body: { items: [booking(1)] } })).status).toBe(403)
    expect((await other.send(list)).status).toBe(200)
  })
})
