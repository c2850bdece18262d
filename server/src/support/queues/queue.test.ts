import { receiveTicketMessage } from '@limber/contract/support/inbox/inbound.ts'
import {
  createView,
  deleteView,
  listQueues,
  MAX_VIEWS_PER_WORKER,
  updateView,
} from '@limber/contract/support/queues/queue.ts'
import { createTag, listTags, removeTag, renameTag } from '@limber/contract/support/queues/tag.ts'
import {
  changeTicket,
  changeTickets,
  listTickets,
  MAX_TAGS_PER_TICKET,
  mergeTicket,
  readTicket,
  respondToTicket,
  setTicketStatus,
  type TicketChange,
} from '@limber/contract/support/tickets/ticket.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE, shift } from '#platform/clock.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeTicket } from '../tickets/ticket.factory.ts'
import { makeTag, makeView } from './queue.factory.ts'
import { removeTagFromTickets } from './remove-tag.ts'
import { wakeTickets } from './wake-tickets.ts'

const KEY = 'support-key-0123456789-abcdefghijklmnop'
let server: TestServer
let agent: TestCaller
let lead: TestCaller
beforeAll(async () => {
  server = await startTestServer({ env: { SUPPORT_INBOUND_KEY: KEY } })
  agent = server.as('tickets.handle')
  lead = server.as('tickets.handle', 'notifications.send')
})
afterAll(() => server.stop())

const pathOf = ({ id }: { id: number }) => ({ params: { id: String(id) } })
const change = (ticket: { id: number }, wanted: TicketChange) =>
  agent.send(changeTicket, { ...pathOf(ticket), body: { change: wanted } })
const read = async (ticket: { id: number }) => (await agent.send(readTicket, pathOf(ticket))).body
const later = (ms: number) => shift(server.clock.now(), ms).toISOString()
const idsIn = async (query: object) =>
  (await agent.send(listTickets, { query: { limit: '100', ...query } as never })).body.map(({ id }) => id)
const openView = { isShared: false, queue: null, status: null, priority: null, kind: null, assignee: null, tag: null }

let serial = 0
const write = (ticket: { id: number }, from: string) =>
  server.anonymous().send(
    receiveTicketMessage,
    {
      body: { messageId: `<q${++serial}@example.com>`, from, subject: `Re: [#${ticket.id}] Keys`, content: 'Hello' },
    },
    { headers: { 'x-support-key': KEY } },
  )

describe('a snoozed ticket', () => {
  it('leaves its queues until its time comes', async () => {
    const ticket = await makeTicket(server.db, { priority: 'high' })
    const until = later(5 * MINUTE)
    expect((await change(ticket, { snooze: { until } })).body.snoozed).toEqual({ until })
    for (const queue of ['waiting', 'high', 'unassigned']) expect(await idsIn({ queue })).not.toContain(ticket.id)
    expect(await idsIn({ queue: 'snoozed' })).toContain(ticket.id)
    expect(await wakeTickets(server.running.services)).toEqual({ woken: 0 })
    server.clock.advance(6 * MINUTE)
    expect(await wakeTickets(server.running.services)).toEqual({ woken: 1 })
    const { snoozed, events, version } = await read(ticket)
    expect({ snoozed, version }).toEqual({ snoozed: null, version: ticket.version + 2 })
    expect(events.map(({ text }) => text)).toEqual(['Snoozed', 'Snooze ended'])
    expect(await idsIn({ queue: 'waiting' })).toContain(ticket.id)
  })

  it('returns when the customer writes, and stays snoozed when we reply', async () => {
    const ticket = await makeTicket(server.db, { customer_email: 'snooze@example.com' })
    await change(ticket, { snooze: { until: null } })
    const { id: workerId } = await agent.worker()
    await agent.send(respondToTicket, { ...pathOf(ticket), body: { message: 'Soon', workerId } })
    expect((await read(ticket)).snoozed).toEqual({ until: null })
    expect((await write(ticket, 'snooze@example.com')).status).toBe(200)
    expect((await read(ticket)).snoozed).toBeNull()
  })

  it('is no longer snoozed once closed, and a closed one cannot be snoozed', async () => {
    const ticket = await makeTicket(server.db)
    await change(ticket, { snooze: { until: null } })
    await agent.send(setTicketStatus, { ...pathOf(ticket), body: { status: 'closed' } })
    const refused = await change(ticket, { snooze: { until: null } })
    expect([refused.status, refused.failure.code]).toEqual([409, 'closed_snooze'])
    await agent.send(setTicketStatus, { ...pathOf(ticket), body: { status: 'open' } })
    expect((await read(ticket)).snoozed).toBeNull()
  })

  it('needs a time in the future', async () => {
    const ticket = await makeTicket(server.db)
    const refused = await change(ticket, { snooze: { until: later(0) } })
    expect([refused.status, refused.failure.code]).toEqual([422, 'past'])
  })
})

