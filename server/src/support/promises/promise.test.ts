import { listHistory, restoreValue } from '@limber/contract/access/history/history.ts'
import { receiveTicketMessage } from '@limber/contract/support/inbox/inbound.ts'
import { readPromises, savePromises } from '@limber/contract/support/promises/promise.ts'
import { listQueues } from '@limber/contract/support/queues/queue.ts'
import { splitTicket } from '@limber/contract/support/related/related.ts'
import {
  assignTicket,
  changeTicket,
  createTicket,
  listTickets,
  mergeTicket,
  readTicket,
  respondToTicket,
  setTicketPriority,
  setTicketStatus,
  type TicketChange,
} from '@limber/contract/support/tickets/ticket.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SINGLE_ID } from '#platform/audit/history.ts'
import { HOUR, MINUTE, shift } from '#platform/clock.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '../customers/customer.factory.ts'
import { wakeTickets } from '../queues/wake-tickets.ts'
import { makeTicket } from '../tickets/ticket.factory.ts'
import { findSettings, findThreads, rulesOf } from './promise.queries.ts'
import { entryOf, replay } from './promise.rules.ts'
import { draftPromises } from './promise.testing.ts'
import { followSettings, tendPromises } from './tend-promises.ts'

const KEY = 'support-key-0123456789-abcdefghijklmnop'
const GOLD = 'gold@example.com'
let server: TestServer
let agent: TestCaller
let lead: TestCaller
beforeAll(async () => {
  server = await startTestServer({ env: { SUPPORT_INBOUND_KEY: KEY } })
  agent = awake(server.as('tickets.handle', 'tickets.create'))
  lead = awake(server.as('tickets.handle', 'notifications.send'))
  await makeCustomer(server.db, { email: GOLD, rank: 'Gold' })
})
afterAll(() => server.stop())

/** A caller who stays signed in while the clock jumps over days. */
const awake = (caller: TestCaller): TestCaller => ({
  worker: () => caller.worker(),
  async send(...given) {
    const { sessionId } = await caller.worker()
    const now = server.clock.now()
    await sql`update sessions set created_at = ${now}, last_seen_at = ${now} where id = ${sessionId}`.execute(server.db)
    return caller.send(...given)
  },
})

const pathOf = (id: number) => ({ params: { id: String(id) } })
const save = async (more = {}) => {
  const { version } = (await lead.send(readPromises)).body
  return lead.send(savePromises, { body: { ...draftPromises(), ...more, version } })
}
const tend = () => tendPromises(server.running.services)
const read = async (id: number) => (await agent.send(readTicket, pathOf(id))).body
/** Tuesday, November 17, in the time zone of the company. */
const set = (clock: string, day = '2026-11-17') => server.clock.set(`${day}T${clock}:00-08:00`)
const iso = (clock: string, day = '2026-11-17') => new Date(`${day}T${clock}:00-08:00`).toISOString()

let serial = 0
const write = (from: string, ticket?: number) =>
  server.anonymous().send(
    receiveTicketMessage,
    {
      body: {
        messageId: `<p${++serial}@example.com>`,
        from,
        subject: ticket ? `Re: [#${ticket}] Keys` : 'Keys',
        content: 'Hello',
      },
    },
    { headers: { 'x-support-key': KEY } },
  )
const open = async (from = GOLD) => (await write(from)).body.ticketId
const respond = async (id: number, more = {}) =>
  agent.send(respondToTicket, {
    ...pathOf(id),
    body: { message: 'Found', workerId: (await agent.worker()).id, ...more },
  })
const change = (id: number, wanted: TicketChange) =>
  agent.send(changeTicket, { ...pathOf(id), body: { change: wanted } })
const promiseOf = async (id: number) => (await read(id)).promise
const breaching = async () => (await agent.send(listQueues)).body.queues.breaching
const mails = async (kind: 'soon' | 'late') => {
  const { rows } = await sql<{ key: string }>`
    select key from outbox where key like ${`promise-${kind}:%`} order by id`.execute(server.db)
  return rows.map(({ key }) => key)
}

