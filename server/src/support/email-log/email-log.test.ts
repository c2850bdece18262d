import { listEmailLogs, revealEmail } from '@limber/contract/support/email-log/email-log.ts'
import { createTicket } from '@limber/contract/support/tickets/ticket.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeKeyring } from '#platform/security/secrets.ts'
import { findStoredReplies } from '#platform/testing/testing.stored-replies.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { insertEmailLogs } from './email-log.queries.ts'
import { sealEmail } from './email-log.seal.ts'
import { resealEmails } from './reseal-emails.ts'

const OLD = 'an-older-secret-key-0123456789-abcdefghijklmnop'
let server: TestServer
let caller: TestCaller
const reason = 'The customer asks what we wrote'
const of = (id: number) => ({ params: { id: String(id) } })

async function log(to: string, secret?: string) {
  const { keyring, clock, db } = server.running.services
  const content = { text: 'canary text', html: '<p>canary text</p>' }
  await insertEmailLogs(db, [
    {
      customer_id: null,
      from_address: 'Limber <no-reply@example.com>',
      ...sealEmail(secret ? makeKeyring(secret) : keyring, to, content),
      subject: 'Hello',
      type: 'receipt',
      outbox_key: null,
      created_at: clock.now(),
    },
  ])
  return (await caller.send(listEmailLogs)).body.data[0]?.id ?? 0
}

beforeAll(async () => {
  server = await startTestServer({ env: { SECRET_KEYS_OLD: OLD } })
  caller = server.asSteppedUp('support.tab')
  const body = { customer_email: 'canary-to@example.com', subject: 'Subject', content: 'canary content' }
  for (let n = 0; n < 12; n++) await server.as('tickets.create').send(createTicket, { body })
})
afterAll(() => server.stop())

describe('GET /api/support/email-logs', () => {
  it('pages emails by ten, with recipients and contents encrypted', async () => {
    const { body, text } = await caller.send(listEmailLogs)
    expect(body.pagination).toEqual({ page: 1, limit: 10, totalItems: 12, totalPages: 2 })
    expect(body.data[0]).toMatchObject({
      type: 'ticket_confirmation',
      html_content: '[Encrypted Content]',
      iv_html_content: expect.stringMatching(/^.{16}$/),
    })
    expect(text).not.toContain('canary')
    expect((await caller.send(listEmailLogs, { query: { page: '2' } })).body.data).toHaveLength(2)
  })
  it('filters by complete recipient address and by type', async () => {
    await log('somebody@example.com')
    const found = await caller.send(listEmailLogs, { query: { recipient: ' Somebody@example.com' } })
    expect(found.body.pagination.totalItems).toBe(1)
    expect((await caller.send(listEmailLogs, { query: { type: 'receipt' } })).body.data).toHaveLength(1)
    expect((await caller.send(listEmailLogs, { query: { recipient: 'some%@example.com' } })).body.data).toEqual([])
  })
  it('filters by days of the company calendar, both included', async () => {
    // 10:30 PM on March 3 in Los Angeles, and half past midnight on March 5.
    const times = ['2026-03-04T06:30:00Z', '2026-03-05T08:30:00Z']
    const ids: number[] = []
    for (const at of times) {
      const id = await log('days@example.com')
      await server.db
        .updateTable('email_logs')
        .set({ created_at: new Date(at) })
        .where('id', '=', id)
        .execute()
      ids.push(id)
    }
    const [evening, night] = ids
    const found = async (query: object) => {
      const reply = await caller.send(listEmailLogs, { query: { recipient: 'days@example.com', ...query } })
      expect(reply.body.pagination.totalItems).toBe(reply.body.data.length)
      return reply.body.data.map(({ id }) => id)
    }
    expect(await found({ from: '2026-03-03', to: '2026-03-03' })).toEqual([evening])
    expect(await found({ from: '2026-03-04', to: '2026-03-04' })).toEqual([])
    expect(await found({ from: '2026-03-05' })).toEqual([night])
    expect(await found({ to: '2026-03-05' })).toEqual([night, evening])
    expect(await found({ from: '2026-03-05', to: '2026-03-03' })).toEqual([])
  })
  it('filters by delivery, as each row shows it', async () => {
    const states = ['waiting', 'sent', 'dead', 'discarded', null] as const
    const { db, clock } = server.running.services
    for (const [place, state] of states.entries()) {
      const id = await log('delivery@example.com')
      const key = `delivery-${place}`
      await db.updateTable('email_logs').set({ outbox_key: key }).where('id', '=', id).execute()
      if (state)
        await sql`insert into outbox (channel, key, payload, about, state, created_at, next_try_at)
          values ('none', ${key}, '{}', 'a mail', ${state}, ${clock.now()}, ${clock.now()})`.execute(db)
    }
    const find = async (delivery: string) => {
      const query = { recipient: 'delivery@example.com', delivery: delivery as never }
      return (await caller.send(listEmailLogs, { query })).body.data.map((row) => row.delivery)
    }
    expect(await find('')).toHaveLength(5)
    expect(await find('waiting')).toEqual(['waiting'])
    expect(await find('failed')).toEqual(['failed', 'failed'])
    expect(await find('sent')).toEqual(['sent', 'sent'])
  })
  it.each([
    { page: '0' },
    { page: '-1' },
    { page: '1e9' },
    { type: 'spam' },
    { recipient: '%' },
    { from: '2026-02-30' },
    { delivery: 'lost' },
  ])('refuses %j', async (query) => {
    expect((await caller.send(listEmailLogs, { query: query as never })).status).toBe(400)
  })
})

