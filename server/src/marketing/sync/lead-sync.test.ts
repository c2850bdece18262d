import { createLead, editLead, readLead } from '@limber/contract/marketing/leads/lead.ts'
import { mergeLeads } from '@limber/contract/marketing/leads/lead-merge.ts'
import { leadCalls } from '@limber/contract/marketing/sync/lead-sync.ts'
import { eraseUser } from '@limber/contract/support/customers/account.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asProgram } from '#access/api-keys/program.testing.ts'
import { batchTesting, clearRecords, untilLocked } from '#platform/testing/testing.sync.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeLead } from '../leads/lead.factory.ts'

const { batch, list, read, readByExternalId, attach } = leadCalls

let server: TestServer
let app: Awaited<ReturnType<typeof asProgram>>
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())
beforeEach(async () => {
  await clearRecords(server.db, 'merged_leads', 'lead_notes', 'lead_steps', 'leads')
  app = await asProgram(server)
})

const person = (n: number, more: object = {}) => ({
  external_id: `l-${n}`,
  first_name: 'Robin',
  last_name: `Vega${n}`,
  email: `robin-${n}@example.com`,
  ...more,
})
const { send, readOne, idOf } = batchTesting(() => app, leadCalls)

describe('POST /api/v1/leads/batch', () => {
  it('creates leads with their first step, and answers for each item', async () => {
    const body = await send(
      person(1, { phone: '(951) 555-0142', source: 'event', note: 'Met at the fair.' }),
      person(2, { email: 'no address' }),
      { external_id: 'l-3', first_name: 'Kim', phone: '9515550143' },
    )
    expect(body).toMatchObject({ created: 2, rejected: 1 })
    expect(await readOne(idOf(body))).toMatchObject({
      external_ids: { app: 'l-1' },
      first_name: 'Robin',
      phone: '+19515550142',
      source: 'event',
      note: 'Met at the fair.',
      status: 'new',
      customer: null,
    })
    expect(await readOne(idOf(body, 2))).toMatchObject({ last_name: '', email: null, source: 'manual', note: null })
    const shown = await server.asOwner().send(readLead, { body: { leadId: idOf(body) } })
    expect(shown.body.lead).toMatchObject({
      answers: [{ name: 'Note', value: 'Met at the fair.' }],
      steps: [{ status: 'new', leftAt: null }],
      assignee: null,
    })
  })

  it('changes nothing when the same batch is sent again', async () => {
    const items = [person(1, { note: 'Hello' }), person(2)]
    await send(...items)
    const before = await sql`select * from leads order by id`.execute(server.db)
    expect(await send(...items)).toMatchObject({ created: 0, updated: 0, unchanged: 2 })
    expect((await sql`select * from leads order by id`.execute(server.db)).rows).toEqual(before.rows)
  })

  it('changes only the fields that are sent, and null clears', async () => {
    const made = await send(person(1, { phone: '9515550142', note: 'Hello' }))
    expect(await send({ external_id: 'l-1', phone: null, note: null })).toMatchObject({ updated: 1 })
    expect(await readOne(idOf(made))).toMatchObject({ phone: null, note: null, email: 'robin-1@example.com' })
  })

  it('answers stale to a version older than the one taken', async () => {
    await send(person(1, { updated_at: '2026-05-02T00:00:00Z', last_name: 'New' }))
    const late = await send(person(1, { updated_at: '2026-05-01T00:00:00Z', last_name: 'Old' }))
    expect(late).toMatchObject({ stale: 1 })
    expect(await readOne(idOf(late))).toMatchObject({ last_name: 'New' })
  })

  it('rejects a second lead of the same person, by email or phone, also in one batch', async () => {
    const known = await makeLead(server.db, { email: 'robin-1@example.com', phone: '+19515550142' })
    const body = await send(
      person(1),
      person(2, { phone: '951-555-0142' }),
      person(3, { phone: '9515550143' }),
      person(4, { email: 'robin-3@example.com' }),
      person(5, { phone: '9515550143' }),
    )
    expect(body.results.map(({ status, errors }) => [status, errors?.[0]?.path, errors?.[0]?.code])).toEqual([
      ['rejected', 'email', 'duplicate'],
      ['rejected', 'phone', 'duplicate'],
      ['created', undefined, undefined],
      ['rejected', 'email', 'duplicate'],
      ['rejected', 'phone', 'duplicate'],
    ])
    expect(body.results[0]?.errors?.[0]?.text).toBe(
      `A lead with this email already exists: Robin Vega (id ${known.id}).`,
    )
  })

  it('lets a lead keep a contact that another one has, but not take one', async () => {
    const made = await send(person(1), person(2))
    await sql`update leads set email = 'robin-1@example.com' where id = ${idOf(made, 1)}`.execute(server.db)
    const body = await send(
      { external_id: 'l-1', email: 'robin-1@example.com', last_name: 'Reyes' },
      { external_id: 'l-2', phone: '9515550142' },
      { external_id: 'l-1', phone: '9515550142' },
    )
    expect(body.results.map(({ status }) => status)).toEqual(['updated', 'updated', 'rejected'])
  })

  it('keeps what staff corrected, unless the version is newer', async () => {
    const id = idOf(await send(person(1)))
    const params = { id: String(id) }
    expect((await server.asOwner().send(editLead, { params, body: { email: 'right@example.com' } })).status).toBe(200)
    expect((await send(person(1))).results[0]).toMatchObject({ status: 'unchanged', kept: ['email'] })
    expect(await readOne(id)).toMatchObject({ email: 'right@example.com' })
    const later = new Date(server.clock.now().getTime() + 1000).toISOString()
    expect((await send(person(1, { updated_at: later }))).results[0]).toMatchObject({ status: 'updated' })
    expect(await readOne(id)).toMatchObject({ email: 'robin-1@example.com' })
  })

  it('applies the update of a merged lead to the one that was kept', async () => {
    const made = await send(person(1), person(2))
    const [kept, gone] = [idOf(made), idOf(made, 1)]
    const merged = await server
      .asOwner()
      .send(mergeLeads, { params: { id: String(kept) }, body: { duplicateId: gone } })
    expect(merged.status, merged.text).toBe(200)
    const body = await send({ external_id: 'l-2', source: 'event' })
    expect(body.results[0]).toMatchObject({ status: 'updated', id: kept, merged_into: kept })
    expect(await readOne(kept)).toMatchObject({ source: 'event' })
    const { body: page } = await app.send(list)
    expect(page.items).toMatchObject([
      { id: gone, external_ids: { app: 'l-2' }, reason: 'merged', merged_into: kept },
      { id: kept },
    ])
  })

  it('follows a merge that ends while the batch waits for the lead', async () => {
    const made = await send(person(1), person(2))
    const [kept, gone] = [idOf(made), idOf(made, 1)]
    const { id: worker } = await server.asOwner().worker()
    let update: ReturnType<typeof send> | undefined
    await server.db.transaction().execute(async (tx) => {
      await sql`delete from lead_steps where lead_id = ${gone}`.execute(tx)
      await sql`
        with gone as (delete from leads where id = ${gone} returning *)
        insert into merged_leads (id, lead_id, first_name, last_name, email, source, created_at, merged_by, merged_at)
        select id, ${kept}, first_name, last_name, email, source, created_at, ${worker}, created_at from gone`.execute(
        tx,
      )
      update = send({ external_id: 'l-2', source: 'event' })
      await untilLocked(server.db)
    })
    expect((await update)?.results[0]).toMatchObject({ status: 'updated', id: kept, merged_into: kept })
  })

  it('shows an erased lead as a tombstone, and rejects updates', async () => {
    const { id: customer } = await makeCustomer(server.db, { email: 'robin-1@example.com' })
    const id = idOf(await send(person(1)))
    const erased = await server.asOwner({ isSteppedUp: true }).send(eraseUser, {
      params: { id: String(customer) },
      body: { reason: 'They asked.', email: 'robin-1@example.com' },
    })
    expect(erased.status, erased.text).toBe(200)
    const { body } = await app.send(list)
    expect(body.items).toMatchObject([{ id, reason: 'erased' }])
    expect((await app.send(read, { params: { id: String(id) } })).status).toBe(404)
    expect((await send({ external_id: 'l-1', source: 'event' })).results[0]?.errors).toMatchObject([{ code: 'erased' }])
  })

  it.each([
    [{ first_name: undefined }, 'first_name', 'required'],
    [{ email: undefined }, 'email', 'no_contact'],
    [{ campaign_id: 999_999 }, 'campaign_id', 'missing_reference'],
    [{ source: 'moon' }, 'source', 'invalid'],
    [{ phone: '12' }, 'phone', 'invalid'],
    [{ status: 'converted' }, 'status', 'unknown_field'],
  ])('rejects %j at %s as %s', async (more, path, code) => {
    expect((await send(person(1, more))).results[0]).toMatchObject({ status: 'rejected', errors: [{ path, code }] })
  })

  it('creates a lead once when batches of two sources and New Lead race', async () => {
    const crm = await asProgram(server, { source: 'crm' })
    const items = Array.from({ length: 20 }, (_, n) => person(n))
    const many = Array.from({ length: 150 }, (_, n) => person(n))
    const staff = server.asOwner()
    const entries = Promise.all(
      items.slice(0, 5).map(({ first_name, email }) => staff.send(createLead, { body: { first_name, email } })),
    )
    const replies = await Promise.all([
      send(...items),
      send(...items),
      crm.send(batch, { body: { items } }).then(({ body }) => body),
      crm.send(batch, { body: { items: many } }).then(({ body }) => body),
    ])
    const entered = (await entries).filter(({ status }) => status === 200).length
    const created = replies.map((reply) => reply.created).reduce((sum, count) => sum + count)
    expect(created + entered).toBe(150)
    const { rows } = await sql<{ leads: number }>`select count(*) as leads from leads`.execute(server.db)
    expect(rows[0]?.leads).toBe(150)
  })

  it('takes 1,000 items', async () => {
    expect(await send(...Array.from({ length: 1000 }, (_, n) => person(n)))).toMatchObject({ created: 1000 })
  })

  it('is closed to keys without the scope', async () => {
    const reader = await asProgram(server, { scopes: ['leads:read'] })
    expect((await reader.send(batch, { body: { items: [person(1)] } })).status).toBe(403)
    expect((await reader.send(list)).status).toBe(200)
  })
})

describe('reading leads', () => {
  it('lists the latest change last, and reads one by external id', async () => {
    const made = await send(person(1), person(2), person(3))
    await send({ external_id: 'l-1', source: 'event' })
    const { body } = await app.send(list)
    expect(body.items.map(({ external_ids }) => external_ids.app)).toEqual(['l-2', 'l-3', 'l-1'])
    const params = { source: 'app', external_id: 'l-2' }
    expect((await app.send(readByExternalId, { params })).body.id).toBe(idOf(made, 1))
  })

  it('attaches an id to a lead of the screen', async () => {
    const { id } = await makeLead(server.db, { email: 'robin-7@example.com' })
    expect((await app.send(attach, { params: { id: String(id) }, body: { external_id: 'l-7' } })).status).toBe(200)
    expect((await send(person(7, { source: 'event' }))).results[0]).toMatchObject({ status: 'updated', id })
  })
})
