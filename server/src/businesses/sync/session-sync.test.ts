import { businessCalls } from '@limber/contract/businesses/sync/business-sync.ts'
import { sessionCalls } from '@limber/contract/businesses/sync/session-sync.ts'
import { zoneCalls } from '@limber/contract/businesses/sync/zone-sync.ts'
import { customerCalls } from '@limber/contract/support/sync/customer-sync.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asProgram } from '#access/api-keys/program.testing.ts'
import { DAY, HOUR, MINUTE, shift } from '#platform/clock.ts'
import { clearRecords } from '#platform/testing/testing.sync.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeBlock, makeBusiness, makeSession } from '../business/business.factory.ts'
import { makeZone } from '../zones/zone.factory.ts'

const { takeSlot, freeSlot } = sessionCalls

let server: TestServer
let app: Awaited<ReturnType<typeof asProgram>>
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())
beforeEach(async () => {
  await clearRecords(server.db)
  app = await asProgram(server)
})

const EMAIL = 'ana@acme.example'
const at = (ms: number) => shift(server.clock.now(), ms)
const allow = (business: number, email = EMAIL) =>
  sql`insert into business_emails (business_id, email, created_at) values (${business}, ${email}, now())`.execute(
    server.db,
  )
/** A session of two hours with eight slots, whose business lets one address book. */
async function makeOpenSession(starts_at = at(DAY)) {
  const session = await makeSession(server.db, { starts_at })
  await allow(session.business_id)
  return session
}
const take = (id: number, body: object = {}) =>
  app.send(takeSlot, { params: { id: String(id) }, body: { name: 'Ana Ruiz', email: EMAIL, ...body } })
const free = (id: number, slot: number) => app.send(freeSlot, { params: { id: String(id), slot: String(slot) } })
const readSession = async (id: number) => (await app.send(sessionCalls.read, { params: { id: String(id) } })).body

describe('zones', () => {
  it('are shown with their polygons, and deleted ones as tombstones', async () => {
    const zone = await makeZone(server.db, {})
    const { body } = await app.send(zoneCalls.read, { params: { id: String(zone.id) } })
    expect(body).toMatchObject({ id: zone.id, external_ids: {}, polygon: { type: 'Polygon' } })
    expect(body.polygon.coordinates[0]?.length).toBeGreaterThan(3)
    await sql`delete from zones where id = ${zone.id}`.execute(server.db)
    const { body: page } = await app.send(zoneCalls.list)
    expect(page.items.at(-1)).toMatchObject({ id: zone.id, reason: 'deleted' })
  })
})

describe('businesses', () => {
  it('are shown with their custom path', async () => {
    const business = await makeBusiness(server.db)
    const params = { id: String(business.id) }
    expect((await app.send(businessCalls.attach, { params, body: { external_id: 'b-1' } })).status).toBe(200)
    const { body } = await app.send(businessCalls.readByExternalId, { params: { source: 'app', external_id: 'b-1' } })
    expect(body).toMatchObject({ id: business.id, custom_path: business.custom_path, archived_at: null })
    const { body: page } = await app.send(businessCalls.list)
    expect(page.items).toMatchObject([{ id: business.id, external_ids: { app: 'b-1' } }])
  })

  it('say whether an address may book', async () => {
    const business = await makeBusiness(server.db)
    await allow(business.id)
    const check = (path: string, email: string) =>
      app.send(businessCalls.checkEmail, { params: { path }, body: { email } })
    expect((await check(business.custom_path, ' Ana@ACME.example ')).body).toEqual({ id: business.id, allowed: true })
    expect((await check(business.custom_path, 'eve@acme.example')).body).toEqual({ id: business.id, allowed: false })
    expect((await check('no-such-path', EMAIL)).status).toBe(404)
    expect((await check(business.custom_path, 'nothing')).status).toBe(400)
    await sql`update businesses set archived_at = now() where id = ${business.id}`.execute(server.db)
    expect((await check(business.custom_path, EMAIL)).body.allowed).toBe(false)
    const reader = await asProgram(server, { scopes: ['businesses:read'] })
    const input = { params: { path: business.custom_path }, body: { email: EMAIL } }
    expect((await reader.send(businessCalls.checkEmail, input)).status).toBe(200)
    const other = await asProgram(server, { scopes: ['businesses:write'] })
    expect((await other.send(businessCalls.checkEmail, input)).status).toBe(403)
  })
})

