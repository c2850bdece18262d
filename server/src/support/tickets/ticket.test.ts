// @module-tag slow
import { receiveTicketMessage } from '@limber/contract/support/inbox/inbound.ts'
import {
  assignTicket,
  countTickets,
  createTicket,
  listPresence,
  listTickets,
  listTicketWorkers,
  mergeTicket,
  noteTicket,
  readTicket,
  reportPresence,
  respondToTicket,
  setTicketPriority,
  setTicketStatus,
} from '@limber/contract/support/tickets/ticket.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SECOND } from '#platform/clock.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '../customers/customer.factory.ts'
import { findRepliedTicket } from '../inbox/inbound.queries.ts'
import { makeTicket } from './ticket.factory.ts'
import { threadHeaders } from './ticket.rules.ts'

let server: TestServer
let agent: TestCaller
const id = (ticket: { id: number }) => ({ params: { id: String(ticket.id) } })

beforeAll(async () => {
  server = await startTestServer()
  agent = server.as('tickets.handle')
})
afterAll(() => server.stop())

const found = async (query: Record<string, string>) =>
  (await agent.send(listTickets, { query: query as never })).body.map(({ subject }) => subject)

describe('GET /api/support/tickets', () => {
  let mine: number
  beforeAll(async () => {
    const { id: customer_id } = await makeCustomer(server.db, {
      first_name: 'José',
      last_name: 'Ybarra-Quill',
      phone: '+19515550177',
    })
    mine = (await agent.worker()).id
    const at = (minute: number) => new Date(server.clock.now().getTime() - minute * 60_000)
    const early = { created_at: at(500), updated_at: at(500) }
    await makeTicket(server.db, { ...early, subject: 'Invoice 50% off_code', customer_id, priority: 'high' })
    await makeTicket(server.db, {
      subject: 'Late <b>again</b>',
      customer_email: 'late@example.com',
      status: 'in_progress',
      assignee_id: mine,
      created_at: at(400),
      updated_at: at(100),
      thread: [{ content: "The zebra'; drop table tickets; --" }, { content: 'We are sorry', workerId: mine }],
    })
    await makeTicket(server.db, { subject: 'Done', status: 'closed', created_at: at(400), updated_at: at(50) })
  })

  it('lists the last changed first, with the thread and since when customers are waiting', async () => {
    const { body } = await agent.send(listTickets)
    expect(body.map(({ subject }) => subject)).toEqual(['Done', 'Late <b>again</b>', 'Invoice 50% off_code'])
    expect(body[0]?.waitingSince).toBeNull()
    expect(body[2]?.customer).toMatchObject({ name: 'José Ybarra-Quill', verified: false, rank: 'Bronze' })
    expect(body[1]).toMatchObject({
      status: 'in_progress',
      waitingSince: null,
      messageCount: 2,
      assignee: { id: mine },
    })
    expect(body[1]?.messages.map((said) => said.from_customer)).toEqual([true, false])
    expect(body[2]).toMatchObject({ customer: { name: 'José Ybarra-Quill' }, waitingSince: expect.any(String) })
  })
  it.each([
    ['a subject', { search: 'INVOICE' }, ['Invoice 50% off_code']],
    ['an address', { search: 'late@' }, ['Late <b>again</b>']],
    ['a customer without accents', { search: 'jose ybarra' }, ['Invoice 50% off_code']],
    ["a customer's phone in any notation", { search: '(951) 555-0177' }, ['Invoice 50% off_code']],
    ['a message', { search: 'zebra' }, ['Late <b>again</b>']],
    ['a literal percent sign', { search: '50%' }, ['Invoice 50% off_code']],
    ['a literal underscore', { search: 'off_c' }, ['Invoice 50% off_code']],
    ['no wildcard', { search: 'offXc' }, []],
    ['a literal backslash', { search: '\\\\\\' }, []],
    ['literal SQL', { search: "'; drop table" }, ['Late <b>again</b>']],
    ['10 kB', { search: 'x'.repeat(10_000) }, []],
    ['a status', { status: 'closed' }, ['Done']],
    ['unassigned tickets', { assignee: 'none', status: 'open' }, ['Invoice 50% off_code']],
    ['my tickets', { assignee: 'me' }, ['Late <b>again</b>']],
    ['a priority', { priority: 'high' }, ['Invoice 50% off_code']],
    ['a search within a status', { status: 'open', search: 'zebra' }, []],
    ['tickets waiting for a reply', { queue: 'waiting' }, ['Invoice 50% off_code']],
    ['a search among waiting tickets', { queue: 'waiting', search: 'zebra' }, []],
  ])('finds %s', async (_, query, expected) => {
    expect(await found(query)).toEqual(expected)
    const counted = await agent.send(countTickets, { query: query as never })
    expect(counted.body).toEqual({
      stats: { open: 1, in_progress: 1, closed: 1 },
      desk: {
        waiting: 1,
        oldestWaiting: new Date(server.clock.now().getTime() - 500 * 60_000).toISOString(),
        highOpen: 1,
        mineInProgress: 1,
        closedLately: 1,
      },
      matching: expected.length,
      isMore: false,
    })
  })
  it.each([
    { page: '0' },
    { page: '-1' },
    { page: '1e9' },
    { limit: '101' },
    { status: 'gone' },
    { assignee: '1.5' },
    { waiting: 'no' },
  ])('refuses %j', async (query) => {
    expect((await agent.send(listTickets, { query: query as never })).status).toBe(400)
  })
  it('refuses callers without the permission', async () => {
    for (const call of [listTickets, countTickets, listTicketWorkers])
      expect((await server.as('tickets.create', 'users.tickets', 'support.tab').send(call)).status).toBe(403)
  })
})

