import {
  listReferrals,
  readReferral,
  readReferrals,
  reviewReferral,
} from '@limber/contract/growth/referrals/referral.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorker } from '#access/workers/worker.factory.ts'
import { makeZone } from '#businesses/zones/zone.factory.ts'
import { DAY, HOUR, MINUTE, shift } from '#platform/clock.ts'
import { eventually, startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeBooking } from '#support/customers/booking.factory.ts'
import { makeCreditEntry } from '#support/customers/credit-entry.factory.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeTransaction } from '#support/customers/transaction.factory.ts'
import { refreshFigures } from '../figures/refresh-figures.ts'

let server: TestServer
let peopleCaller: TestCaller
let now: Date
let zoneId: number
let phones = 0
const nextPhone = () => `+1951555${String(1000 + ++phones)}`
const daysAgo = (days: number, hours = 0) => shift(now, -days * DAY - hours * HOUR)
const refresh = () => refreshFigures(server.running.services)
const stats = async () => (await peopleCaller.send(readReferrals)).body.stats
const list = async (query: object = {}) => (await peopleCaller.send(listReferrals, { query })).body
const one = (id: number) => peopleCaller.send(readReferral, { params: { id: String(id) } })
const review = (id: number, body: object, caller = peopleCaller) =>
  caller.send(reviewReferral, { params: { id: String(id) }, body: body as never })
const person = (more: object = {}) =>
  makeCustomer(server.db, { phone: nextPhone(), joined_at: daysAgo(40 + phones * 3), ...more })

async function visit(customerId: number, more: object = {}) {
  const starts_at = daysAgo(20, phones + customerId * 3)
  return makeBooking(server.db, {
    customer_id: customerId,
    zone_id: zoneId,
    stretcher_id: (await makeStretcher(server.db, { zone_id: zoneId })).id,
    starts_at,
    created_at: shift(starts_at, -DAY),
    status: 'completed',
    ...more,
  })
}
const pay = (customerId: number, amount: string, more: object = {}) =>
  makeTransaction(server.db, { customer_id: customerId, amount, created_at: daysAgo(10), ...more })

beforeAll(async () => {
  server = await startTestServer()
  now = server.clock.now()
  peopleCaller = server.as('growth.tab', 'growth.people')
  zoneId = (await makeZone(server.db)).id
})
afterAll(() => server.stop())

describe('GET /api/marketing/referrals', () => {
  it('counts referrals, bookings and payments exactly as in the rows', async () => {
    const stretcher = await makeStretcher(server.db, { zone_id: zoneId })
    const worker = await makeWorker(server.db)
    const ann = await person()
    const bob = await person({ referred_by_customer_id: ann.id })
    const eve = await person({ referred_by_customer_id: ann.id })
    const dan = await person({ referred_by_stretcher_id: stretcher.id })
    const kim = await person({ referred_by_worker_id: worker.id })
    const gone = await person({ referred_by_worker_id: worker.id })
    await server.db
      .updateTable('customers')
      .set({ blocked_at: now, blocked_reason: 'Erased', erased_at: now })
      .where('id', '=', gone.id)
      .execute()
    await visit(bob.id)
    await visit(dan.id, { status: 'no_show' })
    await pay(bob.id, '80.1234')
    const paid = await pay(eve.id, '30.0000')
    await pay(eve.id, '99.0000', { status: 'failed' })
    await pay(dan.id, '10.5000')
    await pay(gone.id, '500.0000')
    await pay(ann.id, '700.0000')
    expect(paid).toBeTruthy()
    await refresh()

    const { rows } = await server.running.services.pool.query<{ count: number }>(
      'select count(*)::int as count from customers where merged_into_id is null and erased_at is null',
    )
    const users = rows[0]?.count ?? 0
    expect(await stats()).toEqual({
      total_users: users,
      natural_growth: users - 4,
      stretcher_commission: 1,
      worker_commission: 1,
      user_commission: 2,
      pending_referrals: 3,
      converted_referrals: 1,
      total_earnings: 120.6234,
      stored_earnings: 40.5,
      redeemable_referrals: 1,
      top_referrer_count: 2,
      top_earner_total: 110.1234,
      referrals_with_bookings: { stretcher: 1, worker: 0, user: 1 },
    })
    expect(kim.id).toBeGreaterThan(0)

    await makeCreditEntry(server.db, { customer_id: ann.id, delta: 1, kind: 'referral', created_at: now })
    await refresh()
    expect((await stats()).redeemable_referrals).toBe(0)
  })

  it('returns the time of the refresh, and refuses callers without permission', async () => {
    const { body } = await peopleCaller.send(readReferrals)
    expect(body.refreshedAt).toBe(now.toISOString())
    expect((await server.as('support.tab').send(readReferrals)).status).toBe(403)
    expect((await server.anonymous().send(readReferrals)).status).toBe(401)
  })

  it('advances the refresh time when nothing changed', async () => {
    // PostgreSQL updates its write counters with a delay.
    await eventually(async () => {
      await refresh()
      server.clock.advance(MINUTE)
      const { body } = await peopleCaller.send(readReferrals)
      return body.refreshedAt === server.clock.now().toISOString()
    })
  })

  it('returns empty figures while another process calculates the first ones', async () => {
    const other = await startTestServer()
    try {
      await other.db.transaction().execute(async (tx) => {
        await sql`select pg_advisory_xact_lock(7214090)`.execute(tx)
        const { status, body } = await other.as('growth.tab').send(readReferrals)
        expect(status).toBe(200)
        expect(body).toMatchObject({ stats: { total_users: 0, total_earnings: 0 }, toReview: 0, refreshedAt: null })
      })
    } finally {
      await other.stop()
    }
  })
})

