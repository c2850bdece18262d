import {
  createSavedReply,
  deleteSavedReply,
  listSavedReplies,
  MAX_SAVED_REPLIES,
  updateSavedReply,
} from '@limber/contract/support/saved-replies/saved-reply.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeSavedReply } from './saved-reply.factory.ts'

let server: TestServer
let agent: TestCaller
let lead: TestCaller
const id = (reply: { id: number }) => ({ params: { id: String(reply.id) } })
const draft = { name: 'Refund is on its way', content: 'Hello {first name},\n\nit takes three to five days.' }

beforeAll(async () => {
  server = await startTestServer()
  agent = server.as('tickets.handle')
  lead = server.as('tickets.handle', 'notifications.send')
})
beforeEach(() => server.db.deleteFrom('saved_replies').execute())
afterAll(() => server.stop())

const make = async (more: { name?: string; content?: string } = {}) =>
  makeSavedReply(server.db, { changed_by: (await lead.worker()).id, ...more })
const auditOf = (reply: { id: number }) =>
  server.db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .where('subject', '=', 'saved_reply')
    .where('subject_id', '=', String(reply.id))
    .orderBy('id')
    .execute()

describe('GET /api/support/saved-replies', () => {
  it('lists replies by name, ignoring case, with who changed them last', async () => {
    for (const name of ['rescheduling', 'Apology', 'Zones']) await make({ name })
    const { body } = await agent.send(listSavedReplies)
    expect(body.map(({ name }) => name)).toEqual(['Apology', 'rescheduling', 'Zones'])
    expect(body[0]).toMatchObject({ changedBy: expect.stringMatching(/^Worker/), version: 1 })
  })
  it('refuses workers who do not handle tickets', async () => {
    expect((await server.as('tickets.create', 'notifications.send').send(listSavedReplies)).status).toBe(403)
  })
})

describe('POST /api/support/saved-replies', () => {
  it('saves a text as typed, with an audit row', async () => {
    const { body } = await lead.send(createSavedReply, { body: { name: ` ${draft.name} `, content: draft.content } })
    expect(body).toMatchObject({ ...draft, version: 1 })
    expect((await agent.send(listSavedReplies)).body).toEqual([body])
    expect(await auditOf(body)).toEqual([{ action: 'saved_reply_created', before: null, after: draft }])
  })
  it('refuses a taken name in any case, and lets a reply keep its own', async () => {
    await make(draft)
    const other = await make({ name: 'Apology' })
    const name = draft.name.toUpperCase()
    const made = await lead.send(createSavedReply, { body: { ...draft, name } })
    const renamed = await lead.send(updateSavedReply, { ...id(other), body: { name, content: 'x', version: 1 } })
    for (const reply of [made, renamed])
      expect(reply).toMatchObject({ status: 409, failure: { error: 'Another saved reply has this name.' } })
    const own = await lead.send(updateSavedReply, { ...id(other), body: { name: 'APOLOGY', content: 'x', version: 1 } })
    expect(own.body.name).toBe('APOLOGY')
  })
  it('refuses more than 200', async () => {
    const { id: worker } = await lead.worker()
    await sql`insert into saved_replies (name, content, changed_by, changed_at)
      select 'Reply ' || n, 'x', ${worker}, now() from generate_series(1, ${MAX_SAVED_REPLIES}) n`.execute(server.db)
    const reply = await lead.send(createSavedReply, { body: draft })
    expect(reply).toMatchObject({ status: 422, failure: { code: 'too_many' } })
    expect((await agent.send(listSavedReplies)).body).toHaveLength(MAX_SAVED_REPLIES)
  })
  it('accepts one of two concurrent saves with the same name and tells the other why', async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, () => lead.send(createSavedReply, { body: draft })))
    const codes = replies.map(({ status, body, failure }) => (status === 200 ? body.name : failure.code)).toSorted()
    expect(codes).toEqual([draft.name, ...Array(5).fill('name_taken')])
  })
  it.each([
    { name: '', content: 'x' },
    { name: 'x'.repeat(81), content: 'x' },
    { name: 'two\nlines', content: 'x' },
    { name: 'x', content: '  ' },
    { name: 'x', content: 'x'.repeat(20_001) },
    { ...draft, version: 1 },
  ])('refuses %#', async (body) => {
    expect((await lead.send(createSavedReply, { body: body as never })).status).toBe(400)
  })
})

describe('PUT /api/support/saved-replies/{id}', () => {
  it('changes name and text, with the previous values in the audit row', async () => {
    const reply = await make({ name: 'Old', content: 'Before' })
    const { body } = await lead.send(updateSavedReply, { ...id(reply), body: { ...draft, version: reply.version } })
    expect(body).toMatchObject({ ...draft, version: 2 })
    const before = { name: 'Old', content: 'Before' }
    expect(await auditOf(reply)).toEqual([{ action: 'saved_reply_changed', before, after: draft }])
  })
  it('refuses a stale version with the current reply', async () => {
    const reply = await make()
    await lead.send(updateSavedReply, { ...id(reply), body: { ...draft, version: 1 } })
    const late = await lead.send(updateSavedReply, { ...id(reply), body: { name: 'Late', content: 'x', version: 1 } })
    expect(late).toMatchObject({ status: 409, failure: { code: 'stale', current: { ...draft, version: 2 } } })
  })
  it('accepts one of two concurrent renames to the same name and tells the other why', async () => {
    const replies = [await make(), await make(), await make(), await make()]
    const sent = await Promise.all(
      replies.map((reply) => lead.send(updateSavedReply, { ...id(reply), body: { ...draft, version: 1 } })),
    )
    const codes = sent.map(({ status, body, failure }) => (status === 200 ? body.name : failure.code)).toSorted()
    expect(codes).toEqual([draft.name, ...Array(3).fill('name_taken')])
  })
  it('requires a version', async () => {
    const reply = await make()
    expect((await lead.send(updateSavedReply, { ...id(reply), body: draft as never })).status).toBe(400)
  })
})

describe('DELETE /api/support/saved-replies/{id}', () => {
  it('deletes it once', async () => {
    const reply = await make(draft)
    expect((await lead.send(deleteSavedReply, id(reply))).body).toEqual({ id: reply.id })
    expect((await agent.send(listSavedReplies)).body).toEqual([])
    expect(await auditOf(reply)).toEqual([
      { action: 'saved_reply_deleted', before: { ...draft, uses: 0, version: 1 }, after: null },
    ])
    expect((await lead.send(deleteSavedReply, id(reply))).status).toBe(404)
  })
})

it('lets leads maintain them and agents only use them', async () => {
  const reply = await make()
  const replies = await Promise.all([
    agent.send(createSavedReply, { body: draft }),
    agent.send(updateSavedReply, { ...id(reply), body: { ...draft, version: 1 } }),
    agent.send(deleteSavedReply, id(reply)),
    lead.send(updateSavedReply, { params: { id: '999999' }, body: { ...draft, version: 1 } }),
  ])
  expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 404])
})
