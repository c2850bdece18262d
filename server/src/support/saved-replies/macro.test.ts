import { removeTag } from '@limber/contract/support/queues/tag.ts'
import { type MacroAction, previewMacro } from '@limber/contract/support/saved-replies/macro.ts'
import {
  createSavedReply,
  listSavedReplies,
  updateSavedReply,
} from '@limber/contract/support/saved-replies/saved-reply.ts'
import { readTicket, respondToTicket } from '@limber/contract/support/tickets/ticket.ts'
import { listMyTasks, MAX_OPEN_TASKS, setTaskDone } from '@limber/contract/support/tickets/ticket-task.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY, shift } from '#platform/clock.ts'
import { saveLimits } from '#platform/security/limits-setting.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeBooking } from '../customers/booking.factory.ts'
import { makeCreditEntry } from '../customers/credit-entry.factory.ts'
import { makeCustomer } from '../customers/customer.factory.ts'
import { makeTag } from '../queues/queue.factory.ts'
import { makeTicket } from '../tickets/ticket.factory.ts'
import { makeSavedReply } from './saved-reply.factory.ts'

let server: TestServer
let agent: TestCaller
let plain: TestCaller
let lead: TestCaller
beforeAll(async () => {
  server = await startTestServer()
  agent = server.as('tickets.handle', 'users.overview')
  plain = server.as('tickets.handle')
  lead = server.as('tickets.handle', 'notifications.send')
})
beforeEach(() => server.db.deleteFrom('saved_replies').execute())
afterAll(() => server.stop())

const makeMacro = async (actions: readonly MacroAction[], more: { name?: string } = {}) =>
  makeSavedReply(server.db, { changed_by: (await lead.worker()).id, actions, ...more })

async function makeCase(credits = 3) {
  const customer = await makeCustomer(server.db)
  if (credits > 0) await makeCreditEntry(server.db, { customer_id: customer.id, delta: credits })
  const ticket = await makeTicket(server.db, { customer_id: customer.id, customer_email: customer.email })
  return { customer, ticket }
}
type Ticket = { id: number; version: number }
const pathOf = ({ id }: { id: number }) => ({ params: { id: String(id) } })

async function run(caller: TestCaller, ticket: Ticket, macro: { id: number; version: number }, actions: number[]) {
  const { id: workerId } = await caller.worker()
  return caller.send(respondToTicket, {
    ...pathOf(ticket),
    body: { message: 'Sorry', workerId, macro: { id: macro.id, version: macro.version, actions } },
  })
}
const preview = async (caller: TestCaller, ticket: Ticket, macro: { id: number }) =>
  (await caller.send(previewMacro, { params: { id: String(ticket.id), reply: String(macro.id) } })).body
const creditsOf = async ({ id }: { id: number }) =>
  (await server.db.selectFrom('customers').select('credits').where('id', '=', id).executeTakeFirst())?.credits
const read = async (ticket: Ticket) => (await plain.send(readTicket, pathOf(ticket))).body
const mailsOf = ({ id }: Ticket) =>
  server.db.selectFrom('outbox').select('id').where('about', '=', `ticket ${id}: reply`).execute()

