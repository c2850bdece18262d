import { type WebhookEvent, webhookEvents } from '@limber/contract/access/webhooks/events.ts'
import { createOwnWebhook } from '@limber/contract/access/webhooks/webhook-sync.ts'
import { adjustCredits, blockUser, mergeUsers, unblockUser } from '@limber/contract/support/customers/account.ts'
import { customerCalls } from '@limber/contract/support/sync/customer-sync.ts'
import { setTicketStatus } from '@limber/contract/support/tickets/ticket.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeTicket } from '#support/tickets/ticket.factory.ts'
import { asProgram } from '../api-keys/program.testing.ts'

let server: TestServer
let boss: TestCaller
beforeAll(async () => {
  server = await startTestServer()
  boss = server.asOwner({ isSteppedUp: true })
  const crm = await asProgram(server, { source: 'crm' })
  const body = { url: 'https://hooks.example.com/', events: [...webhookEvents] as WebhookEvent[], description: '' }
  await crm.send(createOwnWebhook, { body })
})
afterAll(() => server.stop())

/** What was enqueued since the last call. */
async function emitted() {
  const rows = await server.db.deleteFrom('webhook_deliveries').returning(['id', 'event_type', 'body']).execute()
  return rows
    .toSorted((a, b) => a.id - b.id)
    .map(({ event_type, body }) => ({ type: event_type, data: JSON.parse(body).data as Record<string, unknown> }))
}
const reason = 'Asked by phone: private words'
const to = (id: number) => ({ params: { id: String(id) } })

it('tells what staff do to a customer, without their words', async () => {
  const customer = await makeCustomer(server.db, { credits: 2 })
  const duplicate = await makeCustomer(server.db, { credits: 3 })
  const named = { customer: { id: customer.id, external_ids: {} } }
  await boss.send(blockUser, { ...to(customer.id), body: { reason } })
  await boss.send(unblockUser, { ...to(customer.id), body: { reason } })
  await boss.send(adjustCredits, { ...to(customer.id), body: { delta: 1, reason } })
  await boss.send(mergeUsers, { ...to(customer.id), body: { duplicateId: duplicate.id, reason } })
  const events = await emitted()
  expect(events).toEqual([
    { type: 'customer.blocked', data: named },
    { type: 'customer.unblocked', data: named },
    { type: 'credits.changed', data: { ...named, delta: 1, balance: 3 } },
    {
      type: 'customer.merged',
      data: { customer: { id: duplicate.id, external_ids: {} }, merged_into: named.customer },
    },
    { type: 'credits.changed', data: { ...named, delta: 3, balance: 6 } },
  ])
  expect(JSON.stringify(events)).not.toContain('private')
})

it('tells that a ticket was closed', async () => {
  const ticket = await makeTicket(server.db)
  await boss.send(setTicketStatus, { ...to(ticket.id), body: { status: 'closed' } as never })
  expect(await emitted()).toMatchObject([{ type: 'ticket.closed', data: { ticket: { id: ticket.id } } }])
})

it('tells which records of a batch changed, but not the program that sent them', async () => {
  const items = [
    { external_id: 'c-1', first_name: 'Ana', last_name: 'Reyes', email: 'ana@example.com' },
    { external_id: 'c-2', first_name: 'Ben', last_name: 'Ode', email: 'nobody' },
  ]
  const app = await asProgram(server)
  const { body } = await app.send(customerCalls.batch, { body: { items } })
  const [first] = body.results
  expect(await emitted()).toEqual([
    {
      type: 'customer.updated',
      data: {
        customer: { id: first?.id, external_ids: { app: 'c-1' } },
        changed: ['first_name', 'last_name', 'email'],
      },
    },
  ])
  await app.send(customerCalls.batch, { body: { items } })
  expect(await emitted()).toEqual([])
  const crm = await asProgram(server, { source: 'crm' })
  await crm.send(customerCalls.batch, { body: { items: [{ ...items[0], external_id: 'x-1', last_name: 'Ruiz' }] } })
  expect(await emitted()).toEqual([])
})