describe('the settings of promises', () => {
  it('promise nothing until somebody saves targets', async () => {
    set('09:00')
    expect((await lead.send(readPromises)).body).toMatchObject({
      version: 0,
      changedAt: null,
      timeZone: 'America/Los_Angeles',
    })
    const id = await open()
    expect(await promiseOf(id)).toBeNull()
    expect((await save()).body).toMatchObject({ version: 1, changedBy: expect.any(String) })
    await followSettings(server.running.services, { isFirst: true })
    expect(await promiseOf(id)).toMatchObject({ kind: 'first', rank: 'Gold', targetMinutes: 60, dueAt: iso('10:00') })
    const { rows } = await sql`select action, after from audit_log where subject = 'promises'`.execute(server.db)
    expect(rows).toEqual([{ action: 'promises_changed', after: draftPromises() }])
    await respond(id, { status: 'closed' })
  })

  it('are closed to others, and refuse what somebody else changed', async () => {
    expect((await agent.send(readPromises)).status).toBe(403)
    expect((await agent.send(savePromises, { body: { ...draftPromises(), version: 1 } })).status).toBe(403)
    const stale = await lead.send(savePromises, { body: { ...draftPromises(), version: 0 } })
    expect([stale.status, stale.failure.code]).toEqual([409, 'stale'])
    expect(stale.failure.current).toMatchObject({ version: 1 })
  })

  it.each([
    ['no business hours', { week: Array.from({ length: 7 }, () => null) }],
    ['an end before the start', { week: [{ from: '17:00', to: '09:00' }, null, null, null, null, null, null] }],
    ['a day that does not exist', { holidays: [{ day: '2026-02-30', name: 'X' }] }],
    ['a holiday twice', { holidays: [1, 2].map(() => ({ day: '2026-12-25', name: 'Christmas Day' })) }],
    ['a target of a minute', { targets: { ...draftPromises().targets, first: { high: 1 } } }],
  ])('refuse %s', async (_case, more) => {
    const refused = await lead.send(savePromises, { body: { ...draftPromises(), ...more, version: 1 } as never })
    expect([refused.status, refused.failure.code]).toEqual([400, 'bad_request'])
  })
})