describe('a saved reply with actions', () => {
  it('does them with the response, in one transaction', async () => {
    const { customer, ticket } = await makeCase()
    const tag = await makeTag(server.db)
    const other = await lead.worker()
    const macro = await makeMacro(
      [
        { type: 'status', status: 'in_progress' },
        { type: 'tag', tag: tag.id },
        { type: 'assign', worker: other.id },
        { type: 'credits', credits: 2 },
        { type: 'callback', days: 3 },
      ],
      { name: 'Short session' },
    )
    const { body, status } = await run(agent, ticket, macro, [0, 1, 2, 3, 4])
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'in_progress', tags: [{ id: tag.id }], assignee: { id: other.id } })
    expect(body.messages.at(-1)).toMatchObject({ from_customer: false, content: 'Sorry' })
    expect(await mailsOf(ticket)).toHaveLength(1)
    expect(await creditsOf(customer)).toBe(5)
    const { body: tasks } = await agent.send(listMyTasks)
    expect(tasks.filter((task) => task.ticket.id === ticket.id)).toMatchObject([{ kind: 'callback', isDone: false }])
    expect((await agent.send(listSavedReplies)).body[0]).toMatchObject({ uses: 1, version: macro.version })
    const audits = await server.db
      .selectFrom('audit_log')
      .select('action')
      .where('subject_id', 'in', [String(ticket.id), String(customer.id)])
      .where('subject', 'in', ['ticket', 'customer'])
      .orderBy('id')
      .execute()
    expect(audits.map(({ action }) => action)).toEqual([
      'ticket_status',
      'ticket_tagged',
      'ticket_assigned',
      'credits_adjusted',
      'ticket_task_booked',
      'ticket_replied',
    ])
    const entry = await server.db
      .selectFrom('credit_entries')
      .select(['reason', 'worker_id'])
      .where('customer_id', '=', customer.id)
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(entry).toEqual({ reason: `Ticket ${ticket.id}: Short session`, worker_id: (await agent.worker()).id })
  })

  it('runs only the chosen actions', async () => {
    const { customer, ticket } = await makeCase()
    const macro = await makeMacro([
      { type: 'credits', credits: 2 },
      { type: 'status', status: 'closed' },
    ])
    expect((await run(agent, ticket, macro, [1])).body.status).toBe('closed')
    expect(await creditsOf(customer)).toBe(3)
  })

  it('does nothing at all when one action cannot be done, and says why', async () => {
    const { customer, ticket } = await makeCase()
    const macro = await makeMacro([
      { type: 'status', status: 'closed' },
      { type: 'credits', credits: 2 },
    ])
    const steps = (await preview(plain, ticket, macro)).steps
    expect(steps.map(({ problem }) => problem)).toEqual([null, 'You may not change credits.'])
    const refused = await run(plain, ticket, macro, [0, 1])
    expect(refused).toMatchObject({
      status: 409,
      failure: { code: 'macro_blocked', error: 'Nothing was sent. Grant 2 credits: You may not change credits.' },
    })
    expect(await read(ticket)).toMatchObject({ status: 'open', version: ticket.version, messageCount: 1 })
    expect(await creditsOf(customer)).toBe(3)
    expect(await mailsOf(ticket)).toEqual([])
    expect((await agent.send(listSavedReplies)).body[0]?.uses).toBe(0)
  })

  it('needs a passkey above the limit for credits, and sends nothing without it', async () => {
    const { customer, ticket } = await makeCase()
    const macro = await makeMacro([{ type: 'credits', credits: 2 }])
    await saveLimits(server.db, { creditsPerDay: 1 }, server.clock.now())
    try {
      expect((await preview(agent, ticket, macro)).steps).toEqual([
        { type: 'credits', text: 'Grant 2 credits', detail: '3 to 5', needsPasskey: true, problem: null },
      ])
      const refused = await run(agent, ticket, macro, [0])
      expect([refused.status, refused.failure.code]).toEqual([403, 'step_up_required'])
      expect([await creditsOf(customer), await mailsOf(ticket)]).toEqual([3, []])
      const sure = server.asSteppedUp('tickets.handle', 'users.overview')
      expect((await run(sure, ticket, macro, [0])).status).toBe(200)
      expect(await creditsOf(customer)).toBe(5)
    } finally {
      await saveLimits(server.db, { creditsPerDay: 200 }, server.clock.now())
    }
  })

  it('is refused when someone changed it, or when an action is not there', async () => {
    const { ticket } = await makeCase()
    const macro = await makeMacro([{ type: 'status', status: 'closed' }])
    for (const [version, actions] of [
      [macro.version + 1, [0]],
      [macro.version, [1]],
      [macro.version, [0, 0]],
    ] as const) {
      const refused = await run(agent, ticket, { ...macro, version }, [...actions])
      expect([refused.status, refused.failure.code]).toEqual([409, 'macro_changed'])
    }
    expect(await mailsOf(ticket)).toEqual([])
  })

  it('grants once when the response is sent twice at the same moment', async () => {
    const { customer, ticket } = await makeCase()
    const macro = await makeMacro([{ type: 'credits', credits: 2 }])
    const { id: workerId } = await agent.worker()
    const body = {
      message: 'Sorry',
      workerId,
      version: ticket.version,
      macro: { id: macro.id, version: macro.version, actions: [0] },
    }
    const replies = await Promise.all([1, 2, 3].map(() => agent.send(respondToTicket, { ...pathOf(ticket), body })))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(await creditsOf(customer)).toBe(5)
  })
})