describe('POST /api/support/tickets', () => {
  it('opens a ticket, confirms it by email and logs a sealed copy', async () => {
    const customer = await makeCustomer(server.db, { email: 'canary-opened@example.com' })
    const body = { customer_email: ' Canary-Opened@example.com ', subject: 'Refund <i>', content: 'Twice charged' }
    const reply = await server.as('tickets.create').send(createTicket, { body })
    expect(reply.body).toMatchObject({ status: 'open', priority: 'medium', customer: { id: customer.id } })
    await server.running.courier.run()
    const mail = await server.db
      .selectFrom('mailbox')
      .selectAll()
      .where('to_address', '=', customer.email)
      .executeTakeFirstOrThrow()
    expect(mail).toMatchObject({ subject: `[#${reply.body.id}] Refund <i>` })
    const log = await server.db
      .selectFrom('email_logs')
      .selectAll()
      .where('customer_id', '=', customer.id)
      .executeTakeFirstOrThrow()
    expect(log.type).toBe('ticket_confirmation')
    expect(
      JSON.stringify({ to: log.to_sealed.toString('latin1'), text: log.content_sealed?.toString('latin1') }),
    ).not.toMatch(/canary|Twice/)
  })
  it.each([
    { customer_email: 'no', subject: 'a', content: 'b' },
    { customer_email: 'a@example.com', subject: 'a\r\nBcc: all@example.com', content: 'b' },
    { customer_email: 'a@example.com', subject: ' ', content: 'b' },
    { customer_email: 'a@example.com', subject: 'a', content: 'x'.repeat(20_001) },
    { customer_email: 'a@example.com', subject: 'a', content: 'b', priority: 'urgent' },
    { customer_email: 'a@example.com', subject: 'a', content: 'b', status: 'closed' },
  ])('refuses %#', async (body) => {
    expect((await server.as('tickets.create').send(createTicket, { body: body as never })).status).toBe(400)
  })
  it('refuses workers who may only handle tickets', async () => {
    const body = { customer_email: 'a@example.com', subject: 'a', content: 'b' }
    expect((await agent.send(createTicket, { body })).status).toBe(403)
  })
})

