import { receiveTicketMessage } from '@limber/contract/support/inbox/inbound.ts'
import { savePromises } from '@limber/contract/support/promises/promise.ts'
import { listQueues } from '@limber/contract/support/queues/queue.ts'
import { watchTicket } from '@limber/contract/support/related/related.ts'
import {
  assignTicket,
  changeTicket,
  changeTickets,
  countTickets,
  createTicket,
  listTickets,
  listTicketWorkers,
  mergeTicket,
  respondToTicket,
  setTicketPriority,
  setTicketStatus,
  TicketPriority,
  TicketStatus,
} from '@limber/contract/support/tickets/ticket.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { draftPromises } from '../promises/promise.testing.ts'
import { tendPromises } from '../promises/tend-promises.ts'
import { makeTag, makeView } from '../queues/queue.factory.ts'
import { wakeTickets } from '../queues/wake-tickets.ts'
import { makeWatcher } from '../related/related.factory.ts'
import { makeTicket } from './ticket.factory.ts'

const KEY = 'support-key-0123456789-abcdefghijklmnop'
let server: TestServer
let agent: TestCaller
beforeAll(async () => {
  server = await startTestServer({ env: { SUPPORT_INBOUND_KEY: KEY } })
  agent = server.as('tickets.handle', 'tickets.create')
  tagIds = [(await makeTag(server.db)).id, (await makeTag(server.db)).id]
  const worker_id = (await agent.worker()).id
  const views = [
    {},
    { kind: 'refund', status: 'open' },
    { tag_id: tagIds[0], priority: 'high' },
    { tag_id: tagIds[1], assignee: 'me' },
    { queue: 'snoozed', assignee: 'none' },
    { queue: 'waiting', kind: 'refund' },
    { queue: 'breaching', priority: 'high' },
  ] as const
  for (const view of views) await makeView(server.db, { worker_id, ...view })
  const body = {
    ...draftPromises({ week: Array.from({ length: 7 }, () => ({ from: '00:00', to: '24:00' })) }),
    version: 0,
  }
  await server.as('tickets.handle', 'notifications.send').send(savePromises, { body })
})
afterAll(() => server.stop())

/** The counts, computed from all tickets. */
async function recount() {
  const { rows } = await sql<Record<string, number>>`
    select (count(*) filter (where status = 'open'))::int as open,
      (count(*) filter (where status = 'in_progress'))::int as in_progress,
      (count(*) filter (where status = 'closed'))::int as closed,
      (count(*) filter (where status <> 'closed' and waiting_since is not null and snoozed_at is null))::int as waiting,
      (count(*) filter (where status = 'open' and priority = 'high'))::int as high
    from tickets where merged_into_id is null`.execute(server.db)
  const { waiting, high, ...stats } = rows[0] ?? {}
  const worker = (await agent.worker()).id
  const queues = await sql<{ queues: unknown }>`
    select jsonb_build_object('mine', count(*) filter (where is_active and assignee_id = ${worker}),
      'unassigned', count(*) filter (where is_active and assignee_id is null),
      'breaching', count(*) filter (where is_due_soon),
      'waiting', count(*) filter (where is_active and waiting_since is not null),
      'high', count(*) filter (where is_active and priority = 'high'),
      'watching', count(*) filter (where status <> 'closed'
        and exists (select from ticket_watchers s where s.ticket_id = t.id and s.worker_id = ${worker})),
      'snoozed', count(*) filter (where status <> 'closed' and snoozed_at is not null), 'all', count(*)) as queues
    from (select *, status <> 'closed' and snoozed_at is null as is_active from tickets where merged_into_id is null) t`.execute(
    server.db,
  )
  const views = await sql<{ id: number; count: number }>`
    select v.id, (select count(*)::int from tickets t where t.merged_into_id is null
      and t.status = coalesce(v.status, t.status) and t.priority = coalesce(v.priority, t.priority)
      and t.kind is not distinct from coalesce(v.kind, t.kind) and (v.tag_id is null or v.tag_id = any(t.tags))
      and case v.assignee when 'me' then t.assignee_id = ${worker} when 'none' then t.assignee_id is null else true end
      and case v.queue when 'snoozed' then t.snoozed_at is not null and t.status <> 'closed'
        when 'breaching' then t.is_due_soon
        when 'waiting' then t.waiting_since is not null and t.snoozed_at is null and t.status <> 'closed' else true end) as count
    from ticket_views v order by id`.execute(server.db)
  const given = await sql<{ id: number; name: string; open: number }>`
    select w.id, w.name, (select count(*)::int from tickets t
      where t.assignee_id = w.id and t.status <> 'closed' and t.merged_into_id is null) as open
    from workers w order by w.name`.execute(server.db)
  return { stats, waiting, high, given: given.rows, queues: queues.rows[0]?.queues, views: views.rows }
}

