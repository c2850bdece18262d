import { listStretchers } from '@limber/contract/stretchers/stretcher.ts'
import {
  adjustCredits,
  blockUser,
  correctContact,
  eraseUser,
  exportUser,
  listDuplicates,
  mergeUsers,
  readContact,
  sendVerification,
  unblockUser,
} from '@limber/contract/support/customers/account.ts'
import { readUser } from '@limber/contract/support/customers/user.ts'
import { listEmailLogs } from '@limber/contract/support/email-log/email-log.ts'
import { readTicket } from '@limber/contract/support/tickets/ticket.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, MINUTE, shift } from '#platform/clock.ts'
import { isSuppressed, suppress } from '#platform/mail/suppressions.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeTicket } from '../tickets/ticket.factory.ts'
import { of, reason } from './account-action.testing.ts'
import { makeBooking } from './booking.factory.ts'
import { makeCustomer } from './customer.factory.ts'
import { makeTransaction } from './transaction.factory.ts'

let server: TestServer
let caller: TestCaller
const past = (n: number) => shift(server.clock.now(), -n * DAY)

beforeAll(async () => {
  server = await startTestServer()
  caller = server.asSteppedUp('users.overview')
})
afterAll(() => server.stop())

const auditOf = (customer: { id: number }) =>
  server.db
    .selectFrom('audit_log')
    .select(['action', 'reason', 'after'])
    .where('subject', '=', 'customer')
    .where('subject_id', '=', String(customer.id))
    .where('outcome', '=', 'done')
    .execute()

