import {
  createAbsence,
  endAbsence,
  readAssignment,
  saveRoundRobin,
  setTakesNew,
  setTakesOnReply,
} from '@limber/contract/support/assignment/assignment.ts'
import { receiveTicketMessage } from '@limber/contract/support/inbox/inbound.ts'
import { deleteView } from '@limber/contract/support/queues/queue.ts'
import {
  assignTicket,
  createTicket,
  listTicketWorkers,
  readTicket,
  respondToTicket,
} from '@limber/contract/support/tickets/ticket.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY, MINUTE, shift } from '#platform/clock.ts'
import { runWork } from '#platform/db/work.ts'
import {
  eventually,
  startTestServer,
  type TestCaller,
  type TestServer,
  type TestWorker,
} from '#platform/testing/testing.ts'
import { makeView } from '../queues/queue.factory.ts'
import { makeTicket } from '../tickets/ticket.factory.ts'
import { assignTickets, assignWaitingTickets } from './assign-tickets.ts'
import { startAbsences } from './hand-over.ts'

const KEY = 'a-key-of-the-program-that-brings-messages'
let server: TestServer
let lead: TestCaller
let leadId: number
let agent: TestCaller
beforeAll(async () => {
  server = await startTestServer({ env: { SUPPORT_INBOUND_KEY: KEY } })
  lead = server.as('tickets.handle', 'tickets.create', 'notifications.send')
  leadId = (await lead.worker()).id
  agent = server.as('tickets.handle')
})
beforeEach(async () => {
  await sql`truncate round_robins, round_robin_members, paused_workers, absences`.execute(server.db)
  await sql`update tickets set status = 'closed' where status <> 'closed'`.execute(server.db)
})
afterAll(() => server.stop())

const today = () => server.clock.now().toISOString().slice(0, 10)
const inDays = (days: number) =>
  shift(server.clock.now(), days * DAY)
    .toISOString()
    .slice(0, 10)
const pathOf = ({ id }: { id: number }) => ({ params: { id: String(id) } })
const people = (count: number, name = 'Agent') =>
  Promise.all(Array.from({ length: count }, (_, n) => server.signIn(['tickets.handle'], { name: `${name} ${n}` })))

async function share(
  members: readonly { id: number }[],
  more: { view?: number; maxOpen?: number; isOn?: boolean } = {},
) {
  const { view = null, maxOpen = 50, isOn = true } = more
  const body = { view, isOn, maxOpen, members: members.map(({ id }) => id), version: 0 }
  return lead.send(saveRoundRobin, { body })
}
let serial = 0
const arrive = async (from = `customer-${++serial}@example.com`, subject = 'Hello') => {
  const reply = await server
    .anonymous()
    .send(
      receiveTicketMessage,
      { body: { messageId: `<assign-${++serial}@example.com>`, from, subject, content: 'Hello' } },
      { headers: { 'x-support-key': KEY } },
    )
  expect(reply.status).toBe(200)
  return reply.body.ticketId
}
const read = async (id: number) => (await agent.send(readTicket, pathOf({ id }))).body
const assigneeOf = async (id: number) => (await read(id)).assignee?.id ?? null
const eventsOf = async (id: number) =>
  (await read(id)).events.filter(({ kind }) => kind === 'assigned').map(({ text }) => text)
const sweep = async () => (await assignWaitingTickets(server.running.services)).assigned
/** Whether an assignment waits for another one. */
const isWaiting = async () => {
  const { rows } = await sql`select from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`.execute(server.db)
  return rows.length > 0
}
const forget = ({ id }: TestWorker, minutes = 16) =>
  sql`update sessions set last_seen_at = ${shift(server.clock.now(), -minutes * MINUTE)} where worker_id = ${id}`.execute(
    server.db,
  )

