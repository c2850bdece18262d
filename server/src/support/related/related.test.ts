import { listNotes } from '@limber/contract/support/customers/note.ts'
import { receiveTicketMessage } from '@limber/contract/support/inbox/inbound.ts'
import { listQueues } from '@limber/contract/support/queues/queue.ts'
import {
  followUpTicket,
  linkTickets,
  listWatched,
  MAX_UNREAD,
  markTicket,
  noteRefund,
  readTicketContext,
  requestBookingChange,
  splitTicket,
  unlinkTickets,
  watchTicket,
} from '@limber/contract/support/related/related.ts'
import {
  mergeTicket,
  noteTicket,
  readTicket,
  reportPresence,
  respondToTicket,
  setTicketStatus,
} from '@limber/contract/support/tickets/ticket.ts'
import { listMyTasks } from '@limber/contract/support/tickets/ticket-task.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, MINUTE, shift } from '#platform/clock.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeBooking } from '../customers/booking.factory.ts'
import { makeCustomer } from '../customers/customer.factory.ts'
import { makeTransaction } from '../customers/transaction.factory.ts'
import { makeTicket, type TicketDraft } from '../tickets/ticket.factory.ts'

const KEY = 'a-key-of-the-program-that-brings-messages'
let server: TestServer
let agent: TestCaller
let plain: TestCaller
let agentId: number
beforeAll(async () => {
  server = await startTestServer({ env: { SUPPORT_INBOUND_KEY: KEY } })
  agent = server.as('tickets.handle', 'users.overview', 'users.tickets', 'support.tab')
  plain = server.as('tickets.handle')
  agentId = (await agent.worker()).id
})
afterAll(() => server.stop())

const pathOf = ({ id }: { id: number }) => ({ params: { id: String(id) } })
const read = async (ticket: { id: number }) => (await plain.send(readTicket, pathOf(ticket))).body
const contextOf = async (ticket: { id: number }, caller = agent) =>
  (await caller.send(readTicketContext, pathOf(ticket))).body
let serial = 0
const write = async (from: string, subject: string) => {
  const reply = await server
    .anonymous()
    .send(
      receiveTicketMessage,
      { body: { messageId: `<related-${++serial}@example.com>`, from, subject, content: 'Hello again' } },
      { headers: { 'x-support-key': KEY } },
    )
  expect(reply.status).toBe(200)
  return reply.body
}
async function makeCase(more: TicketDraft = {}) {
  const customer = await makeCustomer(server.db)
  const ticket = await makeTicket(server.db, { customer_id: customer.id, customer_email: customer.email, ...more })
  return { customer, ticket }
}
const threadOf = async (ticket: { id: number }) => (await read(ticket)).messages
const eventsOf = async (ticket: { id: number }) =>
  (await read(ticket)).events.filter(({ kind }) => kind === 'linked').map(({ text }) => text)

