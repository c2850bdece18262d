import { deactivateStretcher, updateStretcher } from '@limber/contract/stretchers/stretcher.ts'
import { stretcherCalls } from '@limber/contract/stretchers/sync/stretcher-sync.ts'
import { eraseUser } from '@limber/contract/support/customers/account.ts'
import { customerCalls } from '@limber/contract/support/sync/customer-sync.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asProgram } from '#access/api-keys/program.testing.ts'
import { makeSession } from '#businesses/business/business.factory.ts'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import { batchTesting, clearRecords } from '#platform/testing/testing.sync.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeBooking } from '#support/customers/booking.factory.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeCourse, makeLesson, makeModule } from '#training/training.factory.ts'
import { makeStretcher } from '../stretcher.factory.ts'

const { batch, list, read, readByExternalId, attach } = stretcherCalls

let server: TestServer
let app: Awaited<ReturnType<typeof asProgram>>
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())
beforeEach(async () => {
  await clearRecords(
    server.db,
    'training_enrolments',
    'onsite_sessions',
    'bookings',
    'email_logs',
    'stretchers',
    'customers',
  )
  await sql`update training_courses set is_required = false`.execute(server.db)
  app = await asProgram(server)
})

const person = (n: number, more: object = {}) => ({
  external_id: `s-${n}`,
  first_name: 'Sam',
  last_name: `Okafor${n}`,
  email: `sam-${n}@example.com`,
  ...more,
})
const { send, readOne, idOf } = batchTesting(() => app, stretcherCalls)
const account = (id: number) =>
  server.db
    .selectFrom('customers')
    .select(['first_name', 'last_name', 'email', 'phone', 'email_verified_at'])
    .where('id', '=', id)
    .executeTakeFirst()
const later = (ms: number) => new Date(server.clock.now().getTime() + ms)

const makeRequiredCourse = async () => {
  const { id } = await makeCourse(server.db)
  const module = await makeModule(server.db, { course_id: id })
  await makeLesson(server.db, { course_id: id, module_id: module.id })
  await sql`update training_courses set is_required = true, is_active = true where id = ${id}`.execute(server.db)
}

