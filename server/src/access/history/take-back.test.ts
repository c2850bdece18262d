import { restoreValue, undoChange } from '@limber/contract/access/history/history.ts'
import { createBlock, deleteBlock } from '@limber/contract/businesses/blocks/block.ts'
import { archiveBusiness } from '@limber/contract/businesses/business/business.ts'
import { createLead, editLead, noteLead } from '@limber/contract/marketing/leads/lead.ts'
import { createView, deleteView, updateView } from '@limber/contract/support/queues/queue.ts'
import { createSavedReply, deleteSavedReply } from '@limber/contract/support/saved-replies/saved-reply.ts'
import { createTask, setTaskDone } from '@limber/contract/support/tickets/ticket-task.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeBlock, makeBusiness, makeSession } from '#businesses/business/business.factory.ts'
import { makeLead } from '#marketing/leads/lead.factory.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeTicket } from '#support/tickets/ticket.factory.ts'

let server: TestServer
let boss: TestCaller
beforeAll(async () => {
  server = await startTestServer()
  boss = server.asOwner()
})
afterAll(() => server.stop())

const of = (id: number) => ({ params: { id: String(id) } })

const undo = (reply: { headers: Headers }, caller = boss) =>
  caller.send(undoChange, { body: { request: reply.headers.get('x-request-id') ?? '' } })

async function lastChange(action: string): Promise<number> {
  const { rows } = await sql<{
    id: number
  }>`select id from audit_log where action = ${action} order by id desc limit 1`.execute(server.db)
  return rows[0]?.id ?? 0
}

it('puts a deleted block back under its id, with its canceled sessions and a line in the ledger', async () => {
  const { db, clock } = server
  const block = await makeBlock(db, { internal_label: 'Fall' })
  const session = await makeSession(db, { block_id: block.id, business_id: block.business_id, starts_at: clock.now() })
  await sql`update onsite_sessions set cancelled_at = now(), cancel_reason = 'Ill' where id = ${session.id}`.execute(db)
  await sql`update prepaid_blocks set used_at = null where id = ${block.id}`.execute(db)
  const read = () =>
    sql`select b.*, s.block_id from prepaid_blocks b join onsite_sessions s on s.block_id = b.id
    where b.id = ${block.id}`.execute(db)
  const before = (await read()).rows
  expect(before).toHaveLength(1)
  const reply = await boss.send(deleteBlock, { body: { block_id: block.id } })
  expect((await read()).rows).toEqual([])
  expect((await undo(reply)).body).toEqual({ undone: 1 })
  expect((await read()).rows).toEqual(before)
  const { rows } = await sql<{ kind: string }>`
    select kind from block_entries where block_id = ${block.id} order by id`.execute(db)
  expect(rows.map(({ kind }) => kind).slice(-2)).toEqual(['withdrawn', 'granted'])
  // It is there now.
  expect(await undo(reply)).toMatchObject({ status: 409, body: { code: 'in_the_way' } })
})

it('does not put a block back into an archived business, nor for those who may not delete it', async () => {
  const { id } = await makeBusiness(server.db)
  const { body: block } = await boss.send(createBlock, {
    body: { business_id: id, block_hours: 4, slot_length_minutes: 20, internal_label: '' },
  })
  const reply = await boss.send(deleteBlock, { body: { block_id: block.id } })
  const change = await lastChange('block_deleted')
  expect((await server.as('growth.tab').send(undoChange, { body: { change } })).status).toBe(403)
  expect((await boss.send(archiveBusiness, { body: { id } })).status).toBe(200)
  expect(await undo(reply)).toMatchObject({ status: 409, body: { code: 'changed' } })
})

it('does not put a saved reply back when its name is taken', async () => {
  const body = { name: 'Parking', content: 'Behind the house' }
  const { body: first } = await boss.send(createSavedReply, { body })
  const reply = await boss.send(deleteSavedReply, of(first.id))
  const { body: second } = await boss.send(createSavedReply, { body: { ...body, name: 'PARKING' } })
  expect(await undo(reply)).toMatchObject({ status: 409, body: { code: 'changed' } })
  await boss.send(deleteSavedReply, of(second.id))
  expect((await undo(reply)).status).toBe(200)
  const row = await server.db.selectFrom('saved_replies').select(['id', 'name']).executeTakeFirst()
  expect(row).toEqual({ id: first.id, name: 'Parking' })
})