describe('tags', () => {
  it('are added and removed, and find their tickets', async () => {
    const { body: tag } = await agent.send(createTag, { body: { name: 'Short session' } })
    const ticket = await makeTicket(server.db)
    expect((await change(ticket, { addTag: tag.id })).body.tags).toEqual([{ id: tag.id, name: 'Short session' }])
    const again = await change(ticket, { addTag: tag.id })
    expect(again.body.version).toBe(ticket.version + 1)
    expect(await idsIn({ tag: String(tag.id) })).toEqual([ticket.id])
    const { body: tags } = await agent.send(listTags)
    expect(tags.find(({ id }) => id === tag.id)?.tickets).toBe(1)
    expect((await change(ticket, { removeTag: tag.id })).body.tags).toEqual([])
    expect(await idsIn({ tag: String(tag.id) })).toEqual([])
    const taken = await agent.send(createTag, { body: { name: 'SHORT session' } })
    expect([taken.status, taken.failure.code]).toEqual([409, 'name_taken'])
  })

  it('are limited per ticket; in a bulk change only the full ticket is refused', async () => {
    const tags = await Promise.all(Array.from({ length: MAX_TAGS_PER_TICKET + 1 }, () => makeTag(server.db)))
    const [extra, ...ten] = tags.map(({ id }) => id)
    const full = await makeTicket(server.db, { tags: ten })
    const free = await makeTicket(server.db)
    const refused = await change(full, { addTag: extra ?? 0 })
    expect([refused.status, refused.failure.code]).toEqual([409, 'too_many_tags'])
    const { body } = await agent.send(changeTickets, {
      body: {
        tickets: [full, free].map(({ id, version }) => ({ id, version })),
        change: { addTag: extra ?? 0 },
      },
    })
    expect([body.changed, body.refused.map(({ id }) => id)]).toEqual([1, [full.id]])
  })

  it('are renamed everywhere, by those who maintain them', async () => {
    const tag = await makeTag(server.db)
    const ticket = await makeTicket(server.db, { tags: [tag.id] })
    const body = { name: 'Late arrival', version: tag.version }
    expect((await agent.send(renameTag, { ...pathOf(tag), body })).status).toBe(403)
    expect((await lead.send(renameTag, { ...pathOf(tag), body })).body.name).toBe('Late arrival')
    expect((await read(ticket)).tags).toEqual([{ id: tag.id, name: 'Late arrival' }])
    const other = await makeTag(server.db)
    const taken = await lead.send(renameTag, { ...pathOf(other), body: { name: 'late ARRIVAL', version: 1 } })
    expect([taken.status, taken.failure.code]).toEqual([409, 'name_taken'])
  })

  it('are merged: tickets, views and counts follow', async () => {
    const [from, into] = [await makeTag(server.db), await makeTag(server.db)]
    const one = await makeTicket(server.db, { tags: [from.id] })
    const both = await makeTicket(server.db, { tags: [from.id, into.id] })
    const view = await makeView(server.db, { worker_id: (await agent.worker()).id, tag_id: from.id })
    const body = { into: into.id, version: from.version }
    expect((await agent.send(removeTag, { ...pathOf(from), body })).status).toBe(403)
    expect((await lead.send(removeTag, { ...pathOf(from), body })).status).toBe(200)
    // At once, before any ticket is rewritten.
    for (const ticket of [one, both]) expect((await read(ticket)).tags).toEqual([{ id: into.id, name: into.name }])
    expect((await change(one, { addTag: from.id })).failure.code).toBe('no_tag')
    await removeTagFromTickets(server.running.services, from.id)
    expect(new Set(await idsIn({ tag: String(into.id) }))).toEqual(new Set([one.id, both.id]))
    expect(await server.db.selectFrom('ticket_tags').select('id').where('id', '=', from.id).execute()).toEqual([])
    const { body: tags } = await agent.send(listTags)
    expect(tags.find(({ id }) => id === into.id)?.tickets).toBe(2)
    const { body: queues } = await agent.send(listQueues)
    expect(queues.views.find(({ id }) => id === view.id)).toMatchObject({ tag: into.id, count: 2 })
  })

  it('are deleted from every ticket, in batches and again after an interruption', async () => {
    const tag = await makeTag(server.db)
    const tickets = await Promise.all(Array.from({ length: 3 }, () => makeTicket(server.db, { tags: [tag.id] })))
    expect((await lead.send(removeTag, { ...pathOf(tag), body: { into: null, version: 1 } })).status).toBe(200)
    for (const ticket of tickets) expect((await read(ticket)).tags).toEqual([])
    await removeTagFromTickets(server.running.services, tag.id)
    await removeTagFromTickets(server.running.services, tag.id)
    const rows = await server.db
      .selectFrom('tickets')
      .select('tags')
      .where(
        'id',
        'in',
        tickets.map(({ id }) => id),
      )
      .execute()
    expect(rows.map(({ tags }) => tags)).toEqual([[], [], []])
    const gone = await lead.send(renameTag, { ...pathOf(tag), body: { name: 'x', version: 1 } })
    expect(gone.status).toBe(404)
  })

  it('refuse a merge into themselves or into a removed tag', async () => {
    const [tag, removed] = [await makeTag(server.db), await makeTag(server.db, { removed_at: server.clock.now() })]
    const merge = (into: number) => lead.send(removeTag, { ...pathOf(tag), body: { into, version: tag.version } })
    expect((await merge(tag.id)).failure.code).toBe('itself')
    expect((await merge(removed.id)).failure.code).toBe('no_target')
  })

  it('of a merged ticket go to the other one, with its kind', async () => {
    const [a, b] = [await makeTag(server.db), await makeTag(server.db)]
    const source = await makeTicket(server.db, { tags: [a.id, b.id], kind: 'refund' })
    const target = await makeTicket(server.db, { tags: [b.id] })
    const { body } = await agent.send(mergeTicket, { ...pathOf(source), body: { into: target.id } })
    expect(body.kind).toBe('refund')
    expect(new Set(body.tags.map(({ id }) => id))).toEqual(new Set([a.id, b.id]))
  })
})

