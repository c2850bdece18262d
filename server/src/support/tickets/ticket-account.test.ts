import { mergeUsers } from '@limber/contract/support/customers/account.ts'
import { listUserTickets, readUser } from '@limber/contract/support/customers/user.ts'
import { receiveTicketMessage } from '@limber/contract/support/inbox/inbound.ts'
import { createTicket, readTicket } from '@limber/contract/support/tickets/ticket.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '../customers/customer.factory.ts'

const KEY = 'a-key-that-brings-messages-0123456789'
let server: TestServer
let agent: TestCaller
const of = ({ id }: { id: number }) => ({ params: { id: String(id) } })

beforeAll(async () => {
  server = await startTestServer({ env: { SUPPORT_INBOUND_KEY: KEY } })
  agent = server.asSteppedUp('tickets.handle', 'tickets.create', 'users.overview', 'users.tickets')
})
afterAll(() => server.stop())

const open = async (customer_email: string) =>
  (await agent.send(createTicket, { body: { customer_email, subject: 'Hello', content: 'I ask' } })).body

const bring = async (from: string) => {
  const body = { messageId: `<${from}@mail>`, from, subject: 'Hello', content: 'I ask', references: [] }
  const { ticketId } = (
    await server.anonymous().send(receiveTicketMessage, { body }, { headers: { 'x-support-key': KEY } })
  ).body
  return { id: ticketId }
}

const accountOf = async (ticket: { id: number }) => (await agent.send(readTicket, of(ticket))).body.customer?.id

describe('the account of a ticket', () => {
  it('is the remaining one when the address belongs to a merged duplicate', async () => {
    const [keep, drop] = [await makeCustomer(server.db), await makeCustomer(server.db)]
    await agent.send(mergeUsers, { ...of(keep), body: { duplicateId: drop.id, reason: 'the same person' } })
    expect(await accountOf(await open(drop.email))).toBe(keep.id)
    expect(await accountOf(await bring(drop.email))).toBe(keep.id)
  })

  it('is linked as soon as the address gets one, with the ticket in its list and counts', async () => {
    const [made, brought] = [await open('early@example.com'), await bring('early@example.com')]
    expect(await accountOf(made)).toBeUndefined()
    const customer = await makeCustomer(server.db, { email: 'early@example.com' })
    expect([await accountOf(made), await accountOf(brought)]).toEqual([customer.id, customer.id])
    const { recentTickets } = (await agent.send(listUserTickets, of(customer))).body
    expect(recentTickets.map(({ id }) => id).toSorted()).toEqual([made.id, brought.id].toSorted())
    expect((await agent.send(readUser, of(customer))).body.activity.tickets).toMatchObject({ total: 2, active: 2 })
  })

  it('is linked when an account gets the address by a correction', async () => {
    const ticket = await open('corrected@example.com')
    const { id } = await makeCustomer(server.db)
    await server.db.updateTable('customers').set({ email: 'corrected@example.com' }).where('id', '=', id).execute()
    expect(await accountOf(ticket)).toBe(id)
  })

  it('does not change when another account gets the address later', async () => {
    const first = await makeCustomer(server.db, { email: 'handed-on@example.com' })
    const ticket = await open(first.email)
    await server.db.updateTable('customers').set({ email: 'new@example.com' }).where('id', '=', first.id).execute()
    await makeCustomer(server.db, { email: 'handed-on@example.com' })
    expect(await accountOf(ticket)).toBe(first.id)
  })
})