async function kept() {
  const { body } = await agent.send(countTickets)
  const given = await agent.send(listTicketWorkers)
  const { queues, views } = (await agent.send(listQueues)).body
  return {
    stats: body.stats,
    waiting: body.desk.waiting,
    high: body.desk.highOpen,
    given: given.body.map(({ awayUntil: _, ...worker }) => worker),
    queues,
    views: views.map(({ id, count }) => ({ id, count })).toSorted((a, b) => a.id - b.id),
  }
}

const pathOf = (id: number) => ({ params: { id: String(id) } })
const EMAIL = 'sam@example.com'

/** Each step picks its ticket by a number. */
const actions = {
  create: async (_: number, __: TicketStatus, priority: TicketPriority) =>
    agent.send(createTicket, { body: { customer_email: EMAIL, subject: 'Keys', content: 'Lost', priority } }),
  status: async (id: number, status: TicketStatus) => agent.send(setTicketStatus, { ...pathOf(id), body: { status } }),
  assign: async (id: number, status: TicketStatus) => {
    const worker = await agent.worker()
    return agent.send(assignTicket, { ...pathOf(id), body: { workerId: status === 'open' ? null : worker.id } })
  },
  priority: async (id: number, _: TicketStatus, priority: TicketPriority) =>
    agent.send(setTicketPriority, { ...pathOf(id), body: { priority } }),
  respond: async (id: number, status: TicketStatus) => {
    const { id: workerId } = await agent.worker()
    return agent.send(respondToTicket, { ...pathOf(id), body: { message: 'Found', workerId, status } })
  },
  kind: async (id: number, status: TicketStatus) =>
    agent.send(changeTicket, { ...pathOf(id), body: { change: { kind: status === 'open' ? null : 'refund' } } }),
  tag: async (id: number, status: TicketStatus) => {
    const change = status === 'closed' ? { removeTag: tagIds[0] } : { addTag: tagIds[status === 'open' ? 0 : 1] }
    return agent.send(changeTicket, { ...pathOf(id), body: { change } })
  },
  snooze: async (id: number, status: TicketStatus) => {
    const until = new Date(server.clock.now().getTime() + 60_000).toISOString()
    const snooze = status === 'closed' ? null : { until: status === 'open' ? until : null }
    return agent.send(changeTicket, { ...pathOf(id), body: { change: { snooze } } })
  },
  watch: async (id: number, status: TicketStatus) =>
    agent.send(watchTicket, { ...pathOf(id), body: { watches: status !== 'closed' } }),
  wake: async () => {
    server.clock.advance(120_000)
    await wakeTickets(server.running.services)
    await tendPromises(server.running.services)
    return { status: 200 }
  },
  write: async (id: number) =>
    server.anonymous().send(
      receiveTicketMessage,
      {
        body: { messageId: `<${++serial}@example.com>`, from: EMAIL, subject: `Re: [#${id}] Keys`, content: 'Hello' },
      },
      { headers: { 'x-support-key': KEY } },
    ),
  many: async (_: number, status: TicketStatus) => {
    const { body } = await agent.send(listTickets, { query: { limit: '5' } as never })
    const tickets = body.map(({ id, version }) => ({ id, version }))
    return agent.send(changeTickets, { body: { tickets, change: { status } } })
  },
  merge: async (id: number, _: TicketStatus, __: TicketPriority, ids: readonly number[]) =>
    agent.send(mergeTicket, { ...pathOf(id), body: { into: ids[0] ?? id } }),
  erase: async (id: number) => {
    await sql`delete from ticket_events where ticket_id = ${id}`.execute(server.db)
    await sql`delete from ticket_messages where ticket_id = ${id}`.execute(server.db)
    await sql`delete from tickets where id = ${id} and not exists (select from tickets m where m.merged_into_id = ${id})`.execute(
      server.db,
    )
    return { status: 200 }
  },
}
let serial = 0
let tagIds: [number, number] = [0, 0]