describe('saved views', () => {
  const views = async (caller: TestCaller) => (await caller.send(listQueues)).body.views

  it('are private until shared, and only their owner changes them', async () => {
    const created = await agent.send(createView, { body: { ...openView, name: 'Refunds', kind: 'refund' } })
    expect(created.body).toMatchObject({ name: 'Refunds', kind: 'refund', isShared: false })
    const { id, version } = created.body
    const has = async () => (await views(lead)).some((view) => view.id === id)
    expect(await has()).toBe(false)
    const body = { ...openView, name: 'Refunds', kind: 'refund' as const, isShared: true, version }
    expect((await lead.send(updateView, { ...pathOf({ id }), body })).failure.code).toBe('not_found')
    expect((await agent.send(updateView, { ...pathOf({ id }), body })).status).toBe(200)
    expect(await has()).toBe(true)
    expect((await lead.send(updateView, { ...pathOf({ id }), body })).failure.code).toBe('not_yours')
    expect((await lead.send(deleteView, pathOf({ id }))).failure.code).toBe('not_yours')
    expect((await agent.send(deleteView, pathOf({ id }))).status).toBe(200)
    expect(await has()).toBe(false)
    expect((await agent.send(deleteView, pathOf({ id }))).status).toBe(404)
  })

  it('count `me` for whoever looks', async () => {
    const worker_id = (await agent.worker()).id
    const view = await makeView(server.db, { worker_id, is_shared: true, assignee: 'me' })
    await makeTicket(server.db, { assignee_id: (await lead.worker()).id })
    const countFor = async (caller: TestCaller) => (await views(caller)).find(({ id }) => id === view.id)?.count
    expect([await countFor(agent), await countFor(lead)]).toEqual([0, 1])
  })

  it('need a name of their own and a tag that exists, and are limited', async () => {
    const other = server.as('tickets.handle')
    const worker_id = (await other.worker()).id
    const create = (more: object) => other.send(createView, { body: { ...openView, name: 'Mine', ...more } })
    expect((await create({})).status).toBe(200)
    expect((await create({ name: 'MINE' })).failure.code).toBe('name_taken')
    expect((await create({ name: 'Tagged', tag: 999_999 })).failure.code).toBe('no_tag')
    expect((await create({ name: 'Bad', assignee: 'nobody' })).status).toBe(400)
    for (let n = 1; n < MAX_VIEWS_PER_WORKER; n++) await makeView(server.db, { worker_id })
    expect((await create({ name: 'One more' })).failure.code).toBe('too_many')
  })
})