describe('GET /api/marketing/referrals/people', () => {
  it('requires permission 31, and filters by name, kind of referrer and state', async () => {
    expect((await server.as('growth.tab').send(listReferrals)).status).toBe(403)
    const friend = await person({ first_name: 'Ottilie', last_name: 'Marsh' })
    const brought = await person({ first_name: 'Quill', last_name: 'Ashby', referred_by_customer_id: friend.id })
    await refresh()
    const { referrals, pagination } = await list({ search: 'quill ash' })
    expect(pagination.totalItems).toBe(1)
    expect(referrals[0]).toMatchObject({
      userId: brought.id,
      name: 'Quill Ashby',
      kind: 'user',
      referrer: { id: friend.id, name: 'Ottilie Marsh', userId: friend.id },
      state: 'pending',
      reasons: [],
      review: null,
    })
    expect((await list({ search: 'quill ash', state: 'converted' })).referrals).toEqual([])
    expect((await list({ search: 'quill ash', kind: 'worker' })).referrals).toEqual([])
    const kinds = (await list({ kind: 'stretcher' })).referrals.map(({ kind }) => kind)
    expect(new Set(kinds)).toEqual(new Set(['stretcher']))
  })

  it.each([[{ kind: 'friend' }], [{ state: 'x' }], [{ page: '0' }], [{ other: '1' }]])('refuses %j', async (query) => {
    expect((await peopleCaller.send(listReferrals, { query: query as never })).status).toBe(400)
  })
})

describe('a suspicious referral', () => {
  it('has the same phone, the same address or the same person, or is part of a burst', async () => {
    const home = { address_line: '12 Palm Ct', postal_code: '92501', city: 'Riverside' }
    const friend = await person({ email: 'sam.lee@example.com', ...home })
    const phone = await person({ referred_by_customer_id: friend.id, phone: friend.phone })
    const address = await person({ referred_by_customer_id: friend.id, ...home, address_line: ' 12 palm ct' })
    const self = await person({ referred_by_customer_id: friend.id, email: 'samlee+2@example.com' })
    const fine = await person({ referred_by_customer_id: friend.id })
    const many = await person()
    const burst = []
    for (let n = 0; n < 5; n++) burst.push(await person({ referred_by_customer_id: many.id, joined_at: daysAgo(3, n) }))
    const later = await person({ referred_by_customer_id: many.id, joined_at: daysAgo(1) })
    await refresh()
    const reasons = async (id: number) => (await one(id)).body.reasons
    expect(await reasons(phone.id)).toEqual(['same_phone'])
    expect(await reasons(address.id)).toEqual(['same_address'])
    expect(await reasons(self.id)).toEqual(['self_referral'])
    expect(await reasons(fine.id)).toEqual([])
    for (const { id } of burst) expect(await reasons(id)).toEqual(['burst'])
    expect(await reasons(later.id)).toEqual([])
    const open = await list({ review: 'open', limit: '100' })
    expect(open.pagination.totalItems).toBe((await peopleCaller.send(readReferrals)).body.toReview)
    expect(open.referrals.map(({ userId }) => userId)).toEqual(
      expect.arrayContaining([phone.id, address.id, self.id, ...burst.map(({ id }) => id)]),
    )
  })
})