describe('changing a ticket', () => {
  it('sets any status from any other and updates the counts', async () => {
    const ticket = await makeTicket(server.db)
    for (const status of ['closed', 'in_progress', 'open', 'closed'] as const) {
      const { body } = await agent.send(setTicketStatus, { ...id(ticket), body: { status } })
      expect(body.ticket.status).toBe(status)
      const { rows } = await server.running.services.pool.query(
        `select count(*)::int as count from tickets where status = $1 and merged_into_id is null`,
        [status],
      )
      expect(body.stats[status]).toBe(rows[0].count)
    }
    const { body } = await agent.send(readTicket, id(ticket))
    expect(body.events.map(({ text }) => text)).toEqual([
      'Set to Closed',
      'Set to In Progress',
      'Set to Open',
      'Set to Closed',
    ])
  })
  it('refuses a stale version with the current ticket', async () => {
    const ticket = await makeTicket(server.db)
    const { version } = (await agent.send(setTicketStatus, { ...id(ticket), body: { status: 'in_progress' } })).body
      .ticket
    expect(version).toBeGreaterThan(ticket.version)
    const stale = { version: ticket.version }
    const replies = await Promise.all([
      agent.send(setTicketStatus, { ...id(ticket), body: { status: 'closed', ...stale } }),
      agent.send(assignTicket, { ...id(ticket), body: { workerId: null, ...stale } }),
      agent.send(setTicketPriority, { ...id(ticket), body: { priority: 'low', ...stale } }),
      agent.send(mergeTicket, { ...id(ticket), body: { into: (await makeTicket(server.db)).id, ...stale } }),
    ])
    for (const reply of replies) {
      expect(reply.status).toBe(409)
      expect(reply.failure.current).toMatchObject({ status: 'in_progress', version })
    }
  })
  it('assigns a ticket to a worker who may handle it, and to no one', async () => {
    const ticket = await makeTicket(server.db)
    const me = (await agent.worker()).id
    expect((await agent.send(assignTicket, { ...id(ticket), body: { workerId: me } })).body.assignee?.id).toBe(me)
    const stranger = await server.signIn(['users.overview'])
    const refused = await agent.send(assignTicket, { ...id(ticket), body: { workerId: stranger.id } })
    expect(refused).toMatchObject({ status: 422, failure: { error: 'This worker may not handle tickets.' } })
    const workers = (await agent.send(listTicketWorkers)).body
    expect(workers.find((one) => one.id === me)?.open).toBeGreaterThan(0)
    expect(workers.some((one) => one.id === stranger.id)).toBe(false)
    expect((await agent.send(assignTicket, { ...id(ticket), body: { workerId: null } })).body.assignee).toBeNull()
    const { events } = (await agent.send(readTicket, id(ticket))).body
    expect(events.map(({ text }) => text)).toEqual(expect.arrayContaining(['Assigned to self', 'Unassigned']))
  })
  it('keeps internal notes out of the thread', async () => {
    const ticket = await makeTicket(server.db)
    const { body } = await agent.send(noteTicket, { ...id(ticket), body: { content: '<script>alert(1)</script>' } })
    expect(body.notes.map(({ content }) => content)).toEqual(['<script>alert(1)</script>'])
    expect(body.messages).toHaveLength(1)
    const long = await agent.send(noteTicket, { ...id(ticket), body: { content: 'x'.repeat(100_000) } })
    expect([long.status, (await agent.send(noteTicket, { ...id(ticket), body: { content: ' ' } })).status]).toEqual([
      400, 400,
    ])
  })
  it('merges tickets of one customer: nothing is lost, and the closed source names its target', async () => {
    const customer_email = 'twice@example.com'
    const first = await makeTicket(server.db, { customer_email, thread: [{ content: 'one' }, { content: 'two' }] })
    const second = await makeTicket(server.db, { customer_email, thread: [{ content: 'Quagga' }] })
    expect((await agent.send(readTicket, id(first))).body.others.map((other) => other.id)).toEqual([second.id])
    const { body } = await agent.send(mergeTicket, { ...id(second), body: { into: first.id } })
    expect(body.messages.map(({ content }) => content).toSorted()).toEqual(['Quagga', 'one', 'two'])
    expect(body.messageCount).toBe(3)
    const gone = (await agent.send(readTicket, id(second))).body
    expect(gone).toMatchObject({ status: 'closed', mergedInto: first.id, messages: [] })
    expect(await found({ search: customer_email })).toHaveLength(1)
    expect(await found({ search: 'quagga' })).toHaveLength(1)
    const again = await agent.send(setTicketStatus, { ...id(second), body: { status: 'open' } })
    expect(again).toMatchObject({ status: 409, failure: { code: 'merged' } })
  })
  it("refuses a merge into itself or into another customer's ticket", async () => {
    const one = await makeTicket(server.db, { customer_email: 'one@example.com' })
    const other = await makeTicket(server.db, { customer_email: 'other@example.com' })
    const codes = await Promise.all(
      [one.id, other.id, 999_999].map((into) => agent.send(mergeTicket, { ...id(one), body: { into } })),
    )
    expect(codes.map(({ status, failure }) => [status, failure.code])).toEqual([
      [422, 'itself'],
      [422, 'other_customer'],
      [404, 'not_found'],
    ])
    expect(codes[1]?.failure.error).toBe(
      'That ticket is from other@example.com. Merge it only if this is the same person.',
    )
  })
  it('merges tickets of two addresses of one person, and takes answers from both', async () => {
    const one = await makeTicket(server.db, { customer_email: 'home@example.com' })
    const other = await makeTicket(server.db, { customer_email: 'work@example.com' })
    const merged = await agent.send(mergeTicket, { ...id(other), body: { into: one.id, isSamePerson: true } })
    expect(merged.body).toMatchObject({ id: one.id, customer_email: 'home@example.com' })
    const refers = { tickets: [one.id], messages: [], digests: [] }
    expect(await findRepliedTicket(server.db, refers, 'work@example.com')).toBe(one.id)
    expect(await findRepliedTicket(server.db, { ...refers, tickets: [other.id] }, 'home@example.com')).toBe(one.id)
    expect(await findRepliedTicket(server.db, refers, 'eve@example.com')).toBeUndefined()
  })
  it('refuses an unknown ticket', async () => {
    const unknown = { params: { id: '999999' } }
    expect((await agent.send(readTicket, unknown)).status).toBe(404)
    expect((await agent.send(setTicketStatus, { ...unknown, body: { status: 'open' } })).status).toBe(404)
    expect((await agent.send(noteTicket, { ...unknown, body: { content: 'x' } })).status).toBe(404)
    expect((await agent.send(reportPresence, { ...unknown, body: { state: 'viewing' } })).status).toBe(404)
  })
  it('merging a closed ticket neither reopens the target nor adds a wait', async () => {
    const at = (minutes: number) => new Date(server.clock.now().getTime() - minutes * 60_000)
    const make = (status: 'open' | 'closed', minutes: number) =>
      makeTicket(server.db, { customer_email: 'mo@example.com', status, waiting_since: at(minutes) })
    const merge = async (from: { id: number }, into: { id: number }) => {
      const { status, waitingSince } = (await agent.send(mergeTicket, { ...id(from), body: { into: into.id } })).body
      return { status, waitingSince }
    }
    const [old, closed, open] = [await make('closed', 900), await make('closed', 500), await make('open', 30)]
    expect(await merge(old, closed)).toEqual({ status: 'closed', waitingSince: null })
    expect(await merge(closed, open)).toEqual({ status: 'open', waitingSince: at(30).toISOString() })
    const other = await make('closed', 700)
    expect(await merge(open, other)).toEqual({ status: 'open', waitingSince: at(30).toISOString() })
  })
  it('finds a ticket by number first, with or without #; a merged one leads to its target', async () => {
    const email = { customer_email: 'numbers@example.com' }
    const first = await makeTicket(server.db, { ...email, subject: 'The one that is meant' })
    const words = [{ content: `Like ticket #${first.id}, please.` }]
    await makeTicket(server.db, {
      ...email,
      subject: 'Names the other',
      thread: words,
      updated_at: new Date('2027-01-01'),
    })
    for (const search of [`#${first.id}`, String(first.id)]) expect((await found({ search }))[0]).toBe(first.subject)
    expect(await found({ search: `#${first.id}`, status: 'closed' })).toEqual([])
    const target = await makeTicket(server.db, { ...email, subject: 'Where it went' })
    await agent.send(mergeTicket, { ...id(first), body: { into: target.id } })
    expect((await found({ search: `#${first.id}` }))[0]).toBe('Where it went')
    expect((await agent.send(countTickets, { query: { search: `#${first.id}` } })).body.matching).toBe(2)
  })
  it('writes one audit row per change, and none when nothing changes', async () => {
    const ticket = await makeTicket(server.db)
    for (const _ of [1, 2]) await agent.send(setTicketPriority, { ...id(ticket), body: { priority: 'high' } })
    const rows = await server.db
      .selectFrom('audit_log')
      .select(['action', 'after'])
      .where('subject', '=', 'ticket')
      .where('subject_id', '=', String(ticket.id))
      .execute()
    expect(rows).toEqual([{ action: 'ticket_priority', after: { priority: 'high' } }])
  })
})

