import { correctContact } from '@limber/contract/support/customers/account.ts'
import { customerCalls } from '@limber/contract/support/sync/customer-sync.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asProgram } from '#access/api-keys/program.testing.ts'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import { batchTesting, clearRecords, untilLocked } from '#platform/testing/testing.sync.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeCustomer } from '../customers/customer.factory.ts'

const { batch, list, read, readByExternalId, attach } = customerCalls

let server: TestServer
let app: Awaited<ReturnType<typeof asProgram>>
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())
beforeEach(async () => {
  await clearRecords(server.db, 'email_logs', 'stretchers', 'customers', 'suppressions')
  app = await asProgram(server)
})

const person = (n: number, more: object = {}) => ({
  external_id: `c-${n}`,
  first_name: 'Avery',
  last_name: `Brooks${n}`,
  email: `avery-${n}@example.com`,
  ...more,
})
const { send, readOne, idOf } = batchTesting(() => app, customerCalls)

describe('POST /api/v1/customers/batch', () => {
  it('creates customers and answers for each item', async () => {
    const body = await send(person(1), person(2, { email: 'no address' }), person(3))
    expect(body).toMatchObject({ created: 2, updated: 0, unchanged: 0, stale: 0, rejected: 1 })
    expect(body.results.map(({ external_id, status }) => [external_id, status])).toEqual([
      ['c-1', 'created'],
      ['c-2', 'rejected'],
      ['c-3', 'created'],
    ])
    expect(body.results[1]?.errors).toEqual([{ path: 'email', code: 'invalid', text: 'Invalid email format.' }])
  })

  it('changes nothing when the same batch is sent again', async () => {
    const items = [person(1, { points: 5, address: { city: 'Riverside' } }), person(2)]
    await send(...items)
    const before = await sql`select * from customers order by id`.execute(server.db)
    expect(await send(...items)).toMatchObject({ created: 0, updated: 0, unchanged: 2 })
    expect((await sql`select * from customers order by id`.execute(server.db)).rows).toEqual(before.rows)
  })

  it('changes only the fields that are sent, and null clears', async () => {
    const made = await send(person(1, { phone: '+19515550142', points: 7, last_login_at: null }))
    expect(await send({ external_id: 'c-1', phone: null })).toMatchObject({ updated: 1 })
    expect(await readOne(idOf(made))).toMatchObject({ phone: null, points: 7, first_name: 'Avery' })
  })

  it('answers stale to a version older than the one taken', async () => {
    await send(person(1, { updated_at: '2026-05-02T00:00:00Z', points: 2 }))
    const late = await send(person(1, { updated_at: '2026-05-01T00:00:00Z', points: 1 }))
    expect(late).toMatchObject({ stale: 1, updated: 0 })
    expect(await readOne(idOf(late))).toMatchObject({ points: 2 })
  })

  it('applies several items of one customer in order', async () => {
    const body = await send(person(1), person(1, { points: 1 }), person(1, { points: 9 }))
    expect(body.results.map(({ status }) => status)).toEqual(['created', 'updated', 'updated'])
    expect(await readOne(idOf(body))).toMatchObject({ points: 9 })
  })

  it('lets an item name an earlier one, and rejects one that names a later one', async () => {
    const body = await send(
      person(1, { referred_by: { customer: 'c-2' } }),
      person(2),
      person(3, { referred_by: { customer: 'c-2' } }),
    )
    expect(body.results.map(({ status }) => status)).toEqual(['rejected', 'created', 'created'])
    expect(body.results[0]?.errors).toEqual([
      {
        path: 'referred_by.customer',
        code: 'missing_reference',
        resource: 'customers',
        external_id: 'c-2',
        text: 'There is no record c-2 in customers.',
      },
    ])
    expect(await readOne(idOf(body, 2))).toMatchObject({ referred_by: { customer: idOf(body, 1) } })
  })

  it('attaches an unknown id to the customer who has the email', async () => {
    const known = await makeCustomer(server.db, { email: 'avery-1@example.com' })
    const body = await send(person(1, { email: 'Avery-1@Example.com' }))
    expect(body.results[0]).toMatchObject({ status: 'updated', id: known.id, matched_by: 'email' })
    expect((await readOne(known.id)).external_ids).toEqual({ app: 'c-1' })
  })

  it('rejects a second external id of the same source for one customer', async () => {
    const body = await send(person(1), { ...person(1), external_id: 'other' })
    expect(body.results[1]).toMatchObject({ status: 'rejected', errors: [{ code: 'already_linked' }] })
    const crm = await asProgram(server, { source: 'crm' })
    const { body: second } = await crm.send(batch, { body: { items: [{ ...person(1), external_id: 'crm-1' }] } })
    expect(second.results[0]).toMatchObject({ status: 'updated', matched_by: 'email' })
    expect((await readOne(idOf(body))).external_ids).toEqual({ app: 'c-1', crm: 'crm-1' })
  })

  it('keeps what staff corrected, unless the version is newer', async () => {
    const made = await send(person(1, { phone: '+19515550142' }))
    const id = idOf(made)
    const contact = { first_name: 'Avery', last_name: 'Brooks1', phone: '+19515550142' }
    const staff = server.asOwner({ isSteppedUp: true })
    const corrected = { ...contact, email: 'right@example.com', reason: 'They called.' }
    expect((await staff.send(correctContact, { params: { id: String(id) }, body: corrected })).status).toBe(200)
    const old = await send(person(1, { updated_at: '2020-01-01T00:00:00Z', points: 3 }))
    expect(old.results[0]).toMatchObject({ status: 'updated', kept: ['email'] })
    expect((await send(person(1, { points: 3 }))).results[0]).toMatchObject({ status: 'unchanged', kept: ['email'] })
    expect(await readOne(id)).toMatchObject({ email: 'right@example.com', points: 3 })
    const later = new Date(server.clock.now().getTime() + 1000).toISOString()
    expect((await send(person(1, { updated_at: later }))).results[0]).not.toHaveProperty('kept')
    expect(await readOne(id)).toMatchObject({ email: 'avery-1@example.com' })
  })

  it('leaves a blocked customer blocked', async () => {
    const { id } = await makeCustomer(server.db, { email: 'avery-1@example.com' })
    await sql`update customers set blocked_at = joined_at, blocked_reason = 'abuse' where id = ${id}`.execute(server.db)
    expect(await send(person(1))).toMatchObject({ updated: 1 })
    expect(await readOne(id)).toMatchObject({ blocked: true, last_name: 'Brooks1' })
  })

  it('applies the update of a merged customer to the one that was kept', async () => {
    const made = await send(person(1), person(2))
    await sql`update customers set merged_into_id = ${idOf(made, 0)}, blocked_at = joined_at, blocked_reason = 'merged'
      where id = ${idOf(made, 1)}`.execute(server.db)
    const body = await send({ external_id: 'c-2', points: 4 })
    expect(body.results[0]).toMatchObject({ status: 'updated', id: idOf(made, 0), merged_into: idOf(made, 0) })
    expect(await readOne(idOf(made, 0))).toMatchObject({ points: 4 })
  })

  it('follows a merge that ends while the batch waits for the customer', async () => {
    const made = await send(person(1), person(2))
    const [kept, merged] = [idOf(made, 0), idOf(made, 1)]
    let update: ReturnType<typeof send> | undefined
    await server.db.transaction().execute(async (tx) => {
      await sql`update customers set merged_into_id = ${kept}, blocked_at = joined_at, blocked_reason = 'merged'
        where id = ${merged}`.execute(tx)
      update = send({ external_id: 'c-2', points: 4 })
      await untilLocked(server.db)
    })
    expect((await update)?.results[0]).toMatchObject({ status: 'updated', id: kept, merged_into: kept })
  })

  it('rejects the update of an erased customer', async () => {
    const made = await send(person(1))
    await sql`update customers set erased_at = joined_at, blocked_at = joined_at, blocked_reason = 'erased'
      where id = ${idOf(made)}`.execute(server.db)
    expect((await send({ external_id: 'c-1', points: 4 })).results[0]).toMatchObject({
      status: 'rejected',
      errors: [{ code: 'erased' }],
    })
  })

  it('rejects the email of another customer', async () => {
    await send(person(1), person(2))
    expect((await send({ external_id: 'c-2', email: 'avery-1@example.com' })).results[0]?.errors).toEqual([
      { path: 'email', code: 'email_taken', text: 'Another customer has this email.' },
    ])
  })

  it('finds the zone from coordinates, or from the postal code and says so', async () => {
    const zone = await makeZone(server.db, {})
    const body = await send(
      person(1, { address: { latitude: 33.97, longitude: -117.38 } }),
      person(2, { address: { postal_code: '92501' } }),
      person(3, { address: { postal_code: '10001' } }),
      person(4, { address: { postal_code: '00000' } }),
    )
    const places = await Promise.all([0, 1, 2, 3].map((at) => readOne(idOf(body, at))))
    expect(places.map(({ zone_id, zone_precision }) => [zone_id, zone_precision])).toEqual([
      [zone.id, 'address'],
      [zone.id, 'postal_code'],
      [null, 'postal_code'],
      [null, null],
    ])
  })

  it.each([
    [{ last_name: undefined }, 'last_name', 'required'],
    [{ nickname: 'Ave' }, 'nickname', 'unknown_field'],
    [{ joined_at: '2026-01-02T00:00:00Z', last_login_at: '2026-01-01T00:00:00Z' }, 'last_login_at', 'invalid'],
    [{ points: 5, total_points_earned: 4 }, 'total_points_earned', 'invalid'],
    [{ address: { latitude: 33 } }, 'address.latitude', 'invalid'],
    [{ referred_by: { worker_email: 'no@example.com' } }, 'referred_by.worker_email', 'missing_reference'],
    [{ joined_at: '2026-01-02' }, 'joined_at', 'invalid'],
  ])('rejects %j at %s as %s', async (more, path, code) => {
    const body = await send(person(1, more))
    expect(body.results[0]).toMatchObject({ status: 'rejected', errors: [{ path, code }] })
  })

  it('keeps the name of a stretcher', async () => {
    const { customer_id } = await makeStretcher(server.db, {})
    expect((await app.send(attach, { params: { id: String(customer_id) }, body: { external_id: 's-1' } })).status).toBe(
      200,
    )
    const body = await send({ external_id: 's-1', first_name: 'Somebody' })
    expect(body.results[0]).toMatchObject({
      status: 'rejected',
      errors: [{ path: 'first_name', code: 'is_stretcher' }],
    })
  })

  it('opts out of bulk email, and in again', async () => {
    const made = await send(person(1, { marketing_opt_out: true }))
    expect(await readOne(idOf(made))).toMatchObject({ marketing_opt_out: true })
    expect(await send({ external_id: 'c-1', marketing_opt_out: true })).toMatchObject({ unchanged: 1 })
    expect(await send({ external_id: 'c-1', marketing_opt_out: false })).toMatchObject({ updated: 1 })
    expect(await readOne(idOf(made))).toMatchObject({ marketing_opt_out: false })
  })

  it('ends with the choice that an item sends along with a new address', async () => {
    const made = await send(person(1, { marketing_opt_out: true }))
    const moved = { external_id: 'c-1', email: 'moved@example.com', marketing_opt_out: false }
    expect(await send(moved)).toMatchObject({ updated: 1 })
    expect(await readOne(idOf(made))).toMatchObject({ email: 'moved@example.com', marketing_opt_out: false })
    expect(await send(moved)).toMatchObject({ unchanged: 1 })
  })

  it('applies every item of accounts that were merged, in order', async () => {
    const made = await send(person(1), person(2))
    const [gone, kept] = [idOf(made), idOf(made, 1)]
    await sql`update customers set merged_into_id = ${kept}, blocked_at = now(), blocked_reason = 'Merged'
      where id = ${gone}`.execute(server.db)
    const items = [
      { external_id: 'c-1', points: 5, rank: 'Silver' },
      { external_id: 'c-2', rank: 'Gold' },
    ]
    expect(await send(...items)).toMatchObject({ updated: 2, results: [{ merged_into: kept }, { id: kept }] })
    expect(await readOne(kept)).toMatchObject({ points: 5, rank: 'Gold' })
  })

  it('creates a customer once when two batches race', async () => {
    const items = Array.from({ length: 20 }, (_, n) => person(n))
    const replies = await Promise.all([1, 2, 3, 4].map(() => send(...items)))
    expect(replies.map(({ created }) => created).sort()).toEqual([0, 0, 0, 20])
  })

  it('takes 1,000 items and not one more', async () => {
    const items = Array.from({ length: 1001 }, (_, n) => person(n))
    expect((await app.send(batch, { body: { items } })).status).toBe(400)
    expect(await send(...items.slice(1))).toMatchObject({ created: 1000 })
  })

  it('answers 413 above 5 MB', async () => {
    const rawBody = `{"items":[{"external_id":"${'x'.repeat(5_242_880)}"}]}`
    expect((await app.send(batch, {}, { rawBody })).status).toBe(413)
  })

  it('replies the same to a repeated Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'batch-0123456789abcdef' }
    const first = await app.send(batch, { body: { items: [person(1)] } }, { headers })
    const second = await app.send(batch, { body: { items: [person(1)] } }, { headers })
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotent-replay')).toBe('true')
  })

  it('names the key in the audit log', async () => {
    await send(person(1))
    const { rows } = await sql<{ worker_name: string; reason: string }>`
      select worker_name, reason from audit_log where action = 'batch_received' order by id desc limit 1`.execute(
      server.db,
    )
    expect(rows[0]?.worker_name).toMatch(/^API key /)
    expect(rows[0]?.reason).toBe('customers: 1 created')
  })
})