describe('round robin', () => {
  it('assigns a new ticket to the present member with the fewest open tickets, with a line in the thread', async () => {
    const [busy, free] = (await people(2, 'Kenji')) as [TestWorker, TestWorker]
    await makeTicket(server.db, { assignee_id: busy.id })
    expect((await share([busy, free])).status).toBe(200)
    const id = await arrive()
    const { assignee, events, version } = await read(id)
    expect(assignee?.id).toBe(free.id)
    expect(events.at(-1)).toMatchObject({ kind: 'assigned', text: 'Assigned to Kenji 1 by round robin', worker: null })
    expect(version).toBe(2)
    const audit = await server.db
      .selectFrom('audit_log')
      .select('after')
      .where('action', '=', 'ticket_assigned')
      .where('subject_id', '=', String(id))
      .executeTakeFirst()
    expect(audit?.after).toEqual({ assignee: free.id, by: 'round robin' })
  })

  it('takes turns among members with equal loads', async () => {
    const members = await people(3)
    await share(members)
    const got = [await assigneeOf(await arrive()), await assigneeOf(await arrive()), await assigneeOf(await arrive())]
    expect(new Set(got)).toEqual(new Set(members.map(({ id }) => id)))
  })

  it('assigns each of many tickets that arrive at the same moment once, and evenly', async () => {
    const members = await people(3)
    await share(members)
    const ids = await Promise.all(Array.from({ length: 18 }, () => arrive()))
    // Sweeps at the same time must not assign anything a second time.
    const loose = await Promise.all(Array.from({ length: 12 }, () => makeTicket(server.db)))
    await Promise.all([...Array.from({ length: 5 }, () => assignWaitingTickets(server.running.services)), arrive()])
    const all = [...ids, ...loose.map(({ id }) => id)]
    for (const id of all) expect(await eventsOf(id)).toHaveLength(1)
    const loads = await Promise.all(
      members.map(async ({ id }) => {
        const rows = await server.db
          .selectFrom('tickets')
          .select('id')
          .where('assignee_id', '=', id)
          .where('status', '<>', 'closed')
          .execute()
        return rows.length
      }),
    )
    expect(loads.reduce((sum, count) => sum + count, 0)).toBe(31)
    expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(1)
  })

  it('leaves a ticket alone that someone takes at the same moment', async () => {
    const members = await people(2)
    await share(members)
    const tickets = await Promise.all(Array.from({ length: 10 }, () => makeTicket(server.db)))
    const own = (await agent.worker()).id
    await Promise.all([
      ...tickets.map((ticket) => agent.send(assignTicket, { ...pathOf(ticket), body: { workerId: own } })),
      ...[1, 2, 3].map(() => assignWaitingTickets(server.running.services)),
    ])
    // Whoever came first, the worker's own choice is the last word, and round robin never follows it.
    for (const { id } of tickets) {
      expect(await assigneeOf(id)).toBe(own)
      expect((await eventsOf(id)).at(-1)).toBe('Assigned to self')
    }
    expect(await sweep()).toBe(0)
  })

  it('skips members who are absent, paused, out of office, disabled or without the permission', async () => {
    const [absent, paused, away, disabled, demoted] = (await people(5)) as [
      TestWorker,
      TestWorker,
      TestWorker,
      TestWorker,
      TestWorker,
    ]
    await share([absent, paused, away, disabled, demoted])
    await forget(absent)
    await server.db.insertInto('paused_workers').values({ worker_id: paused.id, since: server.clock.now() }).execute()
    const days = { workerId: away.id, startsOn: today(), endsOn: inDays(1) }
    expect((await lead.send(createAbsence, { body: days })).status).toBe(200)
    await server.db.updateTable('workers').set({ status: 'disabled' }).where('id', '=', disabled.id).execute()
    await server.db
      .updateTable('workers')
      .set({ permissions: ['22'] })
      .where('id', '=', demoted.id)
      .execute()
    const id = await arrive()
    expect(await assigneeOf(id)).toBeNull()
    expect(await sweep()).toBe(0)
    await forget(absent, 0)
    expect(await sweep()).toBe(1)
    expect(await assigneeOf(id)).toBe(absent.id)
  })

  it('gives nobody more than the limit of the queue', async () => {
    const [member] = (await people(1)) as [TestWorker]
    await share([member], { maxOpen: 2 })
    const ids = [await arrive(), await arrive(), await arrive()]
    expect(await Promise.all(ids.map(assigneeOf))).toEqual([member.id, member.id, null])
  })

  it('gives a member of two queues no more than the limit while both assign at the same moment', async () => {
    const members = await people(1)
    const view = await makeView(server.db, { worker_id: leadId, is_shared: true, priority: 'high' })
    await share(members, { maxOpen: 1 })
    await share(members, { view: view.id, maxOpen: 1 })
    const ticket = await makeTicket(server.db, { priority: 'high' })
    const { next } = await runWork(server.running.services, { call: 'test' }, async (work) => {
      await assignTickets(work, [ticket.id])
      const next = arrive()
      await Promise.race([next, eventually(isWaiting)])
      return { next }
    })
    expect([await assigneeOf(ticket.id), await assigneeOf(await next)]).toEqual([members[0]?.id, null])
  })

  it('leaves tickets alone that someone unassigned by hand', async () => {
    const members = await people(1)
    await share(members)
    const id = await arrive()
    await agent.send(assignTicket, { ...pathOf({ id }), body: { workerId: null } })
    expect(await sweep()).toBe(0)
    expect(await assigneeOf(id)).toBeNull()
  })

  it('prefers the queue of a shared view, and its tickets wait when nobody there is free', async () => {
    const [everyone, refunds] = (await people(2)) as [TestWorker, TestWorker]
    const view = await makeView(server.db, { worker_id: leadId, is_shared: true, kind: 'refund' })
    await share([everyone])
    await share([refunds], { view: view.id, maxOpen: 1 })
    const tickets = [
      await makeTicket(server.db, { kind: 'refund' }),
      await makeTicket(server.db, { kind: 'refund' }),
      await makeTicket(server.db, { kind: 'question' }),
    ]
    expect(await sweep()).toBe(2)
    expect(await Promise.all(tickets.map(({ id }) => assigneeOf(id)))).toEqual([refunds.id, null, everyone.id])
    await lead.send(deleteView, pathOf(view))
    expect(await sweep()).toBe(1)
  })

  it('assigns in one queue while another one is being assigned', async () => {
    const [everyone, urgent] = (await people(2)) as [TestWorker, TestWorker]
    const view = await makeView(server.db, { worker_id: leadId, is_shared: true, priority: 'high' })
    await share([everyone])
    await share([urgent], { view: view.id })
    const ticket = await makeTicket(server.db, { priority: 'high' })
    const assigned = await runWork(server.running.services, { call: 'test' }, async (work) => {
      await assignTickets(work, [ticket.id])
      // Nothing is committed here yet. The other queue must not wait for it.
      return assigneeOf(await arrive())
    })
    expect([assigned, await assigneeOf(ticket.id)]).toEqual([everyone.id, urgent.id])
  })

  it('gives the next ticket of a queue to the next member while one is being assigned', async () => {
    const members = await people(2)
    await share(members)
    const ticket = await makeTicket(server.db)
    const { next } = await runWork(server.running.services, { call: 'test' }, async (work) => {
      await assignTickets(work, [ticket.id])
      const next = arrive()
      await new Promise((done) => setTimeout(done, 500))
      // In an object, because the next ticket waits until this is committed.
      return { next }
    })
    const got = [await assigneeOf(ticket.id), await assigneeOf(await next)]
    expect(new Set(got)).toEqual(new Set(members.map(({ id }) => id)))
  })

  it('loses no turn in any queue when many tickets arrive at the same moment', async () => {
    const [everyone, urgent] = [await people(3, 'Everyone'), await people(3, 'Urgent')]
    const view = await makeView(server.db, { worker_id: leadId, is_shared: true, priority: 'high' })
    await share(everyone)
    await share(urgent, { view: view.id })
    const body = { customer_email: 'now@example.com', subject: 'Now', content: 'Help', priority: 'high' as const }
    const add = async () => (await lead.send(createTicket, { body })).body.id
    const ids = await Promise.all(Array.from({ length: 18 }, (_, n) => (n % 2 ? arrive() : add())))
    const got = await Promise.all(ids.map(assigneeOf))
    for (const { id } of [...everyone, ...urgent]) expect(got.filter((assignee) => assignee === id)).toHaveLength(3)
    const { rows } = await sql<{ turns: number }>`
      select count(distinct last_at)::int as turns from round_robin_members group by round_robin_id`.execute(server.db)
    expect(rows.map(({ turns }) => turns)).toEqual([3, 3])
  })

  it('goes on behind tickets of no queue', async () => {
    const [refunds] = (await people(1)) as [TestWorker]
    const view = await makeView(server.db, { worker_id: leadId, is_shared: true, kind: 'refund' })
    await share([refunds], { view: view.id })
    await sql`insert into tickets (customer_email, subject, created_at, updated_at, waiting_since)
      select 'x@example.com', 'Other', now(), now(), now() from generate_series(1, 150)`.execute(server.db)
    const { id } = await makeTicket(server.db, { kind: 'refund' })
    expect(await sweep()).toBe(1)
    expect(await assigneeOf(id)).toBe(refunds.id)
  })

  it('assigns tickets that workers create', async () => {
    const [member] = (await people(1)) as [TestWorker]
    await share([member])
    const body = { customer_email: 'by-phone@example.com', subject: 'Keys', content: 'Lost' }
    expect((await lead.send(createTicket, { body })).body.assignee?.id).toBe(member.id)
  })

  it('is set up by leads, for workers who handle tickets and views that can show unassigned ones', async () => {
    const [member] = (await people(1)) as [TestWorker]
    const closed = await makeView(server.db, { worker_id: leadId, is_shared: true, status: 'closed' })
    const own = await makeView(server.db, { worker_id: leadId })
    const stranger = await server.as('support.tab').worker()
    const body = { view: null, isOn: true, maxOpen: 5, members: [member.id], version: 0 }
    expect((await agent.send(saveRoundRobin, { body })).status).toBe(403)
    expect((await share([member], { view: closed.id })).failure.code).toBe('own_view')
    expect((await share([member], { view: own.id })).failure.code).toBe('no_view')
    expect((await share([stranger])).failure.code).toBe('no_assignee')
    expect((await share([])).failure.code).toBe('nobody')
    expect((await share([], { isOn: false })).status).toBe(200)
    const stale = await share([member])
    expect(stale).toMatchObject({ status: 409, failure: { code: 'stale', current: { isOn: false, version: 1 } } })
    const again = await lead.send(saveRoundRobin, { body: { ...body, version: 1 } })
    expect(again.body).toMatchObject({ isOn: true, maxOpen: 5, members: [{ id: member.id }], version: 2 })
    const { body: read } = await agent.send(readAssignment)
    expect(read.roundRobins[0]).toEqual(again.body)
    expect(read.roundRobins.some(({ view }) => view?.id === closed.id || view?.id === own.id)).toBe(false)
  })

  it.each([{ maxOpen: 0 }, { maxOpen: 201 }, { members: ['x'] }, { view: 0 }, { version: -1 }])(
    'refuses %j',
    async (bad) => {
      const body = { view: null, isOn: false, maxOpen: 5, members: [], version: 0, ...bad }
      expect((await lead.send(saveRoundRobin, { body: body as never })).status).toBe(400)
    },
  )
})