describe('splitting a ticket', () => {
  const three = (worker: number) => [
    { content: 'My session was short.' },
    { content: 'Sorry!', workerId: worker },
    { content: 'And where is my receipt?' },
    { content: 'I need it for taxes.' },
  ]
  const split = (ticket: { id: number }, body: object) =>
    agent.send(splitTicket, { ...pathOf(ticket), body: { takes: 'one', subject: 'Receipt', ...body } as never })

  it('moves one message into a new ticket with a link both ways', async () => {
    const ticket = await makeTicket(server.db, { thread: three(agentId), priority: 'high', assignee_id: agentId })
    const [, , third] = await threadOf(ticket)
    const { body: made } = await split(ticket, { messageId: third?.id, version: ticket.version })
    expect(made).toMatchObject({
      subject: 'Receipt',
      status: 'open',
      priority: 'high',
      assignee: { id: agentId },
      customer_email: ticket.customer_email,
      messageCount: 1,
      waitingSince: third?.createdAt,
    })
    expect(made.messages.map(({ content }) => content)).toEqual(['And where is my receipt?'])
    const old = await read(ticket)
    expect(old).toMatchObject({ messageCount: 3, waitingSince: old.messages[2]?.createdAt })
    expect((await contextOf(ticket)).links).toMatchObject([{ kind: 'split_into', id: made.id, subject: 'Receipt' }])
    expect((await contextOf(made)).links).toMatchObject([{ kind: 'split_from', id: ticket.id }])
    expect([await eventsOf(ticket), await eventsOf(made)]).toEqual([
      [`Ticket ${made.id} was split off`],
      [`Split from ticket ${ticket.id}`],
    ])
  })

  it('moves a message and those after it, and ends the wait of what stays', async () => {
    const ticket = await makeTicket(server.db, { thread: three(agentId) })
    const [, , third] = await threadOf(ticket)
    const { body: made } = await split(ticket, { messageId: third?.id, takes: 'rest' })
    expect(made.messageCount).toBe(2)
    expect(await read(ticket)).toMatchObject({ messageCount: 2, waitingSince: null })
    // A reply to a message that was moved reaches its new ticket.
    const body = { message: 'Here it is', workerId: agentId }
    await agent.send(respondToTicket, { ...pathOf(made), body })
    expect((await write(ticket.customer_email, `Re: [#${made.id}] Receipt`)).ticketId).toBe(made.id)
  })

  it('is refused when nothing would stay, for a message of ours, and for a stale ticket', async () => {
    const ticket = await makeTicket(server.db, { thread: three(agentId) })
    const other = await makeTicket(server.db)
    const [first, second, third] = await threadOf(ticket)
    const code = async (body: object) => (await split(ticket, body)).failure?.code
    expect(await code({ messageId: first?.id, takes: 'rest' })).toBe('all')
    expect(await code({ messageId: second?.id })).toBe('not_theirs')
    expect(await code({ messageId: (await threadOf(other))[0]?.id })).toBe('no_message')
    expect(await code({ messageId: third?.id, version: ticket.version + 1 })).toBe('stale')
    expect((await split(ticket, { messageId: third?.id, subject: ' ' })).status).toBe(400)
    expect((await read(ticket)).messageCount).toBe(4)
  })

  it('happens once when two workers split at the same moment', async () => {
    const ticket = await makeTicket(server.db, { thread: three(agentId) })
    const [, , third] = await threadOf(ticket)
    const replies = await Promise.all([1, 2, 3].map(() => split(ticket, { messageId: third?.id })))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
    expect((await read(ticket)).messageCount).toBe(3)
  })
})

describe('a reply to a closed ticket', () => {
  const close = (ticket: { id: number }) =>
    agent.send(setTicketStatus, { ...pathOf(ticket), body: { status: 'closed' } })

  it('reopens it within 14 days, and starts a follow-up after that', async () => {
    const { ticket } = await makeCase({ subject: 'Late', priority: 'high', kind: 'complaint' })
    await close(ticket)
    server.clock.advance(14 * DAY - MINUTE)
    try {
      const soon = await write(ticket.customer_email, `Re: [#${ticket.id}] Late`)
      expect(soon).toEqual({ ticketId: ticket.id, isNew: false })
      await sql`update tickets set status = 'closed' where id = ${ticket.id}`.execute(server.db)
      await sql`insert into ticket_events (ticket_id, kind, text, created_at)
        values (${ticket.id}, 'status', 'Set to Closed', ${server.clock.now()})`.execute(server.db)
      server.clock.advance(14 * DAY + MINUTE)
      const late = await write(ticket.customer_email, `Re: [#${ticket.id}] Late`)
      expect(late.isNew).toBe(true)
      expect(late.ticketId).not.toBe(ticket.id)
      // A second reply with the same references joins the follow-up.
      expect(await write(ticket.customer_email, `Re: [#${ticket.id}] Late`)).toEqual({
        ticketId: late.ticketId,
        isNew: false,
      })
      const { rows } = await sql<{ status: string; message_count: number; text: string }>`
        select t.status, t.message_count, (select text from ticket_events where ticket_id = t.id and kind = 'linked') as text,
          t.subject, t.priority, t.kind
        from tickets t where id in (${ticket.id}, ${late.ticketId}) order by id`.execute(server.db)
      const same = { subject: 'Late', priority: 'high', kind: 'complaint' }
      expect(rows).toEqual([
        { status: 'closed', message_count: 2, text: `Continued in ticket ${late.ticketId}`, ...same },
        { status: 'open', message_count: 2, text: `Follow-up of ticket ${ticket.id}`, ...same },
      ])
    } finally {
      server.clock.advance(-28 * DAY)
    }
  })

  it('can be followed up by hand', async () => {
    const { ticket } = await makeCase()
    expect((await agent.send(followUpTicket, { ...pathOf(ticket), body: {} })).failure.code).toBe('open')
    await close(ticket)
    const { body: made } = await agent.send(followUpTicket, { ...pathOf(ticket), body: {} })
    expect(made).toMatchObject({ subject: ticket.subject, status: 'open', assignee: { id: agentId }, messageCount: 0 })
    expect((await contextOf(made)).links).toMatchObject([{ kind: 'follow_up_of', id: ticket.id }])
    expect((await contextOf(ticket)).links).toMatchObject([{ kind: 'followed_by', id: made.id }])
    const sent = await agent.send(respondToTicket, { ...pathOf(made), body: { message: 'News', workerId: agentId } })
    expect(sent.body.messageCount).toBe(1)
  })
})