describe('account actions', () => {
  it('blocks and unblocks once, with the reason in the audit log', async () => {
    const customer = await makeCustomer(server.db)
    const send = (call: typeof blockUser | typeof unblockUser) =>
      caller.send(call, { ...of(customer), body: { reason } })
    expect((await send(unblockUser)).status).toBe(409)
    expect((await send(blockUser)).status).toBe(200)
    expect((await send(blockUser)).status).toBe(409)
    const blocked = (await caller.send(readUser, of(customer))).body.accountStatus
    expect(blocked).toMatchObject({ status: 'blocked', blockedReason: reason, blockedBy: expect.any(String) })
    expect((await send(unblockUser)).status).toBe(200)
    expect(await auditOf(customer)).toMatchObject([
      { action: 'customer_blocked', reason },
      { action: 'customer_unblocked', reason },
    ])
  })
  it('adds and removes credits in the ledger, never below zero, also under concurrency', async () => {
    const customer = await makeCustomer(server.db, { credits: 3 })
    const take = (delta: number) => caller.send(adjustCredits, { ...of(customer), body: { delta, reason } })
    const replies = await Promise.all([take(-2), take(-2), take(-2)])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
    expect((await take(5)).body.credits).toBe(6)
    for (const delta of [0, 51, -51, 1.5]) expect((await take(delta)).status).toBe(400)
  })
  it('notifies the previous address without naming the new one', async () => {
    const customer = await makeCustomer(server.db, { email: 'was@old.example', first_name: 'Ida' })
    const { version: _, ...contact } = (await caller.send(readContact, of(customer))).body
    const correct = (change: Partial<typeof contact>) =>
      caller.send(correctContact, { ...of(customer), body: { ...contact, ...change, reason } })
    const mails = async () => {
      const rows = await server.db
        .selectFrom('outbox')
        .select('payload')
        .where('about', 'like', `customer ${customer.id}:%`)
        .execute()
      return rows.map(({ payload }) => JSON.parse(server.running.services.keyring.open('outbox', payload)))
    }
    expect((await correct({ last_name: 'Renamed' })).status).toBe(200)
    expect(await mails()).toEqual([])
    expect((await correct({ email: 'is@new.example' })).status).toBe(200)
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: 'was@old.example', subject: 'The email address of your account was changed' })
    expect(mail.text).toContain('Hi Ida,')
    expect(JSON.stringify(mail)).not.toContain('new.example')
    const found = await server.as('support.tab').send(listEmailLogs, { query: { recipient: 'was@old.example' } })
    expect(found.body.data).toHaveLength(1)
  })
  it.each([
    ['unsubscribed', true],
    ['complaint', true],
    ['hard_bounce', false],
  ] as const)('an address suppressed as %s passes the suppression to the new address: %s', async (why, isFollowed) => {
    const { db } = server
    const now = server.clock.now()
    const at = `${why}@old.example`
    const customer = await makeCustomer(db, { email: at, phone: isFollowed ? '+19515550661' : '+19515550662' })
    await suppress(db, at, { channel: 'mail', reason: why, source: 'test' }, now)
    await suppress(db, '+19515550661', { channel: 'text', reason: 'stop_word', source: 'test' }, now)
    const { version: _, ...contact } = (await caller.send(readContact, of(customer))).body
    const [email, phone] = [`${why}@new.example`, isFollowed ? `+1951555067${why.length % 10}` : '+19515550669']
    const reply = await caller.send(correctContact, { ...of(customer), body: { ...contact, email, phone, reason } })
    expect(reply.status, reply.text).toBe(200)
    expect(await isSuppressed(db, 'mail', email)).toBe(isFollowed)
    expect(await isSuppressed(db, 'text', phone)).toBe(isFollowed)
  })
  it('a corrected email must be verified again, and the audit log stores no address', async () => {
    const customer = await makeCustomer(server.db, { joined_at: past(9), email_verified_at: past(8) })
    const { version, ...contact } = (await caller.send(readContact, of(customer))).body
    const body = { ...contact, email: 'Canary-New@example.com', reason, version }
    expect((await caller.send(correctContact, { ...of(customer), body })).status).toBe(200)
    const { accountStatus, personalInfo } = (await caller.send(readUser, of(customer))).body
    expect([personalInfo.email, accountStatus.emailVerified]).toEqual(['canary-new@example.com', false])
    const stale = await caller.send(correctContact, { ...of(customer), body })
    expect(stale).toMatchObject({
      status: 409,
      failure: { code: 'stale', current: { email: 'canary-new@example.com' } },
    })
    expect(await auditOf(customer)).toEqual([{ action: 'contact_corrected', reason, after: { changed: ['email'] } }])
    const other = await makeCustomer(server.db)
    const taken = await caller.send(correctContact, { ...of(other), body: { ...contact, email: body.email, reason } })
    expect(taken).toMatchObject({ status: 409, failure: { code: 'email_taken' } })
    const badPhone = await caller.send(correctContact, { ...of(other), body: { ...contact, phone: '0951', reason } })
    expect(badPhone.status).toBe(400)
  })
  it('moves open tickets to the corrected address, not closed ones or those of other addresses', async () => {
    const customer = await makeCustomer(server.db)
    const make = (more: { status?: 'closed'; customer_email?: string }) =>
      makeTicket(server.db, { customer_id: customer.id, customer_email: customer.email, ...more })
    const tickets = [
      await make({}),
      await make({ status: 'closed' }),
      await make({ customer_email: 'work@example.com' }),
    ]
    await server.db
      .updateTable('ticket_messages')
      .set({ sender: customer.email })
      .where(
        'ticket_id',
        'in',
        tickets.map(({ id }) => id),
      )
      .execute()
    const { version, ...contact } = (await caller.send(readContact, of(customer))).body
    const body = { ...contact, email: 'moved@example.com', reason, version }
    expect((await caller.send(correctContact, { ...of(customer), body })).status).toBe(200)
    const agent = server.as('tickets.handle')
    const addresses = await Promise.all(
      tickets.map(async (ticket) => {
        const { customer_email, replyTo } = (await agent.send(readTicket, of(ticket))).body
        return [customer_email, replyTo]
      }),
    )
    expect(addresses).toEqual([
      ['moved@example.com', 'moved@example.com'],
      [customer.email, customer.email],
      ['work@example.com', 'moved@example.com'],
    ])
  })
  it('sends the verification email, but not twice in ten minutes and not to a verified address', async () => {
    const customer = await makeCustomer(server.db)
    const send = () => caller.send(sendVerification, { ...of(customer), body: { reason } })
    expect([(await send()).status, (await send()).status]).toEqual([200, 409])
    server.clock.advance(10 * MINUTE)
    const again = server.asSteppedUp('users.overview')
    expect((await again.send(sendVerification, { ...of(customer), body: { reason } })).status).toBe(200)
    await server.running.courier.run()
    const mails = await server.db.selectFrom('mailbox').select('id').where('to_address', '=', customer.email).execute()
    expect(mails).toHaveLength(2)
    const verified = await makeCustomer(server.db, { joined_at: past(2), email_verified_at: past(1) })
    expect((await again.send(sendVerification, { ...of(verified), body: { reason } })).status).toBe(409)
    caller = again
  })
  it('merging a duplicate moves its records and balance and closes it', async () => {
    const same = { first_name: 'Wren', last_name: 'Doubleday', phone: '+19515550177', joined_at: past(50) }
    const [keep, drop] = [await makeCustomer(server.db, same), await makeCustomer(server.db, { ...same, credits: 4 })]
    await makeBooking(server.db, { customer_id: drop.id, starts_at: past(3), created_at: past(5), status: 'completed' })
    await makeTransaction(server.db, { customer_id: drop.id })
    await makeTicket(server.db, { customer_id: drop.id })
    expect((await caller.send(listDuplicates, of(keep))).body).toMatchObject([
      { id: drop.id, why: 'same phone', bookings: 1, credits: 4 },
    ])
    const merge = () => caller.send(mergeUsers, { ...of(keep), body: { duplicateId: drop.id, reason } })
    const [one, two] = await Promise.all([merge(), merge()])
    expect([one.status, two.status].toSorted()).toEqual([200, 409])
    const done = one.status === 200 ? one : two
    expect(done.body.moved).toEqual({ bookings: 1, transactions: 1, credits: 4, tickets: null, notes: 0 })
    const [kept, gone] = [await caller.send(readUser, of(keep)), await caller.send(readUser, of(drop))]
    expect(kept.body).toMatchObject({ engagement: { credits: 4 }, activity: { bookings: { total: 1 } } })
    expect(gone.body).toMatchObject({
      engagement: { credits: 0 },
      accountStatus: { mergedInto: keep.id, status: 'blocked' },
    })
    const closed = await caller.send(adjustCredits, { ...of(drop), body: { delta: 1, reason } })
    expect(closed).toMatchObject({ status: 409, failure: { code: 'gone' } })
    expect((await caller.send(listDuplicates, of(keep))).body).toEqual([])
  })
  it("corrects a stretcher's email and phone in both places and refuses a new name", async () => {
    const { customer_id: id } = await makeStretcher(server.db)
    const { version: _version, ...contact } = (await caller.send(readContact, of({ id }))).body
    const correct = (change: Partial<typeof contact>) =>
      caller.send(correctContact, { ...of({ id }), body: { ...contact, ...change, reason } })
    expect((await correct({ last_name: 'Newname' })).failure).toMatchObject({
      code: 'is_stretcher',
      error: 'This account belongs to a stretcher. Change the name in Stretcher Management.',
    })
    expect((await correct({ email: 'sam.new@example.com', phone: '+19515550188' })).status).toBe(200)
    const { personalInfo } = (await caller.send(readUser, of({ id }))).body
    expect(personalInfo).toMatchObject({ email: 'sam.new@example.com', phone: '+19515550188' })
    const listed = await server.as('businesses.manage').send(listStretchers, { query: { search: 'sam.new@' } })
    expect(listed.body.stretchers).toMatchObject([{ email: 'sam.new@example.com' }])
    const other = await makeCustomer(server.db)
    const { version: _other, ...theirs } = (await caller.send(readContact, of(other))).body
    const merged = await caller.send(mergeUsers, { ...of(other), body: { duplicateId: id, reason } })
    expect(merged.failure.code).toBe('is_stretcher')
    const taken = { ...theirs, email: 'sam.new@example.com', reason }
    expect((await caller.send(correctContact, { ...of(other), body: taken })).failure.code).toBe('email_taken')
  })
  it.each(['', '  ', 'x'.repeat(501)])('requires a reason, not "%#"', async (bad) => {
    const customer = await makeCustomer(server.db)
    for (const call of [blockUser, unblockUser, sendVerification, exportUser])
      expect((await caller.send(call, { ...of(customer), body: { reason: bad } })).status).toBe(400)
  })
  it('refuses callers without the permission', async () => {
    const customer = await makeCustomer(server.db)
    const stranger = server.asSteppedUp('tickets.handle', 'users.tickets', 'support.tab')
    for (const call of [blockUser, unblockUser, sendVerification, exportUser, eraseUser, mergeUsers, adjustCredits])
      expect((await stranger.send(call, { ...of(customer), body: {} as never })).status).toBe(403)
  })
})
