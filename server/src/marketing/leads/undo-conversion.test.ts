// @module-tag slow
import { readTeamSummary } from '@limber/contract/growth/team/team.ts'
import {
  convertLead,
  LeadStatus,
  readLead,
  setLeadStatus,
  undoConversion,
} from '@limber/contract/marketing/leads/lead.ts'
import { readLeadAnalytics, readLeadFunnel } from '@limber/contract/marketing/leads/lead-analytics.ts'
import { mergeLeads } from '@limber/contract/marketing/leads/lead-merge.ts'
import { blockUser } from '@limber/contract/support/customers/account.ts'
import { addNote } from '@limber/contract/support/customers/note.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, shift } from '#platform/clock.ts'
import { rounds } from '#platform/testing/testing.rounds.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeBooking } from '#support/customers/booking.factory.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeTicket } from '#support/tickets/ticket.factory.ts'
import { makeLead, type StatusChange } from './lead.factory.ts'
import { findInconsistentLeads } from './lead.testing.ts'

let server: TestServer
let closer: TestCaller
beforeAll(async () => {
  server = await startTestServer()
  closer = server.as('growth.tab', 'leads.convert')
})
afterAll(() => server.stop())

const id = (lead: { id: number }) => ({ params: { id: String(lead.id) } })
const read = async (lead: { id: number }) => (await closer.send(readLead, { body: { leadId: lead.id } })).body.lead
const convert = async (lead: { id: number }) => (await closer.send(convertLead, id(lead))).body.lead
const undo = (lead: { id: number }, by = closer) => by.send(undoConversion, id(lead))
const customers = (email: string | null) =>
  server.db.selectFrom('customers').select('id').where('email', '=', email).execute()

describe('POST /api/marketing/leads/:id/convert/undo', () => {
  it('P restores the lead after any history', async () => {
    const status = fc.constantFrom(...LeadStatus.options)
    const passing = fc
      .array(status, { maxLength: 4 })
      .map((way) => way.filter((one, at) => one !== (way[at - 1] ?? 'new')))
      .filter((way) => way.at(-1) !== 'converted')
    await fc.assert(
      fc.asyncProperty(passing, async (way) => {
        const passed = way.map((one, at): StatusChange => ({ status: one, after: 2 + at, reason: `Why ${at}` }))
        const lead = await makeLead(server.db, { created_at: shift(server.clock.now(), -9 * HOUR), passed })
        const before = await read(lead)
        const converted = await convert(lead)
        expect(converted.customer).toMatchObject({ name: 'Robin Vega' })
        server.clock.advance(MINUTE)
        const reply = await undo(lead)
        expect(reply.status).toBe(200)
        expect(reply.body.lead).toEqual({ ...before, version: before.version + 2 })
        expect(await customers(lead.email)).toEqual([])
      }),
      { numRuns: rounds(5, 20) },
    )
    expect(await findInconsistentLeads(server.db)).toEqual([])
  })

  it('keeps and unlinks an account that existed before', async () => {
    const { id: customerId, email } = await makeCustomer(server.db)
    const lead = await makeLead(server.db, { email })
    expect((await convert(lead)).customer?.id).toBe(customerId)
    expect((await undo(lead)).body.lead).toMatchObject({ status: 'new', customer: null })
    expect(await customers(email)).toEqual([{ id: customerId }])
  })

  it('unlinks tickets that are older than the account', async () => {
    const lead = await makeLead(server.db)
    const ticket = await makeTicket(server.db, {
      customer_id: null,
      customer_email: lead.email ?? '',
      created_at: shift(server.clock.now(), -HOUR),
    })
    const tied = () =>
      server.db.selectFrom('tickets').select('customer_id').where('id', '=', ticket.id).executeTakeFirst()
    const { customer } = await convert(lead)
    expect(await tied()).toEqual({ customer_id: customer?.id })
    expect((await undo(lead)).status).toBe(200)
    expect(await tied()).toEqual({ customer_id: null })
  })

  const uses: readonly [string, (customerId: number) => Promise<unknown>][] = [
    ['a booking', (customer_id) => makeBooking(server.db, { customer_id })],
    [
      'a ticket',
      (customer_id) => makeTicket(server.db, { customer_id, created_at: shift(server.clock.now(), MINUTE) }),
    ],
    [
      'a note',
      (user) => server.as('users.overview').send(addNote, { params: { id: String(user) }, body: { note: 'Hi' } }),
    ],
    [
      'a change',
      (user) =>
        server
          .as('users.overview')
          .send(blockUser, { params: { id: String(user) }, body: { reason: 'Rude on the phone' } }),
    ],
    [
      'a sign-in',
      (user) =>
        server.db.updateTable('customers').set({ last_login_at: server.clock.now() }).where('id', '=', user).execute(),
    ],
    ['another lead', (customer_id) => makeLead(server.db, { customer_id })],
  ]
  it.each(uses)('is rejected if the account has %s, and changes nothing', async (what, use) => {
    const lead = await makeLead(server.db)
    const converted = await convert(lead)
    await use(converted.customer?.id ?? 0)
    const before = await read(lead)
    const reply = await undo(lead)
    expect([reply.status, reply.failure.code]).toEqual([409, 'account_used'])
    expect(reply.failure.error).toContain(`in use (${what})`)
    expect(await read(lead)).toEqual(before)
    expect(await customers(lead.email)).toHaveLength(1)
  })

  it('is rejected a day later, after a merge, without a conversion, and without permission', async () => {
    const late = await makeLead(server.db)
    await convert(late)
    server.clock.advance(DAY + MINUTE)
    // Sessions expire within a day.
    closer = server.as('growth.tab', 'leads.convert')
    expect((await undo(late)).failure.code).toBe('too_late')
    const merged = await makeLead(server.db)
    const other = await makeLead(server.db)
    await convert(merged)
    await closer.send(mergeLeads, { ...id(merged), body: { duplicateId: other.id } })
    expect((await undo(merged)).failure.code).toBe('merged_since')
    expect((await undo(await makeLead(server.db))).failure.code).toBe('not_converted')
    expect((await undo({ id: 999_999 })).status).toBe(404)
    expect((await undo(other)).failure.code).toBe('merged')
    expect((await undo(late, server.as('growth.tab'))).status).toBe(403)
  })

  it('happens once for twenty concurrent requests', async () => {
    const lead = await makeLead(server.db)
    await convert(lead)
    const replies = await Promise.all(Array.from({ length: 20 }, () => undo(lead)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)])
    expect(await findInconsistentLeads(server.db)).toEqual([])
  })
})