describe('related tickets', () => {
  it('are linked once, from either side, and unlinked', async () => {
    const [one, two] = [await makeTicket(server.db), await makeTicket(server.db)]
    const link = (from: { id: number }, to: number) =>
      agent.send(linkTickets, { ...pathOf(from), body: { ticket: to } })
    expect((await link(one, two.id)).status).toBe(200)
    expect((await link(two, one.id)).failure.code).toBe('already')
    expect((await link(one, one.id)).failure.code).toBe('itself')
    expect((await link(one, 999_999)).failure.code).toBe('no_other')
    expect((await contextOf(two)).links).toMatchObject([{ kind: 'related', id: one.id }])
    const params = { id: String(two.id), other: String(one.id) }
    expect((await agent.send(unlinkTickets, { params })).status).toBe(200)
    expect((await agent.send(unlinkTickets, { params })).status).toBe(404)
    expect((await contextOf(one)).links).toEqual([])
  })

  it('links of splits and follow-ups stay', async () => {
    const { ticket } = await makeCase({ status: 'closed' })
    const { body: made } = await agent.send(followUpTicket, { ...pathOf(ticket), body: {} })
    const params = { id: String(ticket.id), other: String(made.id) }
    expect((await agent.send(unlinkTickets, { params })).status).toBe(404)
  })

  it('go to the other ticket in a merge, with watchers and tasks', async () => {
    const { customer, ticket } = await makeCase()
    const into = await makeTicket(server.db, { customer_id: customer.id, customer_email: customer.email })
    const other = await makeTicket(server.db)
    await agent.send(linkTickets, { ...pathOf(ticket), body: { ticket: other.id } })
    await agent.send(linkTickets, { ...pathOf(ticket), body: { ticket: into.id } })
    await plain.send(watchTicket, { ...pathOf(ticket), body: { watches: true } })
    await sql`insert into ticket_tasks (ticket_id, worker_id, kind, due_on, created_by, created_at)
      values (${ticket.id}, ${agentId}, 'callback', '2026-12-01', ${agentId}, now())`.execute(server.db)
    expect((await agent.send(mergeTicket, { ...pathOf(ticket), body: { into: into.id } })).status).toBe(200)
    const { links, watchers, tasks } = await contextOf(into)
    expect(links.map(({ id }) => id)).toEqual([other.id])
    expect(watchers).toHaveLength(1)
    expect(tasks).toHaveLength(1)
  })
})

describe('marking a ticket unread', () => {
  const mark = (caller: TestCaller, { id }: { id: number }, isUnread = true) =>
    caller.send(markTicket, { ...pathOf({ id }), body: { isUnread } })
  const unread = async (caller: TestCaller) => (await caller.send(listQueues)).body.unread

  it('is for one worker, until they take it away', async () => {
    const [one, other] = [server.as('tickets.handle'), server.as('tickets.handle')]
    const { ticket } = await makeCase()
    expect((await mark(one, ticket)).status).toBe(200)
    await mark(one, ticket)
    expect([await unread(one), await unread(other)]).toEqual([[ticket.id], []])
    await mark(other, ticket, false)
    expect(await unread(one)).toEqual([ticket.id])
    await mark(one, ticket, false)
    expect(await unread(one)).toEqual([])
  })

  it('goes to the other ticket in a merge', async () => {
    const one = server.as('tickets.handle')
    const { customer, ticket } = await makeCase()
    const into = await makeTicket(server.db, { customer_id: customer.id, customer_email: customer.email })
    await mark(one, ticket)
    await one.send(mergeTicket, { ...pathOf(ticket), body: { into: into.id } })
    expect(await unread(one)).toEqual([into.id])
  })

  it('has a limit, and refuses what does not exist and who may not handle tickets', async () => {
    const one = server.as('tickets.handle')
    const { id } = await one.worker()
    await sql`
      with made as (
        insert into tickets (customer_email, subject, created_at, updated_at)
        select 'unread' || n || '@example.com', 'x', now(), now() from generate_series(1, ${MAX_UNREAD}) n returning id)
      insert into ticket_unread (worker_id, ticket_id, created_at) select ${id}, id, now() from made`.execute(server.db)
    const { ticket } = await makeCase()
    const refused = await mark(one, ticket)
    expect([refused.status, refused.failure.code]).toEqual([422, 'too_many'])
    expect(await unread(one)).toHaveLength(MAX_UNREAD)
    expect((await mark(one, { id: 999_999 })).status).toBe(404)
    expect((await mark(server.as('support.tab'), ticket)).status).toBe(403)
  })
})