describe('POST /api/v1/stretchers/batch', () => {
  it('hires people with an account of their own, and enrolls those who need training', async () => {
    await makeRequiredCourse()
    const hired_at = '2026-01-02T08:00:00Z'
    const body = await send(
      person(1, { phone: '+19515550142', date_of_birth: '1990-01-02' }),
      person(2, { status: 'active', hired_at }),
      person(3, { status: 'inactive', hired_at }),
    )
    expect(body).toMatchObject({ created: 3, rejected: 0 })
    const [one, two, three] = [
      await readOne(idOf(body)),
      await readOne(idOf(body, 1)),
      await readOne(idOf(body, 2)),
    ] as const
    expect(one).toMatchObject({
      external_ids: { app: 's-1' },
      status: 'in_training',
      phone: '+19515550142',
      date_of_birth: '1990-01-02',
      trained_at: null,
      hired_at: server.clock.now().toISOString(),
    })
    expect(two).toMatchObject({ status: 'active', hired_at: '2026-01-02T08:00:00.000Z' })
    expect(two.trained_at).toBe(two.hired_at)
    const joined = server.db.selectFrom('customers').select('joined_at').where('id', '=', Number(two.customer))
    expect(await joined.executeTakeFirst()).toEqual({ joined_at: new Date(hired_at) })
    expect(three).toMatchObject({ status: 'inactive', deactivated_at: server.clock.now().toISOString() })
    expect(await account(one.customer)).toMatchObject({ last_name: 'Okafor1', email: 'sam-1@example.com' })
    const { rows } = await sql`select customer_id from training_enrolments`.execute(server.db)
    expect(rows).toEqual([{ customer_id: one.customer }])
  })

  it('promotes the account that is named, or the one with the email', async () => {
    const zone = await makeZone(server.db, {})
    const named = await makeCustomer(server.db, { first_name: 'Ada', last_name: 'Diaz', email: 'ada@example.com' })
    const found = await makeCustomer(server.db, { email: 'sam-2@example.com', phone: '+19515550142' })
    await app.send(customerCalls.attach, { params: { id: String(named.id) }, body: { external_id: 'c-1' } })
    const body = await send({ external_id: 's-1', customer: 'c-1', zone_id: zone.id }, person(2))
    expect(body).toMatchObject({ created: 2 })
    expect(await readOne(idOf(body))).toMatchObject({
      customer: named.id,
      first_name: 'Ada',
      email: 'ada@example.com',
      zone_id: zone.id,
    })
    expect(await readOne(idOf(body, 1))).toMatchObject({ customer: found.id, phone: '+19515550142' })
    expect(await account(found.id)).toMatchObject({ first_name: 'Sam', last_name: 'Okafor2' })
  })

  it('activates a promoted person who has completed every required course', async () => {
    await makeRequiredCourse()
    const { id } = await makeCustomer(server.db, { email: 'sam-1@example.com' })
    await sql`insert into training_enrolments (course_id, customer_id, enrolled_at, started_at, completed_at)
      select id, ${id}, ${server.clock.now()}, ${server.clock.now()}, ${server.clock.now()} from training_courses where is_required`.execute(
      server.db,
    )
    expect(await readOne(idOf(await send(person(1))))).toMatchObject({ status: 'active' })
  })

  it('changes nothing when the same batch is sent again', async () => {
    const items = [person(1, { date_of_birth: '1990-01-02' }), person(2, { status: 'active' })]
    await send(...items)
    const before = await sql`select * from stretchers order by id`.execute(server.db)
    expect(await send(...items)).toMatchObject({ created: 0, updated: 0, unchanged: 2 })
    expect((await sql`select * from stretchers order by id`.execute(server.db)).rows).toEqual(before.rows)
  })

  it('changes only the fields that are sent, in the account too, and null clears', async () => {
    const id = idOf(await send(person(1, { phone: '+19515550142', date_of_birth: '1990-01-02' })))
    expect(await send({ external_id: 's-1', date_of_birth: null, last_name: 'Reyes' })).toMatchObject({ updated: 1 })
    const changed = await readOne(id)
    expect(changed).toMatchObject({ date_of_birth: null, last_name: 'Reyes', first_name: 'Sam' })
    expect(await account(changed.customer)).toMatchObject({ last_name: 'Reyes', phone: '+19515550142' })
    expect(await send({ external_id: 's-1', email: 'new@example.com', phone: null })).toMatchObject({ updated: 1 })
    expect(await account(changed.customer)).toMatchObject({ email: 'new@example.com', phone: null })
    expect(await readOne(id)).toMatchObject({ email: 'new@example.com', phone: null })
  })

  it('answers stale to a version older than the one taken', async () => {
    await send(person(1, { updated_at: '2026-05-02T00:00:00Z', last_name: 'New' }))
    const late = await send(person(1, { updated_at: '2026-05-01T00:00:00Z', last_name: 'Old' }))
    expect(late).toMatchObject({ stale: 1, updated: 0 })
    expect(await readOne(idOf(late))).toMatchObject({ last_name: 'New' })
  })

  it('attaches an unknown id to the stretcher with the email', async () => {
    const known = await makeStretcher(server.db, { email: 'sam-1@example.com' })
    const body = await send(person(1, { email: 'Sam-1@Example.com' }))
    expect(body.results[0]).toMatchObject({ status: 'updated', id: known.id, matched_by: 'email' })
  })

  it('keeps the name that staff gave, unless the version is newer', async () => {
    const id = idOf(await send(person(1)))
    const change = { firstName: 'Samuel', lastName: 'Okafor1', dateOfBirth: null, zoneId: null }
    expect((await server.asOwner().send(updateStretcher, { params: { id: String(id) }, body: change })).status).toBe(
      200,
    )
    expect((await send(person(1))).results[0]).toMatchObject({ status: 'unchanged', kept: ['first_name'] })
    expect(await readOne(id)).toMatchObject({ first_name: 'Samuel' })
    const newer = await send(person(1, { updated_at: later(1000).toISOString() }))
    expect(newer.results[0]).toMatchObject({ status: 'updated' })
    expect(await readOne(id)).toMatchObject({ first_name: 'Sam' })
  })

  it('finishes training, deactivates and reactivates', async () => {
    const id = idOf(await send(person(1)))
    await send({ external_id: 's-1', status: 'active' })
    expect(await readOne(id)).toMatchObject({ status: 'active', trained_at: server.clock.now().toISOString() })
    await send({ external_id: 's-1', status: 'inactive' })
    expect(await readOne(id)).toMatchObject({ status: 'inactive', deactivated_at: server.clock.now().toISOString() })
    await send({ external_id: 's-1', status: 'active' })
    expect(await readOne(id)).toMatchObject({ status: 'active', deactivated_at: null })
    expect((await send({ external_id: 's-1', status: 'in_training' })).results[0]?.errors).toMatchObject([
      { path: 'status', code: 'invalid' },
    ])
  })

  it('releases the bookings of those who leave', async () => {
    const stretcher = await makeStretcher(server.db, { email: 'sam-1@example.com' })
    const booking = await makeBooking(server.db, {
      stretcher_id: stretcher.id,
      starts_at: later(86_400_000),
      ends_at: later(90_000_000),
      status: 'confirmed',
    })
    await send({ external_id: 's-1', email: 'sam-1@example.com', status: 'inactive' })
    const { rows } = await sql`select stretcher_id, status from bookings where id = ${booking.id}`.execute(server.db)
    expect(rows).toEqual([{ stretcher_id: null, status: 'requested' }])
  })

  it('keeps those with on-site sessions ahead at work and in their zone', async () => {
    const stretcher = await makeStretcher(server.db, { email: 'sam-1@example.com' })
    const other = await makeZone(server.db, {})
    await makeSession(server.db, {
      stretcher_id: stretcher.id,
      starts_at: later(86_400_000),
      ends_at: later(90_000_000),
    })
    const email = 'sam-1@example.com'
    const body = await send(
      { external_id: 's-1', email, status: 'inactive' },
      { external_id: 's-1', email, zone_id: other.id },
    )
    expect(body.results).toMatchObject([
      { status: 'rejected', errors: [{ path: 'status', code: 'has_onsite' }] },
      { status: 'rejected', errors: [{ path: 'zone_id', code: 'has_onsite' }] },
    ])
  })

  it('leaves those whom staff deactivated inactive, unless the version is newer', async () => {
    const id = idOf(await send(person(1, { status: 'active' })))
    const body = { reason: 'Left.', bookings: 0 }
    expect((await server.asOwner().send(deactivateStretcher, { params: { id: String(id) }, body })).status).toBe(200)
    expect((await send(person(1, { status: 'active' }))).results[0]).toMatchObject({
      status: 'unchanged',
      kept: ['status'],
    })
    await send(person(1, { status: 'active', updated_at: later(1000).toISOString() }))
    expect(await readOne(id)).toMatchObject({ status: 'active' })
  })

  it.each([
    [{ last_name: undefined }, 'last_name', 'required'],
    [{ nickname: 'S' }, 'nickname', 'unknown_field'],
    [{ customer: 'c-404' }, 'customer', 'missing_reference'],
    [{ zone_id: 999_999 }, 'zone_id', 'missing_reference'],
    [{ date_of_birth: '2020-01-01' }, 'date_of_birth', 'too_young'],
    [{ date_of_birth: '1800-01-01' }, 'date_of_birth', 'invalid'],
    [{ hired_at: '2999-01-01T00:00:00Z' }, 'hired_at', 'invalid'],
    [{ status: 'sleeping' }, 'status', 'invalid'],
  ])('rejects %j at %s as %s', async (more, path, code) => {
    const body = await send(person(1, more))
    expect(body.results[0]).toMatchObject({ status: 'rejected', errors: [{ path, code }] })
    const { rows } = await sql`select from customers where email = 'sam-1@example.com'`.execute(server.db)
    expect(rows).toHaveLength(0)
  })

  it('rejects blocked accounts, and accounts that are stretchers', async () => {
    const blocked = await makeCustomer(server.db, { email: 'sam-1@example.com' })
    await sql`update customers set blocked_at = joined_at, blocked_reason = 'abuse' where id = ${blocked.id}`.execute(
      server.db,
    )
    const stretcher = await makeStretcher(server.db, {})
    const free = await makeCustomer(server.db)
    const body = await send(
      person(1),
      { external_id: 's-2', customer: { id: stretcher.customer_id } },
      { external_id: 's-3', customer: { id: free.id } },
      { external_id: 's-4', customer: { id: free.id } },
      { external_id: 's-3', customer: { id: blocked.id } },
    )
    expect(body.results).toMatchObject([
      { status: 'rejected', errors: [{ code: 'blocked' }] },
      { status: 'rejected', errors: [{ code: 'is_stretcher' }] },
      { status: 'created' },
      { status: 'rejected', errors: [{ code: 'is_stretcher' }] },
      { status: 'rejected', errors: [{ path: 'customer', code: 'immutable' }] },
    ])
  })

  it('rejects the email of another customer', async () => {
    await makeCustomer(server.db, { email: 'taken@example.com' })
    await send(person(1))
    expect((await send({ external_id: 's-1', email: 'taken@example.com' })).results[0]?.errors).toMatchObject([
      { path: 'email', code: 'email_taken' },
    ])
  })

  it('hires a person once when batches race', async () => {
    const items = Array.from({ length: 20 }, (_, n) => person(n))
    const crm = await asProgram(server, { source: 'crm' })
    const replies = await Promise.all([
      ...[1, 2, 3].map(() => send(...items)),
      crm.send(batch, { body: { items } }).then(({ body }) => body),
    ])
    expect(replies.map(({ created }) => created).reduce((sum, count) => sum + count)).toBe(20)
  })

  it('takes 1,000 items', async () => {
    expect(await send(...Array.from({ length: 1000 }, (_, n) => person(n)))).toMatchObject({ created: 1000 })
  })

  it('is closed to keys without the scope', async () => {
    const reader = await asProgram(server, { scopes: ['stretchers:read'] })
    expect((await reader.send(batch, { body: { items: [person(1)] } })).status).toBe(403)
    expect((await reader.send(list)).status).toBe(200)
  })
})