describe('a promise', () => {
  it('is kept by a response, and the next one begins with the next message', async () => {
    set('09:35')
    const id = await open()
    expect(await promiseOf(id)).toMatchObject({ state: 'running', dueAt: iso('10:35') })
    set('09:53')
    await respond(id)
    expect(await promiseOf(id)).toMatchObject({ state: 'kept', tookMinutes: 18, endedAt: iso('09:53') })
    set('16:30')
    await write(GOLD, id)
    expect(await promiseOf(id)).toMatchObject({
      kind: 'next',
      state: 'running',
      targetMinutes: 120,
      dueAt: iso('10:30', '2026-11-18'),
    })
    await respond(id, { status: 'closed' })
    expect((await read(id)).promises).toMatchObject([
      { state: 'kept' },
      { kind: 'next', state: 'kept', tookMinutes: 0 },
    ])
  })

  it('is shown as missed on a closed ticket, even if a later one was kept', async () => {
    set('09:00')
    const id = await open()
    set('11:00')
    await respond(id)
    await write(GOLD, id)
    await respond(id)
    const states = async () => {
      const { body } = await agent.send(listTickets, { query: { search: String(id) } })
      return [(await promiseOf(id))?.state, body.find((one) => one.id === id)?.promise?.state]
    }
    expect(await states()).toEqual(['kept', 'kept'])
    await agent.send(setTicketStatus, { ...pathOf(id), body: { status: 'closed' } })
    expect(await states()).toEqual(['missed', 'missed'])
    await agent.send(setTicketStatus, { ...pathOf(id), body: { status: 'open' } })
    expect(await states()).toEqual(['kept', 'kept'])
    await agent.send(setTicketStatus, { ...pathOf(id), body: { status: 'closed' } })
  })

  it('follows the priority, and pauses while snoozed or closed', async () => {
    set('09:00')
    const id = await open('bronze@example.com')
    expect(await promiseOf(id)).toMatchObject({ rank: 'Bronze', dueAt: iso('13:00') })
    await agent.send(setTicketPriority, { ...pathOf(id), body: { priority: 'high' } })
    expect(await promiseOf(id)).toMatchObject({ priority: 'high', dueAt: iso('11:00') })
    set('09:30')
    await change(id, { snooze: { until: iso('14:00') } })
    expect(await promiseOf(id)).toMatchObject({ state: 'paused', dueAt: null, leftMinutes: 90 })
    set('14:00')
    await wakeTickets(server.running.services)
    expect(await promiseOf(id)).toMatchObject({ state: 'running', dueAt: iso('15:30') })
    await agent.send(setTicketStatus, { ...pathOf(id), body: { status: 'closed' } })
    expect(await promiseOf(id)).toMatchObject({ state: 'paused' })
    set('15:00')
    await write('bronze@example.com', id)
    expect((await read(id)).promises).toMatchObject([
      { state: 'unanswered', tookMinutes: null },
      { kind: 'first', dueAt: iso('17:00') },
    ])
    await respond(id, { status: 'closed' })
  })

  it('is that of the ticket which a merge keeps', async () => {
    set('09:00')
    const [first, second] = [await open(), await open()]
    set('09:10')
    await agent.send(mergeTicket, { ...pathOf(second), body: { into: first } })
    expect(await promiseOf(first)).toMatchObject({ state: 'running', dueAt: iso('10:00') })
    const { rows } = await sql`select ended_at from ticket_promises where ticket_id = ${second}`.execute(server.db)
    expect(rows).toMatchObject([{ ended_at: new Date(iso('09:10')) }])
    await respond(first, { status: 'closed' })
  })

  it('runs from the earlier wait when a merge keeps the later ticket', async () => {
    set('09:00')
    const earlier = await open()
    set('09:20')
    const later = await open()
    set('09:30')
    await agent.send(mergeTicket, { ...pathOf(earlier), body: { into: later } })
    expect(await promiseOf(later)).toMatchObject({ state: 'running', dueAt: iso('10:00') })
    expect((await read(later)).promises.map(({ state }) => state)).toEqual(['unanswered', 'running'])
    const listed = (await agent.send(listTickets)).body.find(({ id }) => id === later)
    expect(listed?.promise?.state).toBe('running')
    await respond(later, { status: 'closed' })
  })

  it('goes with the message that is split into a new ticket', async () => {
    set('09:00')
    const id = await open()
    await respond(id)
    set('09:20')
    await write(GOLD, id)
    const old = await read(id)
    const body = {
      messageId: old.messages.at(-1)?.id ?? 0,
      takes: 'one' as const,
      subject: 'Receipt',
      version: old.version,
    }
    const { body: made } = await agent.send(splitTicket, { ...pathOf(id), body })
    expect(made.promise).toMatchObject({ kind: 'first', state: 'running', dueAt: iso('10:20') })
    expect((await read(id)).promises.map(({ state }) => state)).toEqual(['kept'])
    for (const ticket of [id, made.id]) await respond(ticket, { status: 'closed' })
  })

  it('is computed for tickets whose writer did not do it', async () => {
    set('09:00')
    const customer = await makeCustomer(server.db, { rank: 'Platinum' })
    const { id } = await makeTicket(server.db, {
      customer_id: customer.id,
      created_at: server.clock.now(),
      thread: [{ content: 'Lost' }],
    })
    expect(await promiseOf(id)).toBeNull()
    expect(await tend()).toMatchObject({ computed: 1 })
    expect(await promiseOf(id)).toMatchObject({ rank: 'Platinum', dueAt: iso('10:00') })
    expect(await tend()).toMatchObject({ computed: 0 })
    await respond(id, { status: 'closed' })
  })

  it('follows new settings in batches; what has ended stays', async () => {
    set('09:00')
    const [done, waiting] = [await open(), await open()]
    set('10:30')
    await respond(done)
    await save({ targets: { ...draftPromises().targets, first: draftPromises().targets.next } })
    await save({ week: Array.from({ length: 7 }, () => ({ from: '08:00', to: '24:00' })) })
    expect((await lead.send(readPromises)).body.recomputing).toBe(1)
    await followSettings(server.running.services, { isFirst: false })
    expect((await lead.send(readPromises)).body.recomputing).toBe(0)
    expect(await promiseOf(done)).toMatchObject({ state: 'missed', targetMinutes: 60 })
    expect(await promiseOf(waiting)).toMatchObject({ state: 'running', dueAt: iso('10:00') })
    await save()
    await followSettings(server.running.services, { isFirst: false })
    await respond(waiting, { status: 'closed' })
    await agent.send(setTicketStatus, { ...pathOf(done), body: { status: 'closed' } })
  })
})

