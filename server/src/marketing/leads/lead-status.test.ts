import {
  convertLead,
  type LeadStatus,
  listLeads,
  readLead,
  setLeadStatus,
} from '@limber/contract/marketing/leads/lead.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR, MINUTE, shift } from '#platform/clock.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeLead } from './lead.factory.ts'
import { findInconsistentLeads } from './lead.testing.ts'

let server: TestServer
let keeper: TestCaller
let closer: TestCaller
const id = (lead: { id: number }) => ({ params: { id: String(lead.id) } })
const set = (caller: TestCaller, lead: { id: number }, status: LeadStatus, more: object = {}) =>
  caller.send(setLeadStatus, { body: { leadId: lead.id, status, ...more } })

beforeAll(async () => {
  server = await startTestServer()
  keeper = server.as('growth.tab')
  closer = server.as('growth.tab', 'leads.convert')
})
afterAll(() => server.stop())

const customersOf = async (email: string) =>
  server.db
    .selectFrom('customers')
    .select(['id', 'first_name', 'phone', 'joined_at'])
    .where('email', '=', email)
    .execute()

/** Leads with inconsistent steps. Without merges, the steps must cover the time without gaps. */
async function findBroken() {
  const { rows } = await sql`
    select l.id from leads l join lead_steps s on s.lead_id = l.id group by l.id
    having sum(extract(epoch from coalesce(s.left_at, l.status_since) - s.entered_at)) <> extract(epoch from l.status_since - l.created_at)`.execute(
    server.db,
  )
  return [...(await findInconsistentLeads(server.db)), ...rows]
}