describe('reading stretchers', () => {
  const names = async () => (await app.send(list)).body.items.map(({ external_ids }) => external_ids.app)

  it('lists the latest change last, also that of a phone', async () => {
    const body = await send(person(1), person(2), person(3))
    await send({ external_id: 's-1', last_name: 'Reyes' })
    expect(await names()).toEqual(['s-2', 's-3', 's-1'])
    const { customer: customer_id } = await readOne(idOf(body, 1))
    await sql`update customers set phone = '+19515550199' where id = ${customer_id}`.execute(server.db)
    expect(await names()).toEqual(['s-3', 's-1', 's-2'])
  })

  it('shows an erased stretcher as a tombstone, and rejects updates', async () => {
    const id = idOf(await send(person(1, { status: 'inactive' })))
    const { customer: customer_id } = await readOne(id)
    const staff = server.asOwner({ isSteppedUp: true })
    const erased = await staff.send(eraseUser, {
      params: { id: String(customer_id) },
      body: { reason: 'They asked.', email: 'sam-1@example.com' },
    })
    expect(erased.status, erased.text).toBe(200)
    const { body } = await app.send(list)
    expect(body.items).toMatchObject([{ id, external_ids: { app: 's-1' }, reason: 'erased' }])
    expect(body.items[0]).not.toHaveProperty('email')
    expect((await app.send(read, { params: { id: String(id) } })).status).toBe(404)
    expect((await send({ external_id: 's-1', phone: null })).results[0]?.errors).toMatchObject([{ code: 'erased' }])
  })

  it('reads one by external id, and attaches one', async () => {
    const { id } = await makeStretcher(server.db, {})
    expect((await app.send(attach, { params: { id: String(id) }, body: { external_id: 's-9' } })).status).toBe(200)
    const params = { source: 'app', external_id: 's-9' }
    expect((await app.send(readByExternalId, { params })).body.id).toBe(id)
  })
})