describe('a promise that is soon due', () => {
  it('moves its ticket to a queue, first due first, and tells people once', async () => {
    set('09:00')
    await tend()
    const before = await breaching()
    const [slow, quick] = [await open('slow@example.com'), await open()]
    await agent.send(assignTicket, { ...pathOf(quick), body: { workerId: (await agent.worker()).id } })
    const sent = { soon: await mails('soon'), late: await mails('late') }
    const fresh = async (kind: 'soon' | 'late') => (await mails(kind)).filter((key) => !sent[kind].includes(key))
    // 240 minutes are left of one, 60 of the other.
    expect(await breaching()).toBe(before + 1)
    await tend()
    expect(await fresh('soon')).toHaveLength(1)
    expect((await fresh('soon'))[0]).toContain(`promise-soon:${(await agent.worker()).id}:`)
    set('12:00')
    await tend()
    await tend()
    expect(await breaching()).toBe(before + 2)
    // Nobody is assigned to the other one: the lead is told. What is late goes to the assignee and the lead.
    expect(await fresh('soon')).toHaveLength(2)
    expect(await fresh('late')).toHaveLength(2)
    const listed = await agent.send(listTickets, { query: { queue: 'breaching', limit: '100' } as never })
    const ids = listed.body.map(({ id }) => id)
    expect(ids.indexOf(quick)).toBeLessThan(ids.indexOf(slow))
    await respond(quick)
    await agent.send(setTicketStatus, { ...pathOf(slow), body: { status: 'closed' } })
    expect(await breaching()).toBe(before)
    // Told once, also when the ticket is reopened and its time has passed again.
    await agent.send(setTicketStatus, { ...pathOf(slow), body: { status: 'open' } })
    await tend()
    expect(await breaching()).toBe(before + 1)
    expect(await fresh('soon')).toHaveLength(2)
    await agent.send(setTicketStatus, { ...pathOf(slow), body: { status: 'closed' } })
  })

  it('is announced once by two processes at the same time', async () => {
    set('09:00')
    const id = await open()
    await agent.send(assignTicket, { ...pathOf(id), body: { workerId: (await agent.worker()).id } })
    set('10:30')
    const counts = [(await mails('soon')).length, (await mails('late')).length]
    await Promise.all([tend(), tend()])
    expect([(await mails('soon')).length, (await mails('late')).length]).toEqual([
      (counts[0] ?? 0) + 1,
      (counts[1] ?? 0) + 2,
    ])
    await respond(id, { status: 'closed' })
  })

  it('is not announced when it was late long before somebody looked', async () => {
    set('09:00')
    const id = await open()
    const count = (await mails('late')).length
    set('09:00', '2026-11-20')
    await tend()
    expect((await mails('late')).length).toBe(count)
    await respond(id, { status: 'closed' })
  })

  it('follows the time zone of the company', async () => {
    set('16:30')
    const id = await open()
    expect(await promiseOf(id)).toMatchObject({ dueAt: iso('09:30', '2026-11-18') })
    await sql`update company set time_zone = 'America/New_York'`.execute(server.db)
    await server.running.services.company.reload()
    await tend()
    expect(await promiseOf(id)).toMatchObject({ dueAt: iso('07:00', '2026-11-18') })
    await sql`update company set time_zone = 'America/Los_Angeles'`.execute(server.db)
    await server.running.services.company.reload()
    await tend()
    await respond(id, { status: 'closed' })
  })
})

