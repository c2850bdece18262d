import { ticketCalls } from '@limber/contract/support/sync/ticket-sync.ts'
import { mergeTicket, noteTicket, readTicket, setTicketStatus } from '@limber/contract/support/tickets/ticket.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asProgram } from '#access/api-keys/program.testing.ts'
import { batchTesting, clearRecords } from '#platform/testing/testing.sync.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '../customers/customer.factory.ts'
import { makeTicket } from '../tickets/ticket.factory.ts'

const { list, readByExternalId, attach } = ticketCalls

let server: TestServer
let app: Awaited<ReturnType<typeof asProgram>>
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())
beforeEach(async () => {
  await clearRecords(server.db, 'email_logs', 'outbox')
  app = await asProgram(server)
})

const at = (hour: number) => new Date(Date.UTC(2026, 10, 12, hour)).toISOString()
const asked = (hour: number, content = 'It ended too soon.') => ({ from_customer: true, content, created_at: at(hour) })
const replied = (hour: number, content = 'We are sorry.') => ({ from_customer: false, content, created_at: at(hour) })
const ticket = (n: number, more: object = {}) => ({
  external_id: `z-${n}`,
  customer_email: `guest-${n}@example.com`,
  subject: 'Too short',
  messages: [asked(9)],
  silent: true,
  ...more,
})
const { send, readOne, idOf, errorsOf } = batchTesting(() => app, ticketCalls)
const show = async (id: number) => (await server.asOwner().send(readTicket, { params: { id: String(id) } })).body
const setStatus = async (id: number, status: 'open' | 'closed') => {
  const { version } = await show(id)
  const { status: code } = await server
    .asOwner()
    .send(setTicketStatus, { params: { id: String(id) }, body: { status, version } })
  expect(code).toBe(200)
}