describe('the maintained ticket counts', () => {
  it('equal a full count after any action', async () => {
    const step = fc.record({
      action: fc.constantFrom(...(Object.keys(actions) as (keyof typeof actions)[])),
      at: fc.nat(50),
      status: fc.constantFrom(...TicketStatus.options),
      priority: fc.constantFrom(...TicketPriority.options),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 12 }), async (steps) => {
        for (const { action, at, status, priority } of steps) {
          const { rows } = await sql<{ id: number }>`
            select id from tickets where merged_into_id is null order by id`.execute(server.db)
          const ids = rows.map(({ id }) => id)
          const id = ids[at % Math.max(1, ids.length)]
          const reply = await actions[id === undefined ? 'create' : action](id ?? 0, status, priority, ids)
          // Merging a ticket into itself is refused and must change nothing.
          expect(reply.status).toBeLessThan(500)
          expect(await kept(), action).toEqual(await recount())
        }
      }),
      { numRuns: 8, seed: 20_261_117 },
    )
  })

  it('are exact after concurrent changes', async () => {
    const tickets = await Promise.all(Array.from({ length: 24 }, () => makeTicket(server.db)))
    const replies = await Promise.all(
      tickets.flatMap(({ id }, n) => [
        agent.send(setTicketStatus, { ...pathOf(id), body: { status: n % 2 ? 'closed' : 'in_progress' } }),
        agent.send(setTicketPriority, { ...pathOf(id), body: { priority: 'high' } }),
      ]),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await kept()).toEqual(await recount())
  })

  it('are exact when tickets are closed and reopened while someone begins or stops watching them', async () => {
    const tickets = await Promise.all(
      Array.from({ length: 16 }, (_, n) => makeTicket(server.db, n % 4 < 2 ? {} : { status: 'closed' })),
    )
    for (const watches of [true, false, true])
      await Promise.all(
        tickets.flatMap(({ id }, n) => [
          agent.send(watchTicket, { ...pathOf(id), body: { watches: watches || n < 4 } }),
          agent.send(setTicketStatus, {
            ...pathOf(id),
            body: { status: n % 2 === Number(watches) ? 'closed' : 'open' },
          }),
        ]),
      )
    const { queues } = (await agent.send(listQueues)).body
    expect(await kept()).toEqual(await recount())
    const listed = await agent.send(listTickets, { query: { queue: 'watching', limit: '100' } as never })
    expect(listed.body).toHaveLength(queues.watching)
    expect(queues.watching).toBeGreaterThan(7)
    const { body } = await agent.send(countTickets, { query: { queue: 'watching' } as never })
    expect(body.matching).toBe(queues.watching)
  })

  it('follow a ticket that is being closed when someone begins to watch it', async () => {
    const ticket = await makeTicket(server.db)
    const closing = await server.running.services.pool.connect()
    await closing.query('begin')
    await closing.query(`update tickets set status = 'closed' where id = $1`, [ticket.id])
    const watching = makeWatcher(server.db, { ticket_id: ticket.id, worker_id: (await agent.worker()).id })
    const committed = new Promise((done) => setTimeout(done, 100)).then(() => closing.query('commit'))
    await Promise.all([watching, committed])
    closing.release()
    expect(await kept()).toEqual(await recount())
  })

  it('do not wait for uncommitted transactions', async () => {
    const [slow, quick] = [await makeTicket(server.db), await makeTicket(server.db)]
    const before = await recount()
    const unfinished = await server.running.services.pool.connect()
    try {
      await unfinished.query('begin')
      await unfinished.query(`update tickets set status = 'closed' where id = $1`, [slow.id])
      const { status, body } = await agent.send(setTicketStatus, { ...pathOf(quick.id), body: { status: 'closed' } })
      expect(status).toBe(200)
      // It counts its own change and no other transaction's uncommitted one.
      expect(body.stats.closed).toBe((before.stats.closed ?? 0) + 1)
    } finally {
      await unfinished.query('rollback')
      unfinished.release()
    }
    expect(await kept()).toEqual(await recount())
  })
})
