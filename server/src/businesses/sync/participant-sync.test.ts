import { participantCalls } from '@limber/contract/businesses/sync/participant-sync.ts'
import { eraseUser } from '@limber/contract/support/customers/account.ts'
import { customerCalls } from '@limber/contract/support/sync/customer-sync.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asProgram } from '#access/api-keys/program.testing.ts'
import { DAY, shift } from '#platform/clock.ts'
import { batchTesting, clearRecords } from '#platform/testing/testing.sync.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeSession } from '../business/business.factory.ts'

const { batch, list, readByExternalId, attach } = participantCalls

let server: TestServer
let app: Awaited<ReturnType<typeof asProgram>>
let session: number
beforeAll(async () => {
  server = await startTestServer()
  session = (await makeSession(server.db, { starts_at: shift(server.clock.now(), -DAY) })).id
})
afterAll(() => server.stop())
beforeEach(async () => {
  await clearRecords(server.db, 'onsite_participants')
  app = await asProgram(server)
})

const person = (n: number, more: object = {}) => ({
  external_id: `p-${n}`,
  session_id: session,
  slot: n,
  name: `Ana Ruiz ${n}`,
  email: `ana-${n}@acme.example`,
  ...more,
})
const { send, readOne, idOf } = batchTesting(() => app, participantCalls)

describe('POST /api/v1/participants/batch', () => {
  it('creates participants, linked to the customer who is named or has the email', async () => {
    const [named, known] = [
      await makeCustomer(server.db),
      await makeCustomer(server.db, { email: 'ana-2@acme.example' }),
    ]
    await app.send(customerCalls.attach, { params: { id: String(named.id) }, body: { external_id: 'c-1' } })
    const body = await send(
      person(1, { customer: 'c-1', rating: 4, booked_at: '2026-01-02T08:00:00Z' }),
      person(2),
      person(3, { customer: null }),
    )
    expect(body).toMatchObject({ created: 3, rejected: 0 })
    expect(await readOne(idOf(body))).toMatchObject({
      external_ids: { app: 'p-1' },
      session_id: session,
      slot: 1,
      customer: named.id,
      rating: 4,
      booked_at: '2026-01-02T08:00:00.000Z',
    })
    expect(await readOne(idOf(body, 1))).toMatchObject({ customer: known.id, rating: null })
    expect(await readOne(idOf(body, 2))).toMatchObject({ customer: null })
  })

  it('changes nothing when the same batch is sent again', async () => {
    const items = [person(1, { rating: 5 }), person(2)]
    await send(...items)
    const before = await sql`select * from onsite_participants order by id`.execute(server.db)
    expect(await send(...items)).toMatchObject({ created: 0, updated: 0, unchanged: 2 })
    expect((await sql`select * from onsite_participants order by id`.execute(server.db)).rows).toEqual(before.rows)
  })

  it('changes only the fields that are sent, and null clears', async () => {
    const made = await send(person(1, { rating: 5 }))
    expect(await send({ external_id: 'p-1', rating: null })).toMatchObject({ updated: 1 })
    expect(await readOne(idOf(made))).toMatchObject({ rating: null, name: 'Ana Ruiz 1', slot: 1 })
  })

  it('answers stale to a version older than the one taken', async () => {
    await send(person(1, { updated_at: '2026-05-02T00:00:00Z', rating: 5 }))
    const late = await send(person(1, { updated_at: '2026-05-01T00:00:00Z', rating: 1 }))
    expect(late).toMatchObject({ stale: 1 })
    expect(await readOne(idOf(late))).toMatchObject({ rating: 5 })
  })

  it('rejects a slot that another has, in the data or in the batch, and applies the others', async () => {
    await send(person(1))
    const body = await send(person(2), person(3, { slot: 1 }), person(4, { slot: 2 }), person(5))
    expect(body.results.map(({ status, errors }) => [status, errors?.[0]?.code])).toEqual([
      ['created', undefined],
      ['rejected', 'slot_taken'],
      ['rejected', 'slot_taken'],
      ['created', undefined],
    ])
  })

  it('lets a slot pass from one participant to another in one batch', async () => {
    await send(person(1), person(2))
    const body = await send({ external_id: 'p-1', slot: 7 }, { external_id: 'p-2', slot: 1 }, person(3, { slot: 2 }))
    expect(body.results.map(({ status }) => status)).toEqual(['updated', 'updated', 'created'])
  })

  it.each([
    [{ name: undefined }, 'name', 'required'],
    [{ session_id: 999_999 }, 'session_id', 'missing_reference'],
    [{ slot: 8 }, 'slot', 'no_slot'],
    [{ slot: 24 }, 'slot', 'invalid'],
    [{ rating: 6 }, 'rating', 'invalid'],
    [{ customer: 'c-404' }, 'customer', 'missing_reference'],
    [{ email: 'nothing' }, 'email', 'invalid'],
    [{ booked_at: '2999-01-01T00:00:00Z' }, 'booked_at', 'invalid'],
  ])('rejects %j at %s as %s', async (more, path, code) => {
    expect((await send(person(1, more))).results[0]).toMatchObject({ status: 'rejected', errors: [{ path, code }] })
  })

  it('is closed to keys without the scope', async () => {
    const reader = await asProgram(server, { scopes: ['participants:read'] })
    expect((await reader.send(batch, { body: { items: [person(1)] } })).status).toBe(403)
    expect((await reader.send(list)).status).toBe(200)
  })
})

describe('reading participants', () => {
  it('lists the latest change last, and freed slots as tombstones', async () => {
    const made = await send(person(1), person(2))
    await send({ external_id: 'p-1', rating: 3 })
    await sql`delete from onsite_participants where id = ${idOf(made, 1)}`.execute(server.db)
    const { body } = await app.send(list)
    expect(body.items).toMatchObject([
      { id: idOf(made), rating: 3 },
      { id: idOf(made, 1), external_ids: { app: 'p-2' }, reason: 'deleted' },
    ])
    expect((await send({ external_id: 'p-2', rating: 1 })).results[0]?.errors).toMatchObject([{ code: 'deleted' }])
  })

  it('shows an erased participant as a tombstone, and rejects updates', async () => {
    const customer = await makeCustomer(server.db, { email: 'erase@acme.example' })
    const id = idOf(await send(person(1, { email: 'erase@acme.example' })))
    const erased = await server.asOwner({ isSteppedUp: true }).send(eraseUser, {
      params: { id: String(customer.id) },
      body: { reason: 'They asked.', email: 'erase@acme.example' },
    })
    expect(erased.status, erased.text).toBe(200)
    const { body } = await app.send(list)
    expect(body.items).toMatchObject([{ id, reason: 'erased' }])
    expect((await send({ external_id: 'p-1', rating: 1 })).results[0]?.errors).toMatchObject([{ code: 'erased' }])
  })

  it('reads one by external id, and attaches one', async () => {
    const id = idOf(await send(person(1)))
    const crm = await asProgram(server, { source: 'crm' })
    expect((await crm.send(attach, { params: { id: String(id) }, body: { external_id: 'x' } })).status).toBe(200)
    const params = { source: 'crm', external_id: 'x' }
    expect((await app.send(readByExternalId, { params })).body.id).toBe(id)
  })
})