it('a worker can stop taking new tickets', async () => {
  const caller = server.as('tickets.handle')
  const takesNew = async () => (await caller.send(readAssignment)).body.takesNew
  expect(await takesNew()).toBe(true)
  for (const value of [false, false]) await caller.send(setTakesNew, { body: { takesNew: value } })
  expect(await takesNew()).toBe(false)
  await caller.send(setTakesNew, { body: { takesNew: true } })
  expect(await takesNew()).toBe(true)
})

describe('replying to an unassigned ticket', () => {
  const reply = async (ticket: { id: number }) => {
    const body = { message: 'Hello', workerId: (await agent.worker()).id }
    return (await agent.send(respondToTicket, { ...pathOf(ticket), body })).body
  }
  it('leaves it unassigned, unless the company assigns it', async () => {
    expect((await agent.send(setTakesOnReply, { body: { takesOnReply: true } })).status).toBe(403)
    expect((await reply(await makeTicket(server.db))).assignee).toBeNull()
    await lead.send(setTakesOnReply, { body: { takesOnReply: true } })
    try {
      const { assignee, events } = await reply(await makeTicket(server.db))
      expect(assignee?.id).toBe((await agent.worker()).id)
      expect(events.at(-1)?.text).toBe('Assigned to self')
      const other = await makeTicket(server.db, { assignee_id: leadId })
      expect((await reply(other)).assignee?.id).toBe(leadId)
    } finally {
      await lead.send(setTakesOnReply, { body: { takesOnReply: false } })
    }
  })
})