it('puts an own view back, and undoes its change, only for its owner', async () => {
  const draft = {
    isShared: true,
    queue: 'high',
    status: null,
    priority: null,
    kind: null,
    assignee: null,
    tag: null,
  } as const
  const { body: view } = await boss.send(createView, { body: { ...draft, name: 'Urgent' } })
  const change = { ...draft, name: 'Later', queue: null, kind: 'refund', version: view.version } as const
  const changed = await boss.send(updateView, { ...of(view.id), body: change })
  const other = server.as('tickets.handle')
  const byOther = async (action: string) =>
    (await other.send(undoChange, { body: { change: await lastChange(action) } })).status
  expect(await byOther('ticket_view_changed')).toBe(403)
  expect((await undo(changed)).status).toBe(200)
  const { rows: before } = await sql`select * from ticket_views where id = ${view.id}`.execute(server.db)
  expect(before).toMatchObject([{ name: 'Urgent', queue: 'high', kind: null }])
  const deleted = await boss.send(deleteView, of(view.id))
  expect(await byOther('ticket_view_deleted')).toBe(409)
  expect((await undo(deleted)).status).toBe(200)
  expect((await sql`select * from ticket_views where id = ${view.id}`.execute(server.db)).rows).toEqual(before)
})

it('deletes an added lead until someone changes it or notes something', async () => {
  const { workerId } = { workerId: (await boss.worker()).id }
  const add = (first_name: string) =>
    boss.send(createLead, {
      body: { first_name, email: `${first_name}@example.com`, phone: null, source: 'manual', note: 'Called us' },
    })
  const isThere = async (id: number) =>
    (await server.db.selectFrom('leads').select('id').where('id', '=', id).execute()).length === 1
  const [fresh, edited, noted] = [await add('ana'), await add('ben'), await add('cleo')]
  expect((await undo(fresh)).status, fresh.text).toBe(200)
  expect(await isThere(fresh.body.lead.id)).toBe(false)
  await boss.send(editLead, { ...of(edited.body.lead.id), body: { first_name: 'Benjamin' } })
  expect(await undo(edited)).toMatchObject({ status: 409, body: { code: 'changed' } })
  server.clock.advance(60_000)
  await boss.send(noteLead, { ...of(noted.body.lead.id), body: { note: 'Wants a call', workerId } })
  expect(await undo(noted)).toMatchObject({ status: 409, body: { code: 'in_the_way' } })
  const { rows } = await sql<{ content: string }>`
    select content from lead_notes where lead_id = ${noted.body.lead.id} order by id`.execute(server.db)
  expect(rows.map(({ content }) => content)).toEqual(['Called us', 'Wants a call'])
})

it('deletes a call-back until it is checked off', async () => {
  const ticket = await makeTicket(server.db)
  const body = { dueOn: '2030-01-07', workerId: (await boss.worker()).id }
  const reply = await boss.send(createTask, { ...of(ticket.id), body })
  await boss.send(setTaskDone, { ...of(reply.body.id), body: { isDone: true } })
  expect(await undo(reply)).toMatchObject({ status: 409, body: { code: 'changed' } })
  await boss.send(setTaskDone, { ...of(reply.body.id), body: { isDone: false } })
  expect((await undo(reply)).status).toBe(200)
  expect(await server.db.selectFrom('ticket_tasks').select('id').where('id', '=', reply.body.id).execute()).toEqual([])
})

it('says that something is in the way when a rule of the database refuses at the end, and changes nothing', async () => {
  const lead = await makeLead(server.db, { first_name: 'Jon' })
  const reply = await boss.send(editLead, { ...of(lead.id), body: { first_name: 'John' } })
  await sql`create function refuse_jon() returns trigger language plpgsql as $$
    begin raise exception 'No Jon'; end $$`.execute(server.db)
  await sql`create constraint trigger no_jon after update on leads deferrable initially deferred for each row
    when (new.first_name = 'Jon') execute function refuse_jon()`.execute(server.db)
  const change = await lastChange('lead_edited')
  const restore = { ...of(change), body: { field: 'first_name', now: 'John' } }
  for (const refused of [await undo(reply), await boss.send(restoreValue, restore)])
    expect(refused).toMatchObject({
      status: 409,
      body: { error: 'Something that was added or changed since is in the way. Nothing was changed.' },
    })
  await sql`drop trigger no_jon on leads`.execute(server.db)
  const row = await server.db.selectFrom('leads').select('first_name').where('id', '=', lead.id).executeTakeFirst()
  expect(row).toEqual({ first_name: 'John' })
})