describe('POST /api/support/tickets/{id}/presence', () => {
  it('returns who else is viewing or typing, until they leave or stop reporting', async () => {
    const ticket = await makeTicket(server.db)
    const other = server.as('tickets.handle')
    const say = async (who: TestCaller, state: 'viewing' | 'typing' | 'left') =>
      (await who.send(reportPresence, { ...id(ticket), body: { state } })).body.others.map((one) => one.state)
    expect(await say(agent, 'viewing')).toEqual([])
    expect(await say(other, 'typing')).toEqual(['viewing'])
    expect(await say(agent, 'viewing')).toEqual(['typing'])
    const { id: workerId } = await other.worker()
    const company = () => agent.send(listPresence).then(({ body }) => body.filter((one) => one.ticket === ticket.id))
    expect(await company()).toMatchObject([{ ticket: ticket.id, workerId, state: 'typing' }])
    expect(await say(other, 'left')).toEqual(['viewing'])
    expect(await say(agent, 'viewing')).toEqual([])
    await say(other, 'viewing')
    expect(await company()).toHaveLength(1)
    server.clock.advance(51 * SECOND)
    expect(await say(agent, 'viewing')).toEqual([])
    expect(await company()).toEqual([])
    expect((await server.as('tickets.create').send(listPresence)).status).toBe(403)
  })
})

