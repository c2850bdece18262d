import { mergeLeads } from '@limber/contract/marketing/leads/lead-merge.ts'
import { exportUser, mergeUsers } from '@limber/contract/support/customers/account.ts'
import { addNote } from '@limber/contract/support/customers/note.ts'
import { createTicket } from '@limber/contract/support/tickets/ticket.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSession } from '#businesses/business/business.factory.ts'
import { makeCertification } from '#certifications/certification.factory.ts'
import { makeLead } from '#marketing/leads/lead.factory.ts'
import { DAY, shift } from '#platform/clock.ts'
import { findStoredReplies } from '#platform/testing/testing.stored-replies.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCourse } from '#training/training.factory.ts'
import { makeText } from '../texts/text.factory.ts'
import { makeTicket } from '../tickets/ticket.factory.ts'
import { of, reason } from './account-action.testing.ts'
import { makeCustomer } from './customer.factory.ts'

let server: TestServer
let caller: TestCaller
const past = (n: number) => shift(server.clock.now(), -n * DAY)

beforeAll(async () => {
  server = await startTestServer()
  caller = server.asSteppedUp('users.overview')
})
afterAll(() => server.stop())

const ask = (customer: { id: number }, who: TestCaller) =>
  who.send(exportUser, { ...of(customer), body: { reason } }, { headers: { 'idempotency-key': 'export-0001' } })

describe('POST /api/support/users/:id/export', () => {
  it('exports the account, and messages only with their permissions', async () => {
    const phone = '+19515550777'
    const customer = await makeCustomer(server.db, { credits: 1, phone })
    await makeTicket(server.db, { customer_id: customer.id, subject: 'canary-ticket' })
    await makeText(server.db, { from_number: phone, body: 'canary-text' })
    const body = { customer_email: customer.email, subject: 'canary-mail', content: 'Hello' }
    await server.as('tickets.create').send(createTicket, { body })
    await server.running.courier.run()
    const lead = await makeLead(server.db, { email: customer.email, first_name: 'canary-lead' })
    const { id: worker_id } = await caller.worker()
    const note = { lead_id: lead.id, worker_id, content: 'Met at the fair', created_at: server.clock.now() }
    await server.db.insertInto('lead_notes').values(note).execute()
    await caller.send(addNote, { ...of(customer), body: { note: 'Prefers mornings' } })
    const without = await ask(customer, caller)
    expect(without.body).toMatchObject({
      customer: { email: customer.email },
      creditEntries: [{ delta: 1 }],
      notes: [{ note: 'Prefers mornings' }],
      texts: null,
      mails: null,
      tickets: null,
      leads: null,
    })
    expect(without.text).not.toContain('canary')
    expect(await findStoredReplies(server.db, 'export-0001')).toEqual([])
    const words = (await ask(customer, server.as('users.overview', 'support.tab'))).body
    expect(words.texts).toMatchObject([{ from: phone, body: 'canary-text' }])
    expect(words.mails).toMatchObject([
      { subject: expect.stringContaining('canary-mail'), type: 'ticket_confirmation', state: 'sent' },
    ])
    const full = (await ask(customer, server.as('users.directory', 'users.tickets', 'growth.tab'))).body
    expect(full.tickets).toMatchObject([{ subject: 'canary-ticket', messages: [{ from_customer: true }] }, {}])
    expect(full.leads).toMatchObject([{ first_name: 'canary-lead', notes: [{ content: 'Met at the fair' }] }])
    await makeCustomer(server.db, { phone })
    expect((await ask(customer, server.as('users.overview', 'support.tab'))).body.texts).toEqual([])
  })

  it('contains the data of merged leads', async () => {
    const customer = await makeCustomer(server.db)
    const kept = await makeLead(server.db, { email: 'elsewhere@example.com' })
    const gone = await makeLead(server.db, { email: customer.email, first_name: 'Formerly' })
    const keeper = server.as('users.directory', 'growth.tab')
    await keeper.send(mergeLeads, { ...of(kept), body: { duplicateId: gone.id } })
    const { leads } = (await ask(customer, keeper)).body
    const merged = [{ id: gone.id, first_name: 'Formerly', email: customer.email }]
    expect(leads).toMatchObject([{ id: kept.id, email: 'elsewhere@example.com', merged }])
  })

  it('contains on-site slots, certifications, training, notifications and usage', async () => {
    const { db, clock } = server
    const customer = await makeCustomer(db)
    const customer_id = customer.id
    const { id: session_id } = await makeSession(db, { starts_at: past(2) })
    const slot = { session_id, name: 'Ann', rating: 5, booked_at: past(4) }
    await db
      .insertInto('onsite_participants')
      .values([
        { ...slot, slot: 0, customer_id, email: 'work@example.com' },
        { ...slot, slot: 1, customer_id: null, email: customer.email },
      ])
      .execute()
    await makeCertification(db, { customer_id })
    const { id: course_id } = await makeCourse(db, { title: 'Course one' })
    await db.insertInto('training_enrolments').values({ course_id, customer_id, enrolled_at: clock.now() }).execute()
    const { id: created_by } = await caller.worker()
    const { id: notification_id } = await db
      .insertInto('notifications')
      .values({
        title: 'New times',
        body: 'Hello',
        channel: 'mail',
        audience: '{}',
        audience_text: 'All customers',
        status: 'sending',
        send_at: past(1),
        is_for_later: false,
        has_passkey: false,
        created_by,
        created_at: past(1),
        started_at: past(1),
        people: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.insertInto('notification_recipients').values({ notification_id, customer_id, state: 'posted' }).execute()
    await insertEvent(customer_id)
    expect((await ask(customer, caller)).body).toMatchObject({
      participations: [{ email: 'work@example.com' }, { email: customer.email }],
      certifications: [{ issuedOn: expect.any(String) }],
      training: { courses: [{ course: 'Course one' }], lessons: [], attempts: [] },
      notifications: [{ title: 'New times', channel: 'mail' }],
      usage: [{ path: '/book' }],
    })
  })

  it('contains the records that stayed with a merged duplicate', async () => {
    const keep = await makeCustomer(server.db, { phone: '+19515550771' })
    const drop = await makeCustomer(server.db, { phone: '+19515550772', credits: 2 })
    await makeText(server.db, { from_number: '+19515550772', body: 'From my other phone' })
    await insertEvent(drop.id)
    await caller.send(mergeUsers, { ...of(keep), body: { duplicateId: drop.id, reason } })
    const { body } = await ask(keep, server.as('users.overview', 'support.tab'))
    expect(body.mergedAccounts).toMatchObject([{ id: drop.id, email: drop.email }])
    expect(body.creditEntries.map(({ delta }) => delta)).toEqual([2, -2, 2])
    expect(body.texts).toMatchObject([{ body: 'From my other phone' }])
    expect(body.usage).toHaveLength(1)
  })

  it('refuses an unknown customer', async () => {
    expect((await ask({ id: 999_999 }, caller)).status).toBe(404)
  })
})

async function insertEvent(user_id: number) {
  const { pool } = server.running.services
  const at = server.clock.now()
  await pool.query('select ensure_event_partition($1::date)', [at])
  await pool.query(
    `insert into events (id, created_at, source, user_id, action_type, event_outcome, method, url, path, response_status, response_time)
     values (gen_random_uuid(), $1, 'customer', $2, 'book', 'success', 'POST', '/book', '/book', 200, 12)`,
    [at, user_id],
  )
}