describe('sessions', () => {
  it('are shown with their free slots, and change with them', async () => {
    const one = await makeOpenSession()
    const two = await makeOpenSession(at(2 * DAY))
    const shown = await readSession(one.id)
    expect(shown).toMatchObject({
      business: one.business_id,
      stretcher: one.stretcher_id,
      slots: 8,
      slot_length_minutes: 15,
      cancelled_at: null,
    })
    expect(shown.free_slots.map(({ slot }) => slot)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(shown.free_slots[2]).toEqual({
      slot: 2,
      starts_at: shift(one.starts_at, 30 * MINUTE).toISOString(),
      ends_at: shift(one.starts_at, 45 * MINUTE).toISOString(),
    })
    await take(one.id, { slot: 2 })
    const { body } = await app.send(sessionCalls.list)
    expect(body.items.map(({ id }) => id)).toEqual([two.id, one.id])
    expect((await readSession(one.id)).free_slots.map(({ slot }) => slot)).toEqual([0, 1, 3, 4, 5, 6, 7])
    await sql`update onsite_sessions set cancelled_at = now(), cancel_reason = 'Closed' where id = ${one.id}`.execute(
      server.db,
    )
    expect((await readSession(one.id)).free_slots).toEqual([])
  })
})

describe('POST /api/v1/sessions/:id/participants', () => {
  it('takes a slot for an allowed address', async () => {
    const session = await makeOpenSession()
    const { status, body } = await take(session.id, { slot: 3, email: 'Ana@ACME.example', external_id: 'p-1' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      session_id: session.id,
      slot: 3,
      name: 'Ana Ruiz',
      email: EMAIL,
      customer: null,
      rating: null,
      external_ids: { app: 'p-1' },
      booked_at: server.clock.now().toISOString(),
    })
    const { rows } = await sql<{ worker_name: string; after: unknown }>`
      select worker_name, after from audit_log where action = 'slot_taken' order by id desc limit 1`.execute(server.db)
    expect(rows[0]?.worker_name).toMatch(/^API key /)
    expect(rows[0]?.after).toEqual({ slot: 3 })
  })

  it('takes the first free slot when none is named, until the session is full', async () => {
    const session = await makeOpenSession()
    await take(session.id, { slot: 0 })
    const slots = []
    for (let n = 0; n < 7; n++) slots.push((await take(session.id)).body.slot)
    expect(slots).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect((await take(session.id)).failure).toMatchObject({ code: 'full', error: 'This session is full.' })
    expect((await take(session.id, { slot: 4 })).status).toBe(409)
  })

  it('knows the customer by email, or as named', async () => {
    const session = await makeOpenSession()
    const { id } = await makeCustomer(server.db, { email: EMAIL })
    const other = await makeCustomer(server.db)
    await app.send(customerCalls.attach, { params: { id: String(other.id) }, body: { external_id: 'c-9' } })
    expect((await take(session.id)).body.customer).toBe(id)
    expect((await take(session.id, { customer: 'c-9' })).body.customer).toBe(other.id)
    expect((await take(session.id, { customer: 'c-404' })).failure.code).toBe('missing_reference')
  })

  it('lets exactly one of twenty parallel calls win a slot', async () => {
    const session = await makeOpenSession()
    const emails = Array.from({ length: 20 }, (_, n) => `racer-${n}@acme.example`)
    for (const email of emails) await allow(session.business_id, email)
    const replies = await Promise.all(emails.map((email) => take(session.id, { slot: 5, email, name: email })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
    const lost = replies.filter(({ status }) => status === 409)
    expect(new Set(lost.map(({ failure }) => failure.code))).toEqual(new Set(['slot_taken']))
    const won = replies.find(({ status }) => status === 200)
    const { rows } = await sql<{ email: string }>`
      select email from onsite_participants where session_id = ${session.id}`.execute(server.db)
    expect(rows).toEqual([{ email: won?.body.email }])
  })

  it('fills a session with twenty parallel calls and no slot twice', async () => {
    const session = await makeOpenSession()
    const replies = await Promise.all(Array.from({ length: 20 }, () => take(session.id)))
    const taken = replies.flatMap(({ status, body }) => (status === 200 ? body.slot : []))
    expect(taken.sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(12)
  })

  it.each([
    ['another address', { email: 'eve@acme.example' }, 422, 'not_allowed'],
    ['a slot that is not there', { slot: 8 }, 422, 'no_slot'],
    ['no name', { name: '' }, 400, 'bad_request'],
  ])('refuses %s', async (_, body, status, code) => {
    const session = await makeOpenSession()
    const reply = await take(session.id, body)
    expect([reply.status, reply.failure.code]).toEqual([status, code])
  })

  it('refuses past, canceled and unknown sessions, and archived businesses', async () => {
    const past = await makeOpenSession(at(-3 * HOUR))
    const running = await makeOpenSession(at(-20 * MINUTE))
    const canceled = await makeOpenSession()
    const archived = await makeOpenSession()
    await sql`update onsite_sessions set cancelled_at = now(), cancel_reason = 'Closed' where id = ${canceled.id}`.execute(
      server.db,
    )
    await sql`update businesses set archived_at = now() where id = ${archived.business_id}`.execute(server.db)
    const code = async (id: number, body = {}) => (await take(id, body)).failure.code
    expect(await code(past.id)).toBe('past')
    expect(await code(past.id, { slot: 7 })).toBe('past')
    expect(await code(running.id, { slot: 1 })).toBe('past')
    expect((await take(running.id)).body.slot).toBe(2)
    expect(await code(canceled.id)).toBe('cancelled')
    expect(await code(archived.id)).toBe('not_allowed')
    expect(await code(999_999)).toBe('not_found')
  })

  it('answers a repeated Idempotency-Key with the same slot', async () => {
    const session = await makeOpenSession()
    const headers = { 'idempotency-key': 'slot-0123456789abcdef' }
    const input = { params: { id: String(session.id) }, body: { name: 'Ana Ruiz', email: EMAIL } }
    const first = await app.send(takeSlot, input, { headers })
    const second = await app.send(takeSlot, input, { headers })
    expect(second.body).toEqual(first.body)
  })

  it('needs participants:write', async () => {
    const session = await makeOpenSession()
    const key = await asProgram(server, { scopes: ['sessions:write', 'participants:read'] })
    const body = { name: 'Ana Ruiz', email: EMAIL }
    expect((await key.send(takeSlot, { params: { id: String(session.id) }, body })).status).toBe(403)
  })
})

describe('DELETE /api/v1/sessions/:id/participants/:slot', () => {
  it('frees a slot, which another can take', async () => {
    const session = await makeOpenSession()
    const { body } = await take(session.id, { slot: 3 })
    expect((await free(session.id, 3)).body).toEqual({ id: body.id, session_id: session.id, slot: 3 })
    expect((await free(session.id, 3)).failure.code).toBe('is_free')
    expect((await take(session.id, { slot: 3 })).status).toBe(200)
  })

  it('leaves slots that have started, and knows no other sessions', async () => {
    const running = await makeOpenSession(at(10 * MINUTE))
    await take(running.id, { slot: 0 })
    await sql`update onsite_sessions set starts_at = starts_at - interval '20 minutes', ends_at = ends_at - interval '20 minutes'
      where id = ${running.id}`.execute(server.db)
    expect((await free(running.id, 0)).failure.code).toBe('past')
    expect((await free(999_999, 0)).status).toBe(404)
  })

  it('lets one of twenty parallel calls free a slot', async () => {
    const session = await makeOpenSession()
    await take(session.id, { slot: 1 })
    const replies = await Promise.all(Array.from({ length: 20 }, () => free(session.id, 1)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 404)).toHaveLength(19)
  })
})

describe('a block with shorter slots', () => {
  it('has more of them', async () => {
    const block = await makeBlock(server.db, { slot_length_minutes: 10 })
    const session = await makeSession(server.db, { starts_at: at(DAY), block_id: block.id })
    expect(await readSession(session.id)).toMatchObject({ slots: 12, slot_length_minutes: 10 })
  })
})