describe('days out of office', () => {
  const plan = (caller: TestCaller, body: Record<string, unknown>) =>
    caller.send(createAbsence, { body: { startsOn: today(), endsOn: inDays(3), ...body } as never })
  const start = () => startAbsences(server.running.services)

  it('hand over open tickets at the start, also snoozed ones, with a line in the thread', async () => {
    const [away, substitute] = (await people(2, 'Dana')) as [TestWorker, TestWorker]
    const open = await makeTicket(server.db, { assignee_id: away.id })
    const snoozed = await makeTicket(server.db, { assignee_id: away.id, snoozed_at: server.clock.now() })
    const closed = await makeTicket(server.db, { assignee_id: away.id, status: 'closed' })
    await plan(lead, { workerId: away.id, substituteId: substitute.id })
    expect(await start()).toEqual({ handedOver: 2 })
    expect(await start()).toEqual({ handedOver: 0 })
    expect(await Promise.all([open, snoozed, closed].map(({ id }) => assigneeOf(id)))).toEqual([
      substitute.id,
      substitute.id,
      away.id,
    ])
    expect(await eventsOf(open.id)).toEqual(['Handed over to Dana 1: Dana 0 is out of office'])
  })

  it('wait for their first day, and hand over more tickets than fit into one transaction once', async () => {
    const [away] = (await people(1)) as [TestWorker]
    await Promise.all(Array.from({ length: 120 }, () => makeTicket(server.db, { assignee_id: away.id })))
    await plan(lead, { workerId: away.id, startsOn: inDays(1) })
    expect(await start()).toEqual({ handedOver: 0 })
    server.clock.advance(DAY)
    const done = await Promise.all([start(), start(), start()])
    server.clock.advance(-DAY)
    expect(done.reduce((sum, { handedOver }) => sum + handedOver, 0)).toBe(120)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ticket_events where kind = 'assigned' and text like 'Unassigned: Agent 0%'
        and ticket_id in (select id from tickets where status <> 'closed')`.execute(server.db)
    expect(rows[0]?.count).toBe(120)
  })

  it('send replies on the tickets to the substitute, or to the queue when they cannot take them', async () => {
    const [away, substitute, next] = (await people(3)) as [TestWorker, TestWorker, TestWorker]
    const from = ['first@example.com', 'second@example.com'] as const
    const [one, two] = [
      await makeTicket(server.db, { assignee_id: away.id, customer_email: from[0] }),
      await makeTicket(server.db, { assignee_id: away.id, customer_email: from[1] }),
    ]
    await plan(lead, { workerId: away.id, substituteId: substitute.id, handsOver: false })
    expect(await start()).toEqual({ handedOver: 0 })
    expect(await arrive(from[0], `Re: [#${one.id}] Hello`)).toBe(one.id)
    expect(await assigneeOf(one.id)).toBe(substitute.id)
    // The substitute leaves, too: the queue takes over, and round robin may assign it.
    await plan(lead, { workerId: substitute.id })
    await arrive(from[1], `Re: [#${two.id}] Hello`)
    expect(await assigneeOf(two.id)).toBeNull()
    await share([next])
    await sweep()
    expect(await assigneeOf(two.id)).toBe(next.id)
  })

  it('show in the list of assignees', async () => {
    const [away] = (await people(1)) as [TestWorker]
    await plan(lead, { workerId: away.id })
    const until = async () =>
      (await agent.send(listTicketWorkers)).body.find(({ id }) => id === away.id)?.awayUntil ?? null
    expect(await until()).toBe(inDays(3))
    const { body } = await agent.send(readAssignment)
    expect(body.workers.find(({ id }) => id === away.id)).toMatchObject({ isAway: true, isPresent: true })
    const [absence] = body.absences
    expect((await lead.send(endAbsence, pathOf(absence ?? { id: 0 }))).status).toBe(200)
    expect(await until()).toBeNull()
    expect((await lead.send(endAbsence, pathOf(absence ?? { id: 0 }))).status).toBe(404)
  })

  it('are planned by the worker or a lead, for days that make sense', async () => {
    const [other] = (await people(1)) as [TestWorker]
    const own = (await agent.worker()).id
    const code = async (body: Record<string, unknown>, caller = agent) =>
      (await plan(caller, { workerId: own, ...body })).failure?.code
    expect(await code({ workerId: other.id })).toBe('not_yours')
    expect(await code({ endsOn: inDays(-1) })).toBe('order')
    expect(await code({ startsOn: inDays(-3), endsOn: inDays(-1) })).toBe('past')
    expect(await code({ substituteId: own })).toBe('no_substitute')
    expect(await code({ substituteId: (await server.as('support.tab').worker()).id })).toBe('no_substitute')
    expect(await code({ workerId: (await server.as('support.tab').worker()).id }, lead)).toBe('no_assignee')
    const [first, second] = await Promise.all([plan(agent, { workerId: own }), plan(agent, { workerId: own })])
    const replies = [first, second].toSorted((a, b) => a.status - b.status)
    expect(replies.map(({ status }) => status)).toEqual([200, 409])
    expect(replies[1]?.failure.code).toBe('overlaps')
    const theirs = await plan(lead, { workerId: other.id })
    expect((await agent.send(endAbsence, pathOf(theirs.body))).failure.code).toBe('not_yours')
    expect((await agent.send(endAbsence, pathOf(replies[0]?.body ?? { id: 0 }))).status).toBe(200)
  })
})