describe('the preview', () => {
  it('says what is so already and what cannot be done', async () => {
    const tags = await Promise.all(Array.from({ length: 12 }, () => makeTag(server.db)))
    const [has, gone, extra, ...rest] = tags.map(({ id }) => id)
    await server.db
      .updateTable('ticket_tags')
      .set({ removed_at: server.clock.now() })
      .where('id', '=', gone ?? 0)
      .execute()
    const ticket = await makeTicket(server.db, { tags: [has ?? 0, ...rest], customer_email: 'nobody@example.com' })
    const stranger = server.as('support.tab')
    const macro = await makeMacro([
      { type: 'status', status: 'open' },
      { type: 'tag', tag: has ?? 0 },
      { type: 'tag', tag: gone ?? 0 },
      { type: 'tag', tag: extra ?? 0 },
      { type: 'assign', worker: (await stranger.worker()).id },
      { type: 'credits', credits: 1 },
    ])
    const { steps } = await preview(agent, ticket, macro)
    expect(steps.map(({ detail, problem }) => problem ?? detail)).toEqual([
      'already so',
      'already so',
      'This tag does not exist anymore.',
      'The ticket has 10 tags.',
      'This worker may not handle tickets.',
      'No account has the address of this ticket.',
    ])
    expect(steps[5]?.text).toBe('Grant 1 credit')
  })

  it('gives the values for placeholders, sessions only to those who may see accounts', async () => {
    const { customer, ticket } = await makeCase()
    const stretcher = await makeStretcher(server.db, { first_name: 'Renata' })
    const starts_at = shift(server.clock.now(), 2 * DAY)
    await makeBooking(server.db, {
      customer_id: customer.id,
      stretcher_id: stretcher.id,
      status: 'confirmed',
      starts_at,
    })
    const macro = await makeMacro([{ type: 'credits', credits: 2 }])
    expect((await preview(agent, ticket, macro)).facts).toEqual({
      credits: 2,
      stretcher: 'Renata',
      nextSession: starts_at.toISOString(),
    })
    expect((await preview(plain, ticket, macro)).facts).toEqual({ credits: 2, stretcher: null, nextSession: null })
  })

  it('refuses what does not exist, and workers who do not handle tickets', async () => {
    const { ticket } = await makeCase()
    const macro = await makeMacro([])
    const ask = (caller: TestCaller, id: number, reply: number) =>
      caller.send(previewMacro, { params: { id: String(id), reply: String(reply) } })
    expect((await ask(agent, 999_999, macro.id)).failure.code).toBe('not_found')
    expect((await ask(agent, ticket.id, 999_999)).failure.code).toBe('no_reply')
    expect((await ask(server.as('users.overview'), ticket.id, macro.id)).status).toBe(403)
  })
})