describe('watching a ticket', () => {
  const news = async (caller: TestCaller) => (await caller.send(listWatched)).body
  it('tells what others did since the worker last looked', async () => {
    const watcher = server.as('tickets.handle')
    const { customer, ticket } = await makeCase()
    const watch = (watches: boolean) => watcher.send(watchTicket, { ...pathOf(ticket), body: { watches } })
    expect((await watch(true)).body.watchers).toHaveLength(1)
    await watch(true)
    expect(await news(watcher)).toEqual([])
    server.clock.advance(MINUTE)
    await watcher.send(setTicketStatus, { ...pathOf(ticket), body: { status: 'in_progress' } })
    expect(await news(watcher)).toEqual([])
    server.clock.advance(MINUTE)
    await write(customer.email, `Re: [#${ticket.id}] x`)
    const { first_name, last_name } = await server.db
      .selectFrom('customers')
      .select(['first_name', 'last_name'])
      .where('id', '=', customer.id)
      .executeTakeFirstOrThrow()
    expect(await news(watcher)).toEqual([
      {
        id: ticket.id,
        subject: ticket.subject,
        change: `${first_name} ${last_name} wrote`,
        at: server.clock.now().toISOString(),
      },
    ])
    server.clock.advance(MINUTE)
    await plain.send(noteTicket, { ...pathOf(ticket), body: { content: 'Call them' } })
    expect((await news(watcher))[0]?.change).toMatch(/added a note$/)
    await watcher.send(reportPresence, { ...pathOf(ticket), body: { state: 'viewing' } })
    expect(await news(watcher)).toEqual([])
    expect((await watch(false)).body.watchers).toEqual([])
  })
  it('is limited, and closed to others', async () => {
    const { ticket } = await makeCase()
    const caller = server.as('tickets.handle')
    const { id } = await caller.worker()
    await sql`with made as (insert into tickets (customer_email, subject, created_at, updated_at)
        select 'w@example.com', 'x', now(), now() from generate_series(1, 100) returning id)
      insert into ticket_watchers (ticket_id, worker_id, created_at, seen_at) select id, ${id}, now(), now() from made`.execute(
      server.db,
    )
    const body = { watches: true }
    expect((await caller.send(watchTicket, { ...pathOf(ticket), body })).failure.code).toBe('too_many')
    expect((await server.as('users.overview').send(watchTicket, { ...pathOf(ticket), body })).status).toBe(403)
    expect((await caller.send(watchTicket, { params: { id: '999999' }, body })).status).toBe(404)
  })
})

describe('what is around a ticket', () => {
  it('has bookings and payments only for who may see accounts', async () => {
    const customer = await makeCustomer(server.db)
    const ticket = await makeTicket(server.db, { customer_id: customer.id, customer_email: customer.email })
    await makeTransaction(server.db, { customer_id: customer.id, created_at: shift(server.clock.now(), -DAY) })
    expect((await contextOf(ticket)).account?.payments).toHaveLength(1)
    expect((await contextOf(ticket, plain)).account).toBeNull()
    expect((await plain.send(readTicketContext, { params: { id: '999999' } })).status).toBe(404)
    expect((await server.as('users.overview').send(readTicketContext, pathOf(ticket))).status).toBe(403)
  })
  it('is empty without an account', async () => {
    const ticket = await makeTicket(server.db, { customer_email: 'stranger@example.com' })
    expect(await contextOf(ticket)).toEqual({ links: [], tasks: [], watchers: [], account: null })
  })
})

