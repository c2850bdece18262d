import { mergeLeads } from '@limber/contract/marketing/leads/lead-merge.ts'
import { eraseUser, mergeUsers } from '@limber/contract/support/customers/account.ts'
import { addNote } from '@limber/contract/support/customers/note.ts'
import { readUser } from '@limber/contract/support/customers/user.ts'
import { listEmailLogs } from '@limber/contract/support/email-log/email-log.ts'
import { createTicket } from '@limber/contract/support/tickets/ticket.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeSession } from '#businesses/business/business.factory.ts'
import { makeLead } from '#marketing/leads/lead.factory.ts'
import { DAY, shift } from '#platform/clock.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { openRecipient } from '../email-log/email-log.seal.ts'
import { makeText } from '../texts/text.factory.ts'
import { makeTicket } from '../tickets/ticket.factory.ts'
import { of, reason } from './account-action.testing.ts'
import { makeBooking } from './booking.factory.ts'
import { makeCustomer } from './customer.factory.ts'

let server: TestServer
let caller: TestCaller
const past = (n: number) => shift(server.clock.now(), -n * DAY)

beforeAll(async () => {
  server = await startTestServer()
  caller = server.asSteppedUp('users.overview')
})
afterAll(() => server.stop())

const erase = (customer: { id: number; email: string }, email = customer.email, who = caller) =>
  who.send(eraseUser, { ...of(customer), body: { reason, email } })

/** The tables that still contain a word. */
async function findTables(word: string): Promise<string[]> {
  const tables = [
    ...['customers', 'bookings', 'tickets', 'ticket_messages', 'ticket_words', 'ticket_notes', 'customer_notes'],
    ...['texts', 'email_logs', 'leads', 'merged_leads', 'lead_notes', 'onsite_participants', 'stretchers', 'audit_log'],
  ]
  const found: string[] = []
  for (const table of tables) {
    const { rows } = await server.running.services.pool.query(`select from ${table} x where x::text ilike $1 limit 1`, [
      `%${word}%`,
    ])
    if (rows.length > 0) found.push(table)
  }
  return found
}

const participate = async (slot: number, customer_id: number | null, email: string) => {
  const { id: session_id } = await makeSession(server.db, { starts_at: past(2) })
  const row = { session_id, slot, name: 'Canary Bird', email, customer_id, rating: null, booked_at: past(4) }
  await server.db.insertInto('onsite_participants').values(row).execute()
}

