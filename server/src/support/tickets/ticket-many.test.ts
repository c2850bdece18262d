import {
  assignTicket,
  changeTicket,
  changeTickets,
  MAX_AT_ONCE,
  mergeTicket,
  readTicket,
  setTicketPriority,
  setTicketStatus,
  type TicketChange,
} from '@limber/contract/support/tickets/ticket.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { LIVE_CHANNEL } from '#platform/live/notify.ts'
import { eventually, startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeTag } from '../queues/queue.factory.ts'
import { makeTicket } from './ticket.factory.ts'

let server: TestServer
let agent: TestCaller
interface Seen {
  id: number
  version: number
}
const pathOf = (ticket: { id: number }) => ({ params: { id: String(ticket.id) } })
const seen = ({ id, version }: Seen) => ({ id, version })
const make = (count: number, more = {}) => Promise.all(Array.from({ length: count }, () => makeTicket(server.db, more)))
const change = (tickets: readonly Seen[], wanted: TicketChange) =>
  agent.send(changeTickets, { body: { tickets: tickets.map(seen), change: wanted } })
const read = async (ticket: Seen) => (await agent.send(readTicket, pathOf(ticket))).body
const auditOf = async (tickets: readonly Seen[]) =>
  server.db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after', 'subject_id'])
    .where('subject', '=', 'ticket')
    .where(
      'subject_id',
      'in',
      tickets.map(({ id }) => String(id)),
    )
    .orderBy('id')
    .execute()

beforeAll(async () => {
  server = await startTestServer()
  agent = server.as('tickets.handle')
})
afterAll(() => server.stop())