describe('POST /api/v1/tickets/batch', () => {
  it('opens tickets with their thread, tied to the account with the address', async () => {
    const customer = await makeCustomer(server.db, { email: 'known@example.com' })
    const body = await send(
      ticket(1, { customer_email: 'Known@example.com', messages: [replied(10), asked(9), asked(11, 'And now?')] }),
      ticket(2, { customer_email: 'nobody' }),
      ticket(3, { status: 'closed', priority: 'high', messages: [asked(9), replied(10)], created_at: at(8) }),
    )
    expect(body.results.map(({ status }) => status)).toEqual(['created', 'rejected', 'created'])
    expect(await readOne(idOf(body))).toEqual({
      id: idOf(body),
      external_ids: { app: 'z-1' },
      updated_at: expect.any(String),
      customer_email: 'known@example.com',
      customer: customer.id,
      subject: 'Too short',
      status: 'open',
      priority: 'medium',
      kind: null,
      tags: [],
      created_at: at(9),
      waiting_since: at(11),
      message_count: 3,
      messages: [asked(9), replied(10), asked(11, 'And now?')].map((message) => ({ ...message, files: [] })),
    })
    expect(await readOne(idOf(body, 2))).toMatchObject({ status: 'closed', waiting_since: null, created_at: at(8) })
    const shown = await show(idOf(body, 2))
    expect(shown).toMatchObject({ priority: 'high', messageCount: 2, updatedAt: at(10) })
    expect(shown.messages[1]).toMatchObject({ from_customer: false, worker: null, delivery: null })
    expect(shown.events).toMatchObject([{ kind: 'opened', text: 'Opened by the customer' }])
  })

  it('confirms a new ticket by email unless it is silent', async () => {
    const body = await send(
      ticket(1),
      ticket(2, { silent: false, messages: [replied(8), asked(9, 'Hello?'), asked(10)] }),
      ticket(3, { silent: undefined }),
      ticket(4, { silent: false, status: 'closed' }),
      ticket(5, { silent: false, messages: [replied(9)] }),
    )
    const { rows } = await sql<{ key: string }>`
      select key from outbox where channel = 'mail' order by id`.execute(server.db)
    expect(rows.map(({ key }) => key)).toEqual([1, 2].map((place) => `ticket-opened-${idOf(body, place)}`))
    const { rows: logged } = await sql`select type, subject from email_logs order by id`.execute(server.db)
    expect(logged[0]).toEqual({ type: 'ticket_confirmation', subject: `[#${idOf(body, 1)}] Too short` })
    await send(ticket(2, { silent: false, messages: [asked(12)] }))
    expect((await sql`select from outbox where channel = 'mail'`.execute(server.db)).rows).toHaveLength(2)
  })

  it('adds new messages and does not repeat those that are there', async () => {
    const made = await send(ticket(1))
    expect(await send(ticket(1))).toMatchObject({ unchanged: 1 })
    expect(await send(ticket(1, { messages: [asked(9), replied(10), replied(10)] }))).toMatchObject({ updated: 1 })
    expect(await readOne(idOf(made))).toMatchObject({
      messages: [asked(9), replied(10)],
      message_count: 2,
      waiting_since: null,
    })
    expect(
      await send({ external_id: 'z-1', messages: [asked(11)] }, { external_id: 'z-1', messages: [asked(11)] }),
    ).toMatchObject({
      updated: 1,
      unchanged: 1,
    })
    expect(await readOne(idOf(made))).toMatchObject({ message_count: 3, waiting_since: at(11) })
  })

  it('counts each ticket once in the figures of the desk', async () => {
    const count = async () => {
      const { rows } = await sql<{ open: number }>`select kept_count('tickets', 'open')::int as open`.execute(server.db)
      return rows[0]?.open ?? 0
    }
    const before = await count()
    await send(ticket(1), ticket(2), ticket(3, { status: 'closed' }))
    await send({ external_id: 'z-1', status: 'closed' }, { external_id: 'z-2', priority: 'low' })
    expect(await count()).toBe(before + 1)
  })

  it('changes only the fields that are sent, and notes it in the history', async () => {
    const made = await send(ticket(1))
    expect(await send({ external_id: 'z-1', status: 'in_progress', priority: 'high' })).toMatchObject({ updated: 1 })
    const shown = await show(idOf(made))
    expect(shown).toMatchObject({ subject: 'Too short', status: 'in_progress', priority: 'high', messageCount: 1 })
    expect(shown.events.map(({ text, worker }) => [text, worker])).toEqual([
      ['Opened by the customer', null],
      ['Set to In Progress', null],
      ['Priority set to high', null],
    ])
  })

  it('answers stale to a version older than the one taken', async () => {
    await send(ticket(1, { updated_at: '2026-11-12T10:00:00Z' }))
    expect(await send(ticket(1, { updated_at: '2026-11-12T09:00:00Z', status: 'closed' }))).toMatchObject({ stale: 1 })
  })

  it('keeps the status that staff set, unless the version is newer', async () => {
    const made = await send(ticket(1))
    await setStatus(idOf(made), 'closed')
    expect((await send(ticket(1, { status: 'open' }))).results[0]).toMatchObject({
      status: 'unchanged',
      kept: ['status'],
    })
    const later = new Date(server.clock.now().getTime() + 1000).toISOString()
    expect((await send(ticket(1, { status: 'open', updated_at: later }))).results[0]).toEqual({
      external_id: 'z-1',
      status: 'updated',
      id: idOf(made),
    })
  })

  it('opens a closed ticket again when the customer writes after that', async () => {
    const made = await send(ticket(1))
    await setStatus(idOf(made), 'closed')
    await send({ external_id: 'z-1', messages: [asked(10, 'An old one')] })
    expect(await readOne(idOf(made))).toMatchObject({ status: 'closed' })
    const after = { ...asked(1), created_at: new Date(server.clock.now().getTime() + 1000).toISOString() }
    await send({ external_id: 'z-1', messages: [after] })
    expect(await readOne(idOf(made))).toMatchObject({ status: 'open', message_count: 3 })
    expect((await show(idOf(made))).events.at(-1)).toMatchObject({ text: 'Reopened by the customer' })
  })

  it('keeps the address of a known ticket', async () => {
    const made = await send(ticket(1))
    const body = await send(ticket(1, { customer_email: 'other@example.com' }))
    expect(body.results[0]).toMatchObject({ status: 'unchanged', kept: ['customer_email'] })
    expect(await readOne(idOf(made))).toMatchObject({ customer_email: 'guest-1@example.com' })
  })

  it('adds the messages of a merged ticket to the one that was kept', async () => {
    const same = { customer_email: 'twice@example.com' }
    const made = await send(ticket(1, same), ticket(2, { ...same, messages: [asked(10)] }))
    const [kept, merged] = [idOf(made), idOf(made, 1)]
    const { version } = await show(merged)
    const body = { into: kept, version }
    expect((await server.asOwner().send(mergeTicket, { params: { id: String(merged) }, body })).status).toBe(200)
    const reply = await send(
      ticket(1, { ...same, messages: [asked(9), replied(11)] }),
      ticket(2, { ...same, subject: 'Another', status: 'closed', messages: [asked(10), replied(12)] }),
    )
    expect(reply.results[1]).toMatchObject({ status: 'updated', id: kept, merged_into: kept })
    expect(await readOne(kept)).toMatchObject({ subject: 'Too short', status: 'open', message_count: 4 })
    const { body: listed } = await app.send(list)
    expect(listed.items.find(({ id }) => id === merged)).toMatchObject({ reason: 'merged', merged_into: kept })
  })

  it('adds nothing to the ticket of an erased customer', async () => {
    const customer = await makeCustomer(server.db, { email: 'gone@example.com' })
    const made = await send(ticket(1, { customer_email: 'gone@example.com' }))
    await sql`update customers set erased_at = joined_at, blocked_at = joined_at, blocked_reason = 'erased'
      where id = ${customer.id}`.execute(server.db)
    expect(await errorsOf(ticket(1))).toEqual([' erased'])
    expect(await readOne(idOf(made))).toMatchObject({ message_count: 1 })
  })

  it.each<[object, string]>([
    [{ customer_email: undefined }, 'customer_email required'],
    [{ subject: undefined }, 'subject required'],
    [{ messages: undefined }, 'messages required'],
    [{ messages: [] }, 'messages invalid'],
    [{ messages: [{ ...asked(9), content: ' ' }] }, 'messages.0.content invalid'],
    [{ messages: [{ ...asked(9), created_at: '2027-01-01T00:00:00Z' }] }, 'messages.0.created_at invalid'],
    [{ messages: [{ ...asked(9), note: 'x' }] }, 'messages.0.note unknown_field'],
    [{ created_at: '2027-01-01T00:00:00Z' }, 'created_at invalid'],
    [{ status: 'lost' }, 'status invalid'],
  ])('rejects %j: %s', async (more, expected) => {
    expect(await errorsOf(ticket(1, more))).toEqual([expected])
  })

  it('opens a ticket once when batches race, with each message once', async () => {
    const items = Array.from({ length: 20 }, (_, n) => ticket(n))
    const replies = await Promise.all([1, 2, 3, 4].map(() => send(...items)))
    expect(replies.map(({ created }) => created).sort()).toEqual([0, 0, 0, 20])
    expect(await readOne(idOf(replies[0] as never))).toMatchObject({ message_count: 1 })
  })

  it('takes 1,000 items', async () => {
    const items = Array.from({ length: 1000 }, (_, n) => ticket(n, { messages: [asked(9), replied(10)] }))
    expect(await send(...items)).toMatchObject({ created: 1000 })
    expect(await send(...items)).toMatchObject({ unchanged: 1000 })
  })
})

describe('reading tickets', () => {
  it('lists them, the latest change last, without the notes of staff', async () => {
    const made = await send(ticket(1), ticket(2))
    await server
      .asOwner()
      .send(noteTicket, { params: { id: String(idOf(made)) }, body: { content: 'Difficult person' } })
    await send({ external_id: 'z-1', messages: [replied(10)] })
    const { body } = await app.send(list)
    expect(body.items.map(({ external_ids }) => external_ids.app)).toEqual(['z-2', 'z-1'])
    expect(JSON.stringify(body)).not.toContain('Difficult')
  })

  it('attaches an id to a ticket that staff opened, and reads it by that id', async () => {
    const { id } = await makeTicket(server.db)
    await app.send(attach, { params: { id: String(id) }, body: { external_id: 'z-9' } })
    expect(await send({ external_id: 'z-9', messages: [replied(10)] })).toMatchObject({ updated: 1 })
    const { body } = await app.send(readByExternalId, { params: { source: 'app', external_id: 'z-9' } })
    expect(body).toMatchObject({ id, message_count: 2 })
  })
})