describe('POST /api/support/users/:id/erase', () => {
  it('erases personal data and keeps figures', async () => {
    const email = 'canary-erase@example.com'
    const customer = await makeCustomer(server.db, { email, first_name: 'Canary', joined_at: past(9) })
    const feedback = { status: 'completed' as const, rating: 4, feedback: 'Canary was here' }
    await makeBooking(server.db, { customer_id: customer.id, starts_at: past(3), created_at: past(5), ...feedback })
    await makeTicket(server.db, {
      customer_id: customer.id,
      customer_email: email,
      subject: 'Canary',
      thread: [{ content: 'Canary speaking' }],
    })
    await participate(0, customer.id, 'canary-work@example.com')
    await participate(1, null, 'Canary-Erase@example.com')
    expect((await erase(customer, 'other@example.com')).failure.code).toBe('wrong_email')
    expect((await erase(customer, email, server.as('users.overview'))).failure.code).toBe('step_up_required')
    const ahead = await makeBooking(server.db, { customer_id: customer.id, starts_at: past(-3), created_at: past(1) })
    expect((await erase(customer)).failure.error).toBe(
      'This customer has upcoming bookings: 1. Erase the account after they are completed or canceled in the app.',
    )
    await server.db.deleteFrom('bookings').where('id', '=', ahead.id).execute()
    expect((await erase(customer)).status).toBe(200)
    const { body } = await caller.send(readUser, of(customer))
    expect(body).toMatchObject({
      personalInfo: { name: 'Erased Customer', phone: null },
      accountStatus: { isErased: true },
    })
    expect(body.activity.bookings.total).toBe(1)
    expect(await findTables('canary')).toEqual([])
    expect((await erase(customer)).failure.code).toBe('gone')
  })

  it('erases the duplicates that were merged into the account, at any depth', async () => {
    const of3 = (n: number) => ({ email: `finch-${n}@example.com`, first_name: 'Finch', phone: `+1951555019${n}` })
    const [keep, second, third] = [
      await makeCustomer(server.db, of3(1)),
      await makeCustomer(server.db, of3(2)),
      await makeCustomer(server.db, of3(3)),
    ]
    await caller.send(addNote, { ...of(third), body: { note: 'Finch prefers mornings' } })
    for (const [into, duplicate] of [
      [second, third],
      [keep, second],
    ] as const) {
      const body = { duplicateId: duplicate.id, reason }
      expect((await caller.send(mergeUsers, { ...of(into), body })).status).toBe(200)
    }
    await makeText(server.db, { from_number: of3(3).phone, body: 'Finch here' })
    await makeLead(server.db, { email: third.email, first_name: 'Finch' })
    await makeTicket(server.db, { customer_id: third.id, customer_email: third.email, subject: 'Finch' })
    expect((await erase(keep)).status).toBe(200)
    expect(await findTables('finch')).toEqual([])
    expect(await findTables('1951555019')).toEqual([])
    expect((await caller.send(readUser, of(third))).body.accountStatus).toMatchObject({ isErased: true })
  })

  it('erases leads merged under another address, and the lead they belong to', async () => {
    const customer = await makeCustomer(server.db, { email: 'wren@example.com' })
    const of2 = { first_name: 'Wren', created_at: past(3) }
    const kept = await makeLead(server.db, { ...of2, email: 'wren-home@example.com', phone: '+19515550291' })
    const gone = await makeLead(server.db, { ...of2, email: customer.email, phone: '+19515550292' })
    const body = { duplicateId: gone.id }
    expect((await server.as('growth.tab').send(mergeLeads, { ...of(kept), body })).status).toBe(200)
    expect(await findTables('wren')).toEqual(expect.arrayContaining(['customers', 'leads', 'merged_leads']))
    expect((await erase(customer)).status).toBe(200)
    expect(await findTables('wren')).toEqual([])
    expect(await findTables('1951555029')).toEqual([])
  })

  it('erases tickets with the address but no account', async () => {
    const customer = await makeCustomer(server.db, { email: 'wren-erase@example.com' })
    const { id } = await makeTicket(server.db, { customer_email: 'wren@example.com', subject: 'Wren asks' })
    const change = { customer_id: null, customer_email: customer.email }
    await server.db.updateTable('tickets').set(change).where('id', '=', id).execute()
    const other = await makeTicket(server.db, { customer_email: 'robin@example.com', subject: 'Robin asks' })
    expect((await erase(customer)).status).toBe(200)
    expect(await findTables('wren')).toEqual([])
    expect(await findTables('robin')).toEqual(['tickets'])
    expect(other.id).not.toBe(id)
  })

  it('erases the recipient of every logged email', async () => {
    const customer = await makeCustomer(server.db, { email: 'heron@example.com' })
    const body = { customer_email: customer.email, subject: 'Hello', content: 'Heron speaking' }
    await server.as('tickets.create').send(createTicket, { body })
    expect((await erase(customer)).status).toBe(200)
    const found = await server.as('support.tab').send(listEmailLogs, { query: { recipient: customer.email } })
    expect(found.body.data).toEqual([])
    const { keyring } = server.running.services
    const rows = await server.db.selectFrom('email_logs').select('to_sealed').execute()
    expect(rows.map(({ to_sealed }) => openRecipient(keyring, to_sealed))).toEqual([
      `erased-${customer.id}@erased.invalid`,
    ])
  })

  it('discards unsent messages, erases sent ones, and leaves other emails', async () => {
    const { keyring } = server.running.services
    const [customer, other] = [
      await makeCustomer(server.db, { email: 'stork@example.com' }),
      await makeCustomer(server.db, { email: 'crane@example.com' }),
    ]
    const states = ['waiting', 'dead', 'sent'] as const
    const write = async (to: string, state: (typeof states)[number]) => {
      const body = { customer_email: to, subject: 'Hello', content: `${state} for ${to}` }
      const { body: ticket } = await server.as('tickets.create').send(createTicket, { body })
      await server.running.courier.run()
      const about = `ticket ${ticket.id}: confirmation`
      const change = { state, next_try_at: past(-1) }
      return server.db
        .updateTable('outbox')
        .set(change)
        .where('about', '=', about)
        .returning('id')
        .executeTakeFirstOrThrow()
    }
    const theirs = [
      await write(customer.email, 'waiting'),
      await write(customer.email, 'dead'),
      await write(customer.email, 'sent'),
    ]
    const kept = await write(other.email, 'waiting')
    expect((await erase(customer)).status).toBe(200)
    const read = async ({ id }: { id: number }) => {
      const { state, payload, discard_reason } = await server.db
        .selectFrom('outbox')
        .select(['state', 'payload', 'discard_reason'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return { state, discard_reason, payload: keyring.open('outbox', payload) }
    }
    const discarded = { state: 'discarded', discard_reason: 'The customer was erased', payload: '{}' }
    expect(await Promise.all(theirs.map(read))).toEqual([
      discarded,
      discarded,
      { state: 'sent', discard_reason: null, payload: '{}' },
    ])
    expect(await read(kept)).toMatchObject({ state: 'waiting', payload: expect.stringContaining(other.email) })
  })

  it('refuses a stretcher who has worked; erases one who never worked, after deactivation', async () => {
    const conflictOf = async (account: { id: number }) =>
      (await caller.send(readUser, of(account))).body.accountStatus.eraseBar
    const accountOf = ({ customer_id, email }: { customer_id: number; email: string }) => ({ id: customer_id, email })
    const inactive = { status: 'inactive' as const, deactivated_at: server.clock.now() }
    const worked = await makeStretcher(server.db, { ...inactive, hired_at: past(30) })
    await makeBooking(server.db, { stretcher_id: worked.id, starts_at: past(3), status: 'completed' })
    expect(await erase(accountOf(worked))).toMatchObject({ status: 409, failure: { code: 'has_worked' } })
    expect(await conflictOf(accountOf(worked))).toBe('has_worked')
    const fresh = await makeStretcher(server.db, { first_name: 'Plover', hired_at: past(30) })
    expect(await erase(accountOf(fresh))).toMatchObject({ status: 409, failure: { code: 'is_stretcher' } })
    expect(await conflictOf(accountOf(fresh))).toBe('is_stretcher')
    await server.db.updateTable('stretchers').set(inactive).where('id', '=', fresh.id).execute()
    expect(await conflictOf(accountOf(fresh))).toBeNull()
    expect((await erase(accountOf(fresh))).status).toBe(200)
    expect(await findTables('plover')).toEqual([])
    expect(await findTables(fresh.email)).toEqual([])
  })
})