describe('POST /api/marketing/referrals/people/:id/review', () => {
  async function suspicious() {
    const friend = await person()
    const brought = await person({ referred_by_customer_id: friend.id, phone: friend.phone })
    await visit(brought.id)
    await refresh()
    return brought.id
  }

  it('stores each decision, and the reward is due only after approval', async () => {
    const id = await suspicious()
    const due = (await stats()).redeemable_referrals
    const approved = await review(id, { decision: 'approved', reason: 'Mother and son', seenReview: null })
    expect(approved.body.review).toMatchObject({ decision: 'approved', reason: 'Mother and son' })
    await refresh()
    expect((await stats()).redeemable_referrals).toBe(due + 1)
    const seenReview = approved.body.review?.id ?? null
    const rejected = await review(id, { decision: 'rejected', reason: 'It is one person', seenReview })
    expect(rejected.body.events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['approved', 'rejected']))
    await refresh()
    expect((await stats()).redeemable_referrals).toBe(due)
    expect((await list({ review: 'rejected' })).referrals.map(({ userId }) => userId)).toContain(id)
    expect((await list({ review: 'approved' })).referrals.map(({ userId }) => userId)).not.toContain(id)
    const audit = await server.db
      .selectFrom('audit_log')
      .select(['action', 'reason'])
      .where('subject', '=', 'referral')
      .where('subject_id', '=', String(id))
      .orderBy('id')
      .execute()
    expect(audit.map(({ action }) => action)).toEqual(['referral_approved', 'referral_rejected'])
  })

  it('lowers the review count with the first decision only', async () => {
    const id = await suspicious()
    const toReview = async () => (await peopleCaller.send(readReferrals)).body.toReview
    const before = await toReview()
    const first = await review(id, { decision: 'approved', reason: 'Mother and son', seenReview: null })
    expect(await toReview()).toBe(before - 1)
    await review(id, { decision: 'rejected', reason: 'One person', seenReview: first.body.review?.id ?? null })
    expect(await toReview()).toBe(before - 1)
    await refresh()
    expect(await toReview()).toBe(before - 1)
  })
  it('leaves out credits the referrer got before the customer joined', async () => {
    const friend = await person({ joined_at: daysAgo(60) })
    const brought = await person({ referred_by_customer_id: friend.id, joined_at: daysAgo(9) })
    const credit = {
      customer_id: friend.id,
      delta: 1,
      kind: 'referral' as const,
      reason: 'A friend had a first session',
    }
    for (const created_at of [daysAgo(20), daysAgo(2)])
      await server.db
        .insertInto('credit_entries')
        .values({ ...credit, created_at })
        .execute()
    await refresh()
    const rewards = (await one(brought.id)).body.events.filter(({ kind }) => kind === 'rewarded')
    expect(rewards.map(({ at }) => at)).toEqual([daysAgo(2).toISOString()])
  })
  it('refuses a decision when the caller has not seen the newest one', async () => {
    const id = await suspicious()
    await review(id, { decision: 'approved', reason: 'Fine' })
    const late = await review(id, { decision: 'rejected', reason: 'Not fine', seenReview: null })
    expect(late.status).toBe(409)
    expect(late.failure.current).toMatchObject({ review: { decision: 'approved' } })
  })

  it('refuses referrals that are not suspicious, unknown ids, invalid bodies and callers without permission', async () => {
    const friend = await person()
    const fine = await person({ referred_by_customer_id: friend.id })
    await refresh()
    const body = { decision: 'rejected', reason: 'No' }
    expect((await review(fine.id, body)).status).toBe(409)
    expect((await review(friend.id, body)).status).toBe(404)
    expect((await review(fine.id, { decision: 'maybe', reason: 'x' })).status).toBe(400)
    expect((await review(fine.id, { decision: 'rejected', reason: ' ' })).status).toBe(400)
    expect((await review(fine.id, body, server.as('growth.tab'))).status).toBe(403)
  })
})