describe('POST /api/support/tickets/change-many', () => {
  it('has the same effects as the calls for one ticket, for every change', async () => {
    const { id: workerId } = await agent.worker()
    const { id: tag } = await makeTag(server.db)
    const one = (wanted: TicketChange) => (ticket: Seen) =>
      agent.send(changeTicket, { ...pathOf(ticket), body: { change: wanted } })
    const until = new Date(server.clock.now().getTime() + 3_600_000).toISOString()
    const singly = {
      status: (one: Seen) => agent.send(setTicketStatus, { ...pathOf(one), body: { status: 'closed' } }),
      priority: (one: Seen) => agent.send(setTicketPriority, { ...pathOf(one), body: { priority: 'high' } }),
      assignee: (one: Seen) => agent.send(assignTicket, { ...pathOf(one), body: { workerId } }),
      kind: one({ kind: 'refund' }),
      tag: one({ addTag: tag }),
      snooze: one({ snooze: { until } }),
    }
    const wanted: [keyof typeof singly, TicketChange][] = [
      ['status', { status: 'closed' }],
      ['priority', { priority: 'high' }],
      ['assignee', { workerId }],
      ['kind', { kind: 'refund' }],
      ['tag', { addTag: tag }],
      ['snooze', { snooze: { until } }],
    ]
    for (const [name, requested] of wanted) {
      const alone = await makeTicket(server.db)
      const many = await make(3)
      await singly[name](alone)
      const { body } = await change(many, requested)
      const versions = many.map(({ id, version }) => ({ id, version: version + 1 }))
      expect(body).toEqual({ changed: 3, tickets: versions, refused: [] })
      const { status, priority, assignee, kind, tags, snoozed, version, updatedAt, events } = await read(alone)
      const told = events.map(({ kind, text, worker }) => ({ kind, text, worker }))
      for (const each of many)
        expect(await read(each)).toMatchObject({
          ...{ status, priority, assignee, kind, tags, snoozed, version, updatedAt },
          events: told,
        })
      const [row, ...rows] = (await auditOf([alone, ...many])).map(({ subject_id: _, ...facts }) => facts)
      expect(rows).toEqual([row, row, row])
    }
  })

  it('unassigns tickets', async () => {
    const many = await make(2, { assignee_id: (await agent.worker()).id })
    expect((await change(many, { workerId: null })).body.changed).toBe(2)
    for (const one of many) expect((await read(one)).events.at(-1)?.text).toBe('Unassigned')
  })

  it('notifies open browsers of the changed tickets only', async () => {
    const [one, other, last] = [await makeTicket(server.db), await makeTicket(server.db), await makeTicket(server.db)]
    const ears = new pg.Client({ connectionString: server.running.services.config.databaseUrl })
    await ears.connect()
    const heard: unknown[] = []
    ears.on('notification', ({ payload = '' }) => heard.push(JSON.parse(payload)))
    await ears.query(`listen ${LIVE_CHANNEL}`)
    await change([one, { ...other, version: 99 }, last], { priority: 'low' })
    await eventually(async () => heard.length > 1)
    await ears.end()
    expect(heard).toEqual([one, last].map(({ id }) => ({ topic: 'tickets', ticket: id })))
  })

  it('skips stale, merged and unknown tickets and names them', async () => {
    const customer_email = 'left@example.com'
    const [plain, stale] = [await makeTicket(server.db), await makeTicket(server.db)]
    const target = await makeTicket(server.db, { customer_email })
    const merged = await makeTicket(server.db, { customer_email, subject: 'Merged away' })
    await agent.send(setTicketPriority, { ...pathOf(stale), body: { priority: 'high' } })
    const { body: into } = await agent.send(mergeTicket, { ...pathOf(merged), body: { into: target.id } })
    const gone = { id: 999_999, version: 1 }
    const now = await read(merged)
    const { status, body } = await change([plain, stale, now, gone], { status: 'closed' })
    expect(status).toBe(200)
    expect(body.changed).toBe(1)
    expect(body.refused).toEqual([
      {
        id: stale.id,
        subject: 'My session was too short',
        why: 'Someone else changed this ticket. Reload and try again.',
      },
      { id: merged.id, subject: 'Merged away', why: `This ticket was merged into ticket ${into.id}. Reply there.` },
      { id: gone.id, subject: '', why: 'This ticket does not exist.' },
    ])
    expect([(await read(plain)).status, (await read(stale)).status]).toEqual(['closed', 'open'])
  })

  it('does nothing to a ticket with the same value: no new version, event or audit row', async () => {
    const open = await makeTicket(server.db)
    const closed = await makeTicket(server.db, { status: 'closed' })
    const { body } = await change([open, closed], { status: 'closed' })
    expect(body).toEqual({ changed: 1, tickets: [{ id: open.id, version: open.version + 1 }], refused: [] })
    expect(await read(closed)).toMatchObject({ version: closed.version, events: [] })
    expect(await auditOf([closed])).toEqual([])
  })

  it('refuses an assignee who may not handle tickets', async () => {
    const many = await make(2)
    const { id: workerId } = await server.signIn(['users.overview'])
    const refused = await change(many, { workerId })
    expect(refused).toMatchObject({ status: 422, failure: { error: 'This worker may not handle tickets.' } })
    for (const one of many) expect((await read(one)).assignee).toBeNull()
  })

  it('is idempotent by key', async () => {
    const many = await make(2)
    const request = { body: { tickets: many.map(seen), change: { status: 'closed' as const } } }
    const headers = { 'idempotency-key': 'close-two-tickets-once' }
    const [first, again] = [
      await agent.send(changeTickets, request, { headers }),
      await agent.send(changeTickets, request, { headers }),
    ]
    expect(again.body).toEqual(first.body)
    expect(await auditOf(many)).toHaveLength(2)
  })

  it('does not deadlock when two requests name the same tickets in opposite order', async () => {
    const many = await make(30)
    const rounds = Array.from({ length: 12 }, (_, round) =>
      agent.send(changeTickets, {
        body: {
          tickets: (round % 2 ? many : many.toReversed()).map(seen),
          change: { priority: round % 2 ? 'high' : 'low' },
        },
      }),
    )
    const replies = await Promise.all(rounds)
    expect(replies.map(({ status }) => status)).toEqual(rounds.map(() => 200))
    expect(replies.filter(({ body }) => body.changed === 30)).toHaveLength(1)
    expect(replies.filter(({ body }) => body.refused.length === 30)).toHaveLength(11)
  })

  it.each([
    ['no ticket', { tickets: [], change: { status: 'open' } }],
    [
      'more than 100',
      {
        tickets: Array.from({ length: MAX_AT_ONCE + 1 }, (_, n) => ({ id: n + 1, version: 1 })),
        change: { status: 'open' },
      },
    ],
    ['a ticket twice', { tickets: [1, 1].map((id) => ({ id, version: 1 })), change: { status: 'open' } }],
    ['a ticket without its version', { tickets: [{ id: 1 }], change: { status: 'open' } }],
    ['two changes', { tickets: [{ id: 1, version: 1 }], change: { status: 'open', priority: 'low' } }],
    ['no change', { tickets: [{ id: 1, version: 1 }], change: {} }],
    ['an unknown status', { tickets: [{ id: 1, version: 1 }], change: { status: 'gone' } }],
  ])('refuses %s', async (_, body) => {
    expect((await agent.send(changeTickets, { body: body as never })).status).toBe(400)
  })

  it('refuses workers who do not handle tickets', async () => {
    const body = { tickets: [{ id: 1, version: 1 }], change: { status: 'open' as const } }
    expect((await server.as('tickets.create', 'users.tickets').send(changeTickets, { body })).status).toBe(403)
  })

  it('changes 100 tickets with as many statements as one', async () => {
    const { query } = pg.Client.prototype as unknown as { query: (...all: unknown[]) => unknown }
    let count = 0
    const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...all: unknown[]
    ) {
      const [first] = all as [{ text?: string } | string]
      const text = typeof first === 'string' ? first : first.text
      if (/"tickets"|ticket_events|insert into audit_log/.test(text ?? '')) count++
      return query.apply(this, all)
    } as never)
    const counts: number[] = []
    for (const size of [1, MAX_AT_ONCE]) {
      const many = await make(size)
      count = 0
      expect((await change(many, { status: 'closed' })).body.changed).toBe(size)
      counts.push(count)
    }
    spy.mockRestore()
    // One statement to lock, one to change with history, one for the audit rows with live messages.
    expect(counts).toEqual([3, 3])
  })
})