describe('PATCH /api/marketing/leads/status', () => {
  it('allows any status change, updates the counts, and records every step with its time', async () => {
    const lead = await makeLead(server.db, { created_at: server.clock.now() })
    const history = ['contacted', 'onboarding_started', 'new', 'not_interested', 'onboarding_completed'] as const
    for (const status of history) {
      server.clock.advance(10 * MINUTE)
      const { body } = await set(keeper, lead, status)
      expect(body.lead.status).toBe(status)
      const { body: list } = await keeper.send(listLeads)
      expect(body.stats).toEqual(list.stats)
    }
    const { body } = await keeper.send(readLead, { body: { leadId: lead.id } })
    expect(body.lead.steps.map(({ status }) => status)).toEqual(['new', ...history])
    const minutes = body.lead.steps
      .slice(0, -1)
      .map(({ enteredAt, leftAt }) => (Date.parse(leftAt ?? '') - Date.parse(enteredAt)) / MINUTE)
    expect(minutes).toEqual([10, 10, 10, 10, 10])
    expect(Date.parse(body.lead.firstResponseAt ?? '') - Date.parse(body.lead.createdAt)).toBe(10 * MINUTE)
    expect(await findBroken()).toEqual([])
  })
  it('J24 requires the permission to convert for the status Converted', async () => {
    const lead = await makeLead(server.db)
    const reply = await set(keeper, lead, 'converted')
    expect([reply.status, reply.failure.code]).toEqual([403, 'may_not_convert'])
    expect((await set(keeper, { id: 999_999 }, 'converted')).status).toBe(403)
    const { body } = await keeper.send(readLead, { body: { leadId: lead.id } })
    expect(body.lead).toMatchObject({ status: 'new', version: 1, convertedAt: null, customer: null })
    expect((await set(closer, lead, 'converted')).body.lead).toMatchObject({
      status: 'converted',
      customer: { id: expect.any(Number) },
    })
  })
  it('keeps the lost reason until the status changes', async () => {
    const lead = await makeLead(server.db)
    expect((await set(keeper, lead, 'not_interested')).body.lead.lostReason).toBeNull()
    const updated = await set(keeper, lead, 'not_interested', { reason: 'Too expensive' })
    expect(updated.body.lead).toMatchObject({ lostReason: 'Too expensive', steps: [{}, { reason: 'Too expensive' }] })
    const back = await set(keeper, lead, 'contacted')
    expect(back.body.lead.lostReason).toBeNull()
    expect(back.body.lead.steps[1]?.reason).toBe('Too expensive')
    expect((await set(keeper, lead, 'new', { reason: 'Why' })).status).toBe(400)
  })
  it('rejects a stale version, and accepts a request without a version', async () => {
    const lead = await makeLead(server.db)
    expect((await set(keeper, lead, 'contacted', { version: 1 })).status).toBe(200)
    const stale = await set(keeper, lead, 'not_interested', { version: 1 })
    expect([stale.status, stale.failure.current]).toMatchObject([409, { status: 'contacted', version: 2 }])
    expect((await set(keeper, lead, 'contacted')).body.lead.version).toBe(2)
  })
  it.each([
    {},
    { leadId: 1 },
    { leadId: 1, status: 'won' },
    { leadId: 0, status: 'new' },
    { leadId: 1, status: 'new', x: 1 },
  ])('rejects %j', async (body) => {
    expect((await keeper.send(setLeadStatus, { body: body as never })).status).toBe(400)
  })
  it('O3 records every step under concurrent changes', async () => {
    const lead = await makeLead(server.db)
    const wanted = ['contacted', 'onboarding_started', 'converted', 'not_interested'] as const
    const replies = await Promise.all(
      Array.from({ length: 24 }, (_, n) => set(closer, lead, wanted[n % wanted.length] ?? 'contacted')),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await findBroken()).toEqual([])
    const { body } = await keeper.send(listLeads)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from leads where status = 'converted'`.execute(server.db)
    expect(body.stats.converted).toBe(rows[0]?.count)
  })
})

describe('POST /api/marketing/leads/:id/convert', () => {
  it('creates a customer account, and shows its bookings', async () => {
    const email = 'fresh@example.com'
    const lead = await makeLead(server.db, {
      email,
      phone: '+19515550155',
      created_at: shift(server.clock.now(), -36 * HOUR),
    })
    const { body } = await closer.send(convertLead, id(lead))
    const [customer] = await customersOf(email)
    expect(customer).toMatchObject({ first_name: 'Robin', phone: '+19515550155', joined_at: server.clock.now() })
    expect(body.lead).toMatchObject({
      status: 'converted',
      convertedAt: server.clock.now().toISOString(),
      customer: { id: customer?.id, name: 'Robin Vega' },
      bookings: { total: 0, completed: 0, firstAt: null },
    })
    const audit = await server.db
      .selectFrom('audit_log')
      .select('after')
      .where('action', '=', 'lead_converted')
      .where('subject_id', '=', String(lead.id))
      .execute()
    expect(audit).toEqual([{ after: { status: 'converted', customer: customer?.id, opened: true } }])
  })
  it('links the existing account with this email, also if that account was merged', async () => {
    const { makeCustomer } = await import('#support/customers/customer.factory.ts')
    const stayed = await makeCustomer(server.db, { email: 'stayed@example.com' })
    const merged = { blocked_at: server.clock.now(), blocked_reason: 'Merged', merged_into_id: stayed.id }
    await makeCustomer(server.db, { email: 'gone@example.com', ...merged })
    for (const email of ['stayed@example.com', 'gone@example.com']) {
      const { body } = await closer.send(convertLead, id(await makeLead(server.db, { email, last_name: '' })))
      expect(body.lead.customer?.id).toBe(stayed.id)
    }
  })
  it('J25 converts once: rejects the other nineteen of twenty concurrent requests', async () => {
    const email = 'once@example.com'
    const lead = await makeLead(server.db, { email })
    const replies = await Promise.all(Array.from({ length: 20 }, () => closer.send(convertLead, id(lead))))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status, failure }) => status === 409 && failure.code === 'converted')).toHaveLength(19)
    expect(await customersOf(email)).toHaveLength(1)
    const steps = await server.db.selectFrom('lead_steps').select('status').where('lead_id', '=', lead.id).execute()
    expect(steps.map(({ status }) => status)).toEqual(['new', 'converted'])
  })
  it('rejects a lead without the data for an account', async () => {
    for (const lacking of [{ email: null, phone: '+19515550166' }, { last_name: '' }]) {
      const lead = await makeLead(server.db, lacking)
      const reply = await closer.send(convertLead, id(lead))
      expect([reply.status, reply.failure.code]).toEqual([422, 'incomplete'])
      expect((await set(closer, lead, 'converted')).status).toBe(422)
    }
    expect((await closer.send(convertLead, { params: { id: '999999' } })).status).toBe(404)
  })
  it('requires the permission to convert', async () => {
    expect((await keeper.send(convertLead, id(await makeLead(server.db)))).status).toBe(403)
  })
})