describe('leaving Converted by setting another status', () => {
  const set = (lead: { id: number }, status: LeadStatus, by = closer) =>
    by.send(setLeadStatus, { body: { leadId: lead.id, status } })

  it('deletes an unused account, and keeps a used one', async () => {
    const unused = await makeLead(server.db)
    await convert(unused)
    expect((await set(unused, 'contacted')).body.lead).toMatchObject({ status: 'contacted', customer: null })
    expect(await customers(unused.email)).toEqual([])
    const used = await makeLead(server.db)
    const { customer } = await convert(used)
    await makeBooking(server.db, { customer_id: customer?.id ?? 0 })
    expect((await set(used, 'contacted')).body.lead.customer).toEqual(customer)
    expect(await customers(used.email)).toHaveLength(1)
    // Without the permission to convert, the account is kept.
    const kept = await makeLead(server.db)
    const { customer: theirs } = await convert(kept)
    expect((await set(kept, 'contacted', server.as('growth.tab'))).body.lead.customer).toEqual(theirs)
    // A repeated conversion creates a new account.
    expect((await convert(unused)).customer).not.toBeNull()
    expect((await undo(unused)).body.lead).toMatchObject({ status: 'contacted', customer: null })
    expect(await findInconsistentLeads(server.db)).toEqual([])
  })

  it('keeps the conversion rates of funnel, analytics and team equal', async () => {
    const rates = async () => {
      const timeRange = '90d'
      const { body: analytics } = await closer.send(readLeadAnalytics, { query: { timeRange } })
      const { body: funnel } = await closer.send(readLeadFunnel, { query: { timeRange } })
      const { body: team } = await closer.send(readTeamSummary)
      const [first, last] = [funnel.steps[0]?.reached ?? 0, funnel.steps.at(-1)?.reached ?? 0]
      return [analytics.conversion_rate, funnel.conversion.conversion_rate, (last / first) * 100, team.conversionRate]
    }
    const before = await rates()
    expect(new Set(before).size).toBe(1)
    const lead = await makeLead(server.db, { created_at: server.clock.now() })
    const waiting = await rates()
    await convert(lead)
    await set(lead, 'new')
    expect(await rates()).toEqual(waiting)
    expect(new Set(waiting).size).toBe(1)
  })
})