describe('stored timers', () => {
  const kinds = ['ask', 'respond', 'close', 'open', 'high', 'low', 'snooze', 'wake'] as const
  const act = {
    ask: (id: number) => write(GOLD, id),
    respond: (id: number) => respond(id),
    close: (id: number) => agent.send(setTicketStatus, { ...pathOf(id), body: { status: 'closed' } }),
    open: (id: number) => agent.send(setTicketStatus, { ...pathOf(id), body: { status: 'open' } }),
    high: (id: number) => agent.send(setTicketPriority, { ...pathOf(id), body: { priority: 'high' } }),
    low: (id: number) => agent.send(setTicketPriority, { ...pathOf(id), body: { priority: 'low' } }),
    snooze: (id: number) => change(id, { snooze: { until: shift(server.clock.now(), 3 * HOUR).toISOString() } }),
    wake: () => wakeTickets(server.running.services),
  }

  it('equal a replay of the thread after any writes, also over a weekend and the change of clocks', async () => {
    const step = fc.record({ kind: fc.constantFrom(...kinds), after: fc.integer({ min: 1, max: 40 * 60 }) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 3, maxLength: 14 }),
        fc.constantFrom('2026-10-30T16:00:00-07:00', '2027-03-12T16:00:00-08:00', '2026-11-25T09:00:00-08:00'),
        async (steps, start) => {
          server.clock.set(start)
          const id = await open()
          for (const { kind, after } of steps) {
            server.clock.advance(after * MINUTE)
            const reply = await act[kind](id)
            // A snooze of a closed ticket is refused, and so on.
            if ('status' in reply) expect([200, 409]).toContain(reply.status)
          }
          const settings = await findSettings(server.db)
          if (!settings) throw new Error('There are no settings.')
          const thread = await findThreads(server.db, [id])
          const entries = thread.flatMap(({ at, what, kind, text }) =>
            what === 'event' ? (entryOf(kind, text, at) ?? []) : { at, kind: what },
          )
          const clocks = replay({ priority: 'medium', rank: 'Gold' }, entries, rulesOf(settings))
          const { rows } = await sql`
            select kind, started_at as "startedAt", priority, rank, version, target_ms as "targetMs", spent_ms as "spentMs",
              running_since as "runningSince", due_at as "dueAt", soon_at as "soonAt", ended_at as "endedAt", outcome
            from ticket_promises where ticket_id = ${id} order by started_at`.execute(server.db)
          expect(rows).toEqual(clocks)
          await act.close(id)
        },
      ),
      { numRuns: 12 },
    )
  })
})

describe('creating a ticket by hand', () => {
  it('makes a promise', async () => {
    set('09:00')
    const { body } = await agent.send(createTicket, {
      body: { customer_email: GOLD, subject: 'Keys', content: 'Lost', priority: 'high' },
    })
    expect(body.promise).toMatchObject({ priority: 'high', dueAt: iso('10:00') })
  })
})

describe('the history of promises', () => {
  const { first } = draftPromises().targets
  const changed = {
    week: draftPromises().week.with(6, { from: '10:00', to: '12:30' }),
    holidays: [...draftPromises().holidays, { day: '2026-12-26', name: 'Day of rest' }],
    targets: { ...draftPromises().targets, first: { ...first, low: { ...first.low, Gold: 90, Bronze: 60 } } },
  }
  const historyOf = async () =>
    (await lead.send(listHistory, { params: { kind: 'promises', id: SINGLE_ID } })).body.changes

  beforeAll(async () => {
    set('09:00', '2026-12-01')
    await save()
  })

  it('names the parts that changed, and restores one of the three', async () => {
    set('09:01', '2026-12-01')
    await save(changed)
    const [change] = await historyOf()
    expect(change?.values.map(({ label, from, to, restore }) => [label, from, to, restore?.list])).toEqual([
      [
        ...['Business hours', 'Sat: closed', 'Sat: 10:00 AM to 12:30 PM'],
        { adds: 'Sat: closed', removes: 'Sat: 10:00 AM to 12:30 PM' },
      ],
      ['Holidays', null, 'Day of rest (Dec 26, 2026)', { adds: null, removes: 'Day of rest (Dec 26, 2026)' }],
      [
        'Response targets',
        'First response, low priority, Gold: 8 h and First response, low priority, Bronze: none',
        'First response, low priority, Gold: 1 h 30 min and First response, low priority, Bronze: 1 h',
        expect.anything(),
      ],
    ])
    const holidays = change?.values.find(({ field }) => field === 'holidays')
    expect(holidays?.restore).toMatchObject({ isLatest: true })
    const restore = (now: string | null) =>
      lead.send(restoreValue, { ...pathOf(change?.id ?? 0), body: { field: 'holidays', now } })
    expect((await restore('Thanksgiving Day (Nov 26, 2026)')).failure.code).toBe('changed')
    expect((await restore(holidays?.restore?.now ?? null)).body.value).toBe('Thanksgiving Day (Nov 26, 2026)')
    const { body } = await lead.send(readPromises)
    expect(body).toMatchObject({ holidays: draftPromises().holidays, week: changed.week })
    await save()
  })

  it('says only that much changed', async () => {
    const none = { Platinum: null, Gold: null, Silver: null, Bronze: null }
    set('09:02', '2026-12-01')
    await save({ targets: { ...draftPromises().targets, first: { high: none, medium: none, low: none } } })
    expect((await historyOf())[0]?.values).toMatchObject([{ label: 'Response targets', from: null, to: null }])
    await save()
  })
})