describe('the actions of a saved reply', () => {
  const draft = { name: 'Apology', content: 'Sorry' }
  it('are stored, changed, and kept when left out', async () => {
    const actions: MacroAction[] = [{ type: 'status', status: 'closed' }]
    const { body } = await lead.send(createSavedReply, { body: { ...draft, actions } })
    expect(body).toMatchObject({ actions, uses: 0 })
    const kept = await lead.send(updateSavedReply, { ...pathOf(body), body: { ...draft, version: 1 } })
    expect(kept.body.actions).toEqual(actions)
    const cleared = await lead.send(updateSavedReply, { ...pathOf(body), body: { ...draft, actions: [], version: 2 } })
    expect(cleared.body.actions).toEqual([])
  })
  it.each<[string, unknown]>([
    [
      'the same twice',
      [
        { type: 'credits', credits: 1 },
        { type: 'credits', credits: 2 },
      ],
    ],
    ['too many', Array.from({ length: 9 }, (_, tag) => ({ type: 'tag', tag: tag + 1 }))],
    ['of no kind', [{ type: 'email' }]],
    ['with too many credits', [{ type: 'credits', credits: 51 }]],
    ['with a day too far', [{ type: 'callback', days: 91 }]],
  ])('are refused: %s', async (_, actions) => {
    expect((await lead.send(createSavedReply, { body: { ...draft, actions: actions as never } })).status).toBe(400)
  })
  it('must name a tag and a worker that can be used, unless they were there before', async () => {
    const gone: MacroAction = { type: 'tag', tag: 999_999 }
    const created = await lead.send(createSavedReply, { body: { ...draft, actions: [gone] } })
    expect([created.status, created.failure.code]).toEqual([422, 'bad_action'])
    const macro = await makeMacro([gone])
    const body = { ...draft, version: 1 }
    expect((await lead.send(updateSavedReply, { ...pathOf(macro), body: { ...body, actions: [gone] } })).status).toBe(
      200,
    )
    const { id: worker } = await server.as('support.tab').worker()
    const actions: MacroAction[] = [gone, { type: 'assign', worker }]
    const changed = await lead.send(updateSavedReply, { ...pathOf(macro), body: { ...draft, actions, version: 2 } })
    expect(changed.failure.code).toBe('bad_action')
  })
  it('follow a tag that is merged or deleted, in their order', async () => {
    const [from, into] = [await makeTag(server.db), await makeTag(server.db)]
    const actions = (tags: number[]): MacroAction[] => [
      ...tags.map((tag) => ({ type: 'tag' as const, tag })),
      { type: 'status', status: 'closed' },
    ]
    const one = await makeMacro(actions([from.id]))
    const both = await makeMacro(actions([from.id, into.id]))
    await lead.send(removeTag, { ...pathOf(from), body: { into: into.id, version: from.version } })
    const now = async ({ id }: { id: number }) =>
      (await lead.send(listSavedReplies)).body.find((reply) => reply.id === id)?.actions
    expect([await now(one), await now(both)]).toEqual([actions([into.id]), actions([into.id])])
    await lead.send(removeTag, { ...pathOf(into), body: { into: null, version: into.version } })
    expect(await now(one)).toEqual(actions([]))
  })
})

describe('a call-back task', () => {
  it('is checked off and opened again', async () => {
    const { ticket } = await makeCase()
    const caller = server.as('tickets.handle')
    const macro = await makeMacro([{ type: 'callback', days: 0 }])
    await run(caller, ticket, macro, [0])
    const [task] = (await caller.send(listMyTasks)).body
    const set = (isDone: boolean) => caller.send(setTaskDone, { ...pathOf(task ?? { id: 0 }), body: { isDone } })
    expect((await set(true)).body.isDone).toBe(true)
    expect((await caller.send(listMyTasks)).body).toEqual([])
    expect((await set(false)).body.isDone).toBe(false)
    expect((await caller.send(listMyTasks)).body).toHaveLength(1)
    expect((await caller.send(setTaskDone, { params: { id: '999999' }, body: { isDone: true } })).status).toBe(404)
    expect((await server.as('users.overview').send(listMyTasks)).status).toBe(403)
  })
  it('is refused beyond a limit', async () => {
    const { ticket } = await makeCase()
    const caller = server.as('tickets.handle')
    const { id } = await caller.worker()
    await sql`insert into ticket_tasks (ticket_id, worker_id, kind, due_on, created_by, created_at)
      select ${ticket.id}, ${id}, 'callback', '2026-12-01', ${id}, now() from generate_series(1, ${MAX_OPEN_TASKS})`.execute(
      server.db,
    )
    const macro = await makeMacro([{ type: 'callback', days: 0 }])
    expect((await preview(caller, ticket, macro)).steps[0]?.problem).toBe('You have 100 open tasks.')
    expect((await run(caller, ticket, macro, [0])).failure.code).toBe('macro_blocked')
  })
})