describe('reading customers', () => {
  const walk = async (query: Record<string, string> = {}) => {
    const items = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { status, body } = await app.send(list, { query: { limit: '2', ...query, ...(cursor && { cursor }) } })
      expect(status).toBe(200)
      items.push(...body.items)
      cursor = body.next_cursor
    }
    return items
  }

  it('lists every customer once, the latest change last', async () => {
    await send(person(1), person(2), person(3), person(4), person(5))
    await send({ external_id: 'c-2', points: 1 })
    const found = await walk()
    expect(found.map(({ external_ids }) => external_ids.app)).toEqual(['c-1', 'c-3', 'c-4', 'c-5', 'c-2'])
  })

  it('does not miss a customer that changes during the walk', async () => {
    await send(person(1), person(2), person(3))
    const { body: first } = await app.send(list, { query: { limit: '2' } })
    await send({ external_id: 'c-1', points: 1 })
    const { body: rest } = await app.send(list, { query: { limit: '2', cursor: first.next_cursor ?? '' } })
    expect(rest.items.map(({ external_ids }) => external_ids.app)).toEqual(['c-3', 'c-1'])
  })

  it('holds back what a transaction in progress could precede', async () => {
    await send(person(1))
    await server.db.transaction().execute(async (tx) => {
      await makeCustomer(tx, { email: 'late@example.com' })
      await send(person(2))
      expect((await walk()).map(({ external_ids }) => external_ids.app)).toEqual(['c-1'])
    })
    expect(await walk()).toHaveLength(3)
  })

  it('lists what changed since a time', async () => {
    await send(person(1), person(2))
    const [, last] = await walk()
    const updated = last && 'updated_at' in last ? last.updated_at : ''
    const since = new Date(new Date(updated).getTime() + 1).toISOString()
    expect(await walk({ updated_since: since })).toEqual([])
    await send({ external_id: 'c-1', points: 2 })
    expect((await walk({ updated_since: since })).map(({ external_ids }) => external_ids.app)).toEqual(['c-1'])
  })

  it('shows merged and erased customers as tombstones', async () => {
    const made = await send(person(1), person(2), person(3))
    const [kept, merged, erased] = [0, 1, 2].map((at) => idOf(made, at))
    await sql`update customers set merged_into_id = ${kept}, blocked_at = joined_at, blocked_reason = 'merged' where id = ${merged}`.execute(
      server.db,
    )
    await sql`update customers set erased_at = joined_at, blocked_at = joined_at, blocked_reason = 'erased' where id = ${erased}`.execute(
      server.db,
    )
    const [, second, third] = await walk()
    expect(second).toMatchObject({ id: merged, external_ids: { app: 'c-2' }, reason: 'merged', merged_into: kept })
    expect(third).toMatchObject({ id: erased, external_ids: { app: 'c-3' }, reason: 'erased' })
    expect(third).not.toHaveProperty('email')
    expect((await app.send(read, { params: { id: String(erased) } })).status).toBe(404)
  })

  it('reads one by external id, also one with a slash', async () => {
    const made = await send(person(1), { ...person(2), external_id: 'tenant/7 ü' })
    const params = { source: 'app', external_id: 'tenant/7 ü' }
    expect((await app.send(readByExternalId, { params })).body.id).toBe(idOf(made, 1))
    const long = 'x'.repeat(200)
    await send({ ...person(3), external_id: long })
    expect((await app.send(readByExternalId, { params: { source: 'app', external_id: long } })).status).toBe(200)
    expect((await app.send(readByExternalId, { params: { source: 'crm', external_id: 'c-1' } })).status).toBe(404)
  })

  it.each([{ limit: '501' }, { limit: '0' }, { cursor: 'abc' }, { updated_since: 'yesterday' }])(
    'answers 400 to %j',
    async (query) => {
      expect((await app.send(list, { query })).status).toBe(400)
    },
  )
})

describe('PUT /api/v1/customers/:id/external-id', () => {
  it('attaches an id once, and repeats it without harm', async () => {
    const [one, other] = [await makeCustomer(server.db), await makeCustomer(server.db)]
    const put = (id: number, external_id: string) =>
      app.send(attach, { params: { id: String(id) }, body: { external_id } })
    expect((await put(one.id, 'c-1')).body).toEqual({ id: one.id, external_ids: { app: 'c-1' } })
    expect((await put(one.id, 'c-1')).status).toBe(200)
    expect((await put(one.id, 'c-2')).failure.code).toBe('already_linked')
    expect((await put(other.id, 'c-1')).failure.code).toBe('already_linked')
    expect((await put(999_999, 'c-3')).status).toBe(404)
  })
})
