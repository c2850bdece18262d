// @module-tag slow
import { permissionNames } from '@limber/contract/access/permissions.ts'
import { calls } from '@limber/contract/calls.ts'
import { openLive } from '@limber/contract/kit/meta.ts'
import { addNote, listNotes } from '@limber/contract/support/customers/note.ts'
import {
  listUserBookings,
  listUserRewards,
  listUserTickets,
  listUserTransactions,
  readUser,
  readUserAnalytics,
} from '@limber/contract/support/customers/user.ts'
import { countTickets, listTickets } from '@limber/contract/support/tickets/ticket.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { DAY, shift } from '#platform/clock.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeTicket } from '../tickets/ticket.factory.ts'
import { makeBooking } from './booking.factory.ts'
import { makeCreditEntry } from './credit-entry.factory.ts'
import { makeCustomer } from './customer.factory.ts'
import { firstWeek } from './customer-detail.rules.ts'
import { makeTransaction } from './transaction.factory.ts'

let server: TestServer
let overview: TestCaller
let who: { params: { id: string } }
let customerId: number
const unknown = { params: { id: '999999' } }
const day = (n: number) => shift(server.clock.now(), -n * DAY)

beforeAll(async () => {
  server = await startTestServer()
  overview = server.as('users.overview')
  const { db } = server
  const customer = await makeCustomer(db, { joined_at: day(300), last_login_at: day(1), email_verified_at: day(299) })
  customerId = customer.id
  who = { params: { id: String(customer.id) } }
  const friend = await makeCustomer(db, { joined_at: day(100), referred_by_customer_id: customer.id })
  await makeCustomer(db, { joined_at: day(90), referred_by_customer_id: customer.id })
  await makeBooking(db, { customer_id: friend.id, starts_at: day(50), created_at: day(60), status: 'completed' })
  const rated = { rating: 5, rating_attributes: ['On time', 'Listened'], feedback: '<b>Great</b>' }
  await makeBooking(db, {
    customer_id: customer.id,
    starts_at: new Date('2026-07-01T16:00:00Z'),
    created_at: new Date('2026-06-20T16:00:00Z'),
    status: 'completed',
    ...rated,
  })
  await makeBooking(db, { customer_id: customer.id, starts_at: day(-3), created_at: day(1) })
  await makeTransaction(db, { customer_id: customer.id, created_at: day(20), amount: '445.5' })
  await makeCreditEntry(db, { customer_id: customer.id, delta: 2, created_at: day(10), reason: 'Sorry' })
  const reward = { customer_id: customer.id, reward_type: 'Free session', details: 'Ten sessions', points: 100 }
  await db
    .insertInto('rewards')
    .values([
      { ...reward, earned_at: day(60), expires_at: null, redeemed_at: day(30) },
      { ...reward, earned_at: day(60), expires_at: day(5), redeemed_at: null },
      { ...reward, earned_at: day(3), expires_at: day(-30), redeemed_at: null },
    ])
    .execute()
  const own = { customer_id: customer.id, customer_email: customer.email }
  const thread = [{ content: 'canary-words' }]
  await makeTicket(db, { ...own, subject: 'canary-new', priority: 'high', created_at: day(2), thread })
  await makeTicket(db, { ...own, subject: 'canary-old', status: 'closed', created_at: day(200) })
})
afterAll(() => server.stop())