describe('a booking request', () => {
  const ask = (ticket: { id: number }, body: object, caller = agent) =>
    caller.send(requestBookingChange, { ...pathOf(ticket), body: body as never })

  it('becomes a task that is done when the app has changed the booking', async () => {
    const { customer, ticket } = await makeCase()
    const starts_at = shift(server.clock.now(), 2 * DAY)
    const booking = await makeBooking(server.db, { customer_id: customer.id, starts_at })
    const startsAt = shift(server.clock.now(), 3 * DAY).toISOString()
    const body = { change: 'move', bookingId: booking.id, startsAt }
    expect((await contextOf(ticket)).account?.bookings).toMatchObject([{ id: booking.id, isRequested: false }])
    const { body: task } = await ask(ticket, body)
    expect((await contextOf(ticket)).account?.bookings).toMatchObject([{ id: booking.id, isRequested: true }])
    expect(task).toMatchObject({
      kind: 'move_booking',
      worker: { id: agentId },
      booking: { id: booking.id, startsAt: starts_at.toISOString(), wantedAt: startsAt },
      isDone: false,
    })
    expect((await ask(ticket, body)).failure.code).toBe('already')
    const isOpen = async () => (await agent.send(listMyTasks)).body.some(({ id }) => id === task.id)
    expect(await isOpen()).toBe(true)
    await sql`update bookings set starts_at = ${startsAt}, ends_at = ${startsAt}::timestamptz + interval '1 hour'
      where id = ${booking.id}`.execute(server.db)
    expect(await isOpen()).toBe(false)
    expect((await contextOf(ticket)).tasks).toMatchObject([{ id: task.id, isDone: true }])
    expect((await contextOf(ticket)).account?.bookings).toMatchObject([
      { id: booking.id, startsAt, isRequested: false },
    ])
  })

  it('is for upcoming bookings of this customer, by workers who may see accounts', async () => {
    const { customer, ticket } = await makeCase()
    const ahead = shift(server.clock.now(), DAY)
    const booking = await makeBooking(server.db, { customer_id: customer.id, starts_at: ahead })
    const foreign = await makeBooking(server.db, { starts_at: ahead })
    const canceled = await makeBooking(server.db, { customer_id: customer.id, starts_at: ahead, status: 'cancelled' })
    const past = await makeBooking(server.db, { customer_id: customer.id, starts_at: shift(ahead, -9 * DAY) })
    const cancel = async ({ id }: { id: number }, caller = agent) =>
      (await ask(ticket, { change: 'cancel', bookingId: id }, caller)).failure?.code
    for (const one of [foreign, canceled, past]) expect(await cancel(one)).toBe('no_booking')
    expect(await cancel(booking, plain)).toBe('no_accounts')
    const move = { change: 'move', bookingId: booking.id, startsAt: shift(ahead, -9 * DAY).toISOString() }
    expect((await ask(ticket, move)).failure.code).toBe('past')
    expect((await ask(ticket, { change: 'move', bookingId: booking.id })).status).toBe(400)
    expect(await cancel(booking)).toBeUndefined()
  })
})

describe('a refund note', () => {
  const note = (ticket: { id: number }, body: object, caller = agent) =>
    caller.send(noteRefund, { ...pathOf(ticket), body: { reason: 'Short session', ...body } as never })

  it('is on the ticket and on the customer', async () => {
    const { customer, ticket } = await makeCase()
    const created_at = new Date('2026-11-03T18:00:00Z')
    const payment = await makeTransaction(server.db, { customer_id: customer.id, amount: '89', created_at })
    const { body } = await note(ticket, { paymentId: payment.id, amount: '44.50' })
    const text = 'Refund $44.50 of the payment of $89.00 on Nov 3, 2026: Short session'
    expect(body.notes.map(({ content }) => content)).toEqual([text])
    const notes = await agent.send(listNotes, pathOf(customer))
    expect(notes.body[0]?.note).toBe(`Ticket ${ticket.id}. ${text}`)
  })
  it('is refused for other payments, amounts, workers and closed accounts', async () => {
    const { customer, ticket } = await makeCase()
    const payment = await makeTransaction(server.db, { customer_id: customer.id, amount: '89' })
    const foreign = await makeTransaction(server.db, { customer_id: (await makeCustomer(server.db)).id })
    const pending = await makeTransaction(server.db, { customer_id: customer.id, status: 'pending' })
    const code = async (body: object, caller = agent) => (await note(ticket, body, caller)).failure?.code
    expect(await code({ paymentId: foreign.id, amount: '1' })).toBe('no_payment')
    expect(await code({ paymentId: pending.id, amount: '1' })).toBe('no_payment')
    for (const amount of ['0', '-1', '89.0001']) expect(await code({ paymentId: payment.id, amount })).toBe('too_much')
    expect(await code({ paymentId: payment.id, amount: '1' }, plain)).toBe('no_accounts')
    expect((await note(ticket, { paymentId: payment.id, amount: 'lots' })).status).toBe(400)
    await sql`update customers set erased_at = now(), blocked_at = now(), blocked_reason = 'Erased', merged_into_id = null
      where id = ${customer.id}`.execute(server.db)
    expect(await code({ paymentId: payment.id, amount: '1' })).toBe('no_payment')
  })
})