describe('messages from customers', () => {
  it('are refused while no key is set', async () => {
    const body = { messageId: '<a@b>', from: 'a@example.com', content: 'Hello' }
    expect((await server.anonymous().send(receiveTicketMessage, { body })).status).toBe(401)
    const headers = { 'x-support-key': 'any' }
    expect((await server.anonymous().send(receiveTicketMessage, { body }, { headers })).status).toBe(503)
  })
})

describe('email threading headers', () => {
  it('name the previous email and the first and last ones', () => {
    expect(threadHeaders([])).toBeUndefined()
    expect(threadHeaders(['<a>'])).toEqual({ 'In-Reply-To': '<a>', References: '<a>' })
    const many = Array.from({ length: 30 }, (_, n) => `<${n}>`)
    const headers = threadHeaders(many)
    expect(headers?.['In-Reply-To']).toBe('<29>')
    expect(headers?.References?.split(' ')).toEqual(['<0>', ...many.slice(-9)])
  })
})

describe('a long thread', () => {
  it('is found by the words of any message, but not by words across two of them', async () => {
    const filler = 'and so on '.repeat(60)
    const middle = Array.from({ length: 12 }, () => ({ content: filler }))
    const thread = [{ content: `Okapi ${filler}` }, ...middle, { content: 'The last is a Narwhal' }]
    const ticket = await makeTicket(server.db, { subject: 'Long', thread })
    expect(await found({ search: 'okapi', status: 'open' })).toEqual(['Long'])
    expect(await found({ search: 'narWHAL', status: 'open' })).toEqual(['Long'])
    expect(await found({ search: 'on the last', status: 'open' })).toEqual([])
    const { id: workerId } = await agent.worker()
    await agent.send(respondToTicket, { ...id(ticket), body: { workerId, message: 'A Dugong, then.' } })
    expect(await found({ search: 'dugong', status: 'open' })).toEqual(['Long'])
  })
})

describe('a large number of tickets', () => {
  beforeAll(async () => {
    // Enough tickets that every filter below matches many: the search must use the index, not read threads.
    await sql`insert into tickets (customer_email, subject, status, created_at, updated_at)
      select 'many@example.com', 'Old', 'closed', now() - interval '3 years', now() - interval '3 years'
      from generate_series(1, 4001)`.execute(server.db)
    const at = (minute: number) => new Date(server.clock.now().getTime() - minute * 60_000)
    for (const [subject, minute, status] of [
      ['Second', 20, 'open'],
      ['First', 30, 'in_progress'],
      ['Over', 40, 'closed'],
    ] as const) {
      const times = { created_at: at(minute), updated_at: at(minute) }
      await makeTicket(server.db, { ...times, subject, status, thread: [{ content: 'A heron at the window' }] })
    }
  })

  it('finds words in messages with a filter that matches many and one that matches few', async () => {
    expect(await found({ search: 'heron' })).toEqual(['Second', 'First', 'Over'])
    expect(await found({ search: 'heron', status: 'closed' })).toEqual(['Over'])
    expect(await found({ search: 'heron', status: 'open' })).toEqual(['Second'])
  })
  it('puts the longest wait first and excludes closed tickets', async () => {
    expect(await found({ search: 'heron', queue: 'waiting' })).toEqual(['First', 'Second'])
  })
})