describe('POST /api/support/email-logs/{id}/reveal', () => {
  it('reveals one email with a reason; the audit log contains none of its text', async () => {
    const id = await log('canary-reveal@example.com')
    const headers = { 'idempotency-key': 'reveal-0001' }
    const { body } = await caller.send(revealEmail, { ...of(id), body: { reason } }, { headers })
    expect(await findStoredReplies(server.db, 'reveal-0001')).toEqual([])
    expect(body).toMatchObject({ id, to_address: 'canary-reveal@example.com', text: 'canary text' })
    const audit = await server.db.selectFrom('audit_log').selectAll().where('action', '=', 'email_revealed').execute()
    expect(audit).toMatchObject([{ subject_id: String(id), reason }])
    expect(JSON.stringify(audit)).not.toContain('canary')
  })
  it('requires a passkey, a reason and the permission', async () => {
    const id = await log('x@example.com')
    const plain = await server.as('support.tab').send(revealEmail, { ...of(id), body: { reason } })
    expect(plain).toMatchObject({ status: 403, failure: { code: 'step_up_required' } })
    expect((await caller.send(revealEmail, { ...of(id), body: { reason: ' ' } })).status).toBe(400)
    expect((await server.asSteppedUp('users.overview').send(revealEmail, { ...of(id), body: { reason } })).status).toBe(
      403,
    )
    expect((await caller.send(revealEmail, { ...of(999_999), body: { reason } })).status).toBe(404)
  })
  it('says when the key is missing or the content was erased', async () => {
    const lost = await log('x@example.com', 'a-key-that-nobody-has-any-more-0123456789')
    expect((await caller.send(revealEmail, { ...of(lost), body: { reason } })).failure.code).toBe('no_key')
    const id = await log('y@example.com')
    await server.db.updateTable('email_logs').set({ content_sealed: null }).where('id', '=', id).execute()
    expect((await caller.send(revealEmail, { ...of(id), body: { reason } })).failure.code).toBe('erased')
  })
  it('opens emails sealed with an older key; after a rotation they are found by address again', async () => {
    const id = await log('canary-old@example.com', OLD)
    expect((await caller.send(revealEmail, { ...of(id), body: { reason } })).body.text).toBe('canary text')
    const find = async () =>
      (await caller.send(listEmailLogs, { query: { recipient: 'canary-old@example.com' } })).body.pagination.totalItems
    expect(await find()).toBe(0)
    expect(await resealEmails(server.running.services)).toEqual({ resealed: 1, left: 1 })
    expect(await find()).toBe(1)
    expect((await caller.send(revealEmail, { ...of(id), body: { reason } })).body.to_address).toBe(
      'canary-old@example.com',
    )
  })
})