describe('GET /api/support/users/{id}', () => {
  it('returns every group, with ticket counts for workers who may see them', async () => {
    const { body } = await server.as('users.overview', 'users.tickets').send(readUser, who)
    expect(body).toMatchObject({
      personalInfo: { id: customerId, name: 'Jordan Reyes' },
      accountStatus: { emailVerified: true, waiverSigned: false, status: 'active', isErased: false },
      engagement: { credits: 2, rank: 'Bronze' },
      activity: {
        bookings: { total: 2, lastBooking: '2026-07-01T16:00:00.000Z' },
        referrals: { total: 2, successful: 1 },
        rewards: { total: 3, lastRedemption: day(30).toISOString() },
        tickets: { total: 2, active: 1, highPriority: 1 },
      },
    })
    expect(body.recentSupport.map(({ ticketId }) => typeof ticketId)).toEqual(['number', 'object', 'number'])
    expect(body.recentSupport.map(({ type, outcome }) => `${type} ${outcome}`)).toEqual([
      'Ticket: canary-new Open',
      'Credits +2: Sorry',
      'Ticket: canary-old Closed',
    ])
  })
  it('names who referred the customer and whom the customer referred, newest first', async () => {
    const { body } = await overview.send(readUser, who)
    const { by, people } = body.activity.referrals
    expect(by).toBeNull()
    expect(people).toHaveLength(2)
    const [newest] = people
    const friend = await overview.send(readUser, { params: { id: String(newest?.id) } })
    expect(friend.body.activity.referrals).toMatchObject({ by: { id: customerId, name: 'Jordan Reyes' }, people: [] })
    expect(friend.body.accountStatus.joinDate).toBe(day(90).toISOString())
  })
  it('counts only referrals whose accounts are neither merged nor erased', async () => {
    const { db } = server
    const { id } = await makeCustomer(db)
    const brought = { referred_by_customer_id: id, blocked_at: day(1), blocked_reason: 'Closed' }
    await makeCustomer(db, { ...brought, merged_into_id: customerId })
    await makeCustomer(db, { ...brought, erased_at: day(1) })
    const living = await makeCustomer(db, { referred_by_customer_id: id })
    const { referrals } = (await overview.send(readUser, { params: { id: String(id) } })).body.activity
    expect(referrals).toMatchObject({ total: 1, people: [{ id: living.id }] })
  })
  it('returns no ticket data to workers without the permission', async () => {
    const directory = server.as('users.directory', 'tickets.handle')
    const calls = [readUser, listUserRewards, listUserTransactions, listUserBookings, readUserAnalytics, listNotes]
    const replies = await Promise.all(calls.map((call) => directory.send(call, who)))
    for (const reply of replies) {
      expect(reply.status).toBe(200)
      expect(reply.text).not.toContain('canary')
    }
    const detail = readUser.reply.parse(JSON.parse(replies[0]?.text ?? ''))
    expect(detail.activity.tickets).toBeNull()
    expect(detail.recentSupport.map(({ ticketId }) => ticketId)).toEqual([null])
    expect((await directory.send(listUserTickets, who)).status).toBe(403)
  })
  it('no other call reveals tickets to workers without the permission', async () => {
    const closed = ['users.tickets', 'tickets.handle', 'tickets.create']
    const limited = server.asSteppedUp(...permissionNames.filter((name) => !closed.includes(name)))
    // The live stream never ends; its own permissions are checked per topic.
    const reads = calls.filter(({ method, path }) => method === 'GET' && path !== openLive.path)
    const seen = new Map<string, number>()
    for (const call of reads) {
      const names = [...call.path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
      const params = Object.fromEntries(names.map((name) => [name, String(customerId)]))
      const { status, text } = await limited.send(call, { params })
      expect([call.path, text.match(/canary[\w-]*/)?.[0]]).toEqual([call.path, undefined])
      seen.set(call.path, status)
    }
    for (const { path } of [readUser, listUserBookings, listNotes]) expect([path, seen.get(path)]).toEqual([path, 200])
    for (const { path } of [listTickets, countTickets, listUserTickets])
      expect([path, seen.get(path)]).toEqual([path, 403])
    expect([...seen.values()].filter((status) => status === 200).length).toBeGreaterThan(60)
  })
})

describe('every paged list in support', () => {
  it('refuses an invalid page', async () => {
    const owner = server.asOwner()
    const isPaged = (query: unknown) => query instanceof z.ZodObject && 'page' in query.shape
    const paged = calls.filter(({ path, query }) => path.startsWith('/api/support/') && isPaged(query))
    expect(paged.map(({ path }) => path)).toContain('/api/support/notifications')
    expect(paged.length).toBeGreaterThan(6)
    for (const call of paged)
      for (const page of ['0', '-1', '1e9', '1.5', "1'; drop"]) {
        const { status } = await owner.send(call, { ...who, query: { page } })
        expect([call.path, page, status]).toEqual([call.path, page, 400])
      }
  })
})

describe("a customer's records", () => {
  it('splits tickets into recent and earlier ones', async () => {
    const { body } = await server.as('users.tickets').send(listUserTickets, who)
    expect(body.recentTickets).toMatchObject([{ subject: 'canary-new', content: 'canary-words' }])
    expect(body.ticketHistory).toMatchObject([{ subject: 'canary-old', status: 'closed' }])
  })
  it('separates current rewards from redeemed ones and omits expired ones', async () => {
    const { body } = await overview.send(listUserRewards, who)
    expect(body.currentRewards).toHaveLength(1)
    expect(body.rewardHistory).toMatchObject([{ redeemed_at: day(30).toISOString(), points: 100 }])
    expect(body.creditHistory).toMatchObject([{ delta: 2, kind: 'grant', reason: 'Sorry' }])
  })
  it('lists payments with exact amounts, page by page', async () => {
    const { body } = await overview.send(listUserTransactions, who)
    expect(body).toMatchObject([{ transactionType: 'credit_purchase', amount: '445.5000', credits: 5 }])
    expect((await overview.send(listUserTransactions, { ...who, query: { page: '2' } })).body).toEqual([])
    expect((await overview.send(listUserTransactions, { ...who, query: { page: '0' } })).status).toBe(400)
  })
  it('shows bookings in the time zone of their zone, with stars, attributes and feedback', async () => {
    const { body } = await overview.send(listUserBookings, who)
    expect(body[0]).not.toHaveProperty('Rating')
    expect(body[1]).toMatchObject({
      date: '2026-07-01',
      startTime: '09:00',
      endTime: '10:00',
      Rating: { rating: 5, attributes: ['On time', 'Listened'] },
      Feedback: { message_text: '<b>Great</b>' },
    })
    expect(body.every(({ stretcher, stretcherId }) => stretcher !== null && stretcherId !== null)).toBe(true)
  })
  it("counts the customer's actions in twelve weeks of the company's calendar", async () => {
    const event = { source: 'customer', user_id: customerId, event_outcome: 'success', method: 'GET', url: '/book' }
    // Sunday evening in the company's time zone.
    const at = new Date('2026-11-16T06:30:00Z')
    expect(firstWeek(at)).toBe('2026-08-24')
    await server.running.services.pool.query('select ensure_event_partition($1::date)', [at.toISOString()])
    await server.running.services.pool.query(
      `insert into events (id, created_at, source, user_id, action_type, event_outcome, method, url, path, response_status, response_time)
       select gen_random_uuid(), $1, $2, $3, 'booking_create', $4, $5, $6, $6, 200, 1 from generate_series(1, 3)`,
      [at, event.source, customerId, event.event_outcome, event.method, event.url],
    )
    const { body } = await overview.send(readUserAnalytics, who)
    expect(body).toMatchObject({ total_actions: 3, activity: [{ action_category: 'booking' }, {}, {}] })
    expect(body.weeks).toHaveLength(12)
    expect(body.weeks.at(-1)?.week).toBe('2026-11-16')
    expect(body.weeks.at(-2)?.actions).toBe(3)
  })
  it('refuses an unknown customer', async () => {
    for (const call of [
      readUser,
      listUserRewards,
      listUserTransactions,
      listUserBookings,
      readUserAnalytics,
      listNotes,
    ])
      expect((await overview.send(call, unknown)).status).toBe(404)
    expect((await server.as('users.tickets').send(listUserTickets, unknown)).status).toBe(404)
  })
})

describe('notes about a customer', () => {
  it('are refused on an erased or merged account', async () => {
    const closed = { blocked_at: day(1), blocked_reason: 'Closed' }
    const gone = [
      await makeCustomer(server.db, { ...closed, erased_at: day(1) }),
      await makeCustomer(server.db, { ...closed, merged_into_id: customerId }),
    ]
    for (const { id } of gone) {
      const input = { params: { id: String(id) }, body: { note: 'Called again' } }
      expect(await overview.send(addNote, input)).toMatchObject({ status: 409, failure: { code: 'gone' } })
      expect((await overview.send(listNotes, { params: input.params })).body).toEqual([])
    }
  })
  it('are added in the name of the caller and returned as typed, newest first', async () => {
    for (const note of ['first', ' <img src=x onerror=alert(1)> '])
      expect((await overview.send(addNote, { ...who, body: { note } })).status).toBe(200)
    const { body } = await overview.send(listNotes, who)
    expect(body.map(({ note }) => note)).toEqual(['<img src=x onerror=alert(1)>', 'first'])
    expect(body[0]?.staffId).toBe((await overview.worker()).id)
  })
  it.each([{ note: '' }, { note: ' \n ' }, { note: 'x'.repeat(100_000) }, { note: 1 }, { note: 'a', staffId: 1 }])(
    'refuses %#',
    async (body) => {
      expect((await overview.send(addNote, { ...who, body: body as never })).status).toBe(400)
    },
  )
  it('refuses callers without the permission', async () => {
    expect((await server.as('support.tab').send(listNotes, who)).status).toBe(403)
    expect((await server.as('support.tab').send(addNote, { ...who, body: { note: 'x' } })).status).toBe(403)
    expect((await overview.send(addNote, { ...unknown, body: { note: 'x' } })).status).toBe(404)
  })
})
