import { creditCalls } from '@limber/contract/support/sync/credit-sync.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asProgram } from '#access/api-keys/program.testing.ts'
import { batchTesting, clearRecords } from '#platform/testing/testing.sync.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeBooking } from '../customers/booking.factory.ts'
import { makeCreditEntry } from '../customers/credit-entry.factory.ts'
import { makeCustomer } from '../customers/customer.factory.ts'
import { makeTransaction } from '../customers/transaction.factory.ts'

const { batch, list, read, readByExternalId } = creditCalls

let server: TestServer
let app: Awaited<ReturnType<typeof asProgram>>
let customer: number
let booking: number
let transaction: number
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())
beforeEach(async () => {
  await clearRecords(server.db)
  app = await asProgram(server)
  customer = (await makeCustomer(server.db)).id
  booking = (await makeBooking(server.db, { customer_id: customer })).id
  transaction = (await makeTransaction(server.db, { customer_id: customer })).id
})

const bought = (n: number, more: object = {}) => ({
  external_id: `cr-${n}`,
  customer: { id: customer },
  delta: 5,
  kind: 'purchase',
  transaction: { id: transaction },
  ...more,
})
const used = (n: number, delta = -1) => ({
  external_id: `cr-${n}`,
  customer: { id: customer },
  delta,
  kind: 'use',
  booking: { id: booking },
})
const { send, errorsOf, statusesOf } = batchTesting(() => app, creditCalls)
const balance = async (id = customer) => {
  const { rows } = await sql<{ credits: number }>`select credits from customers where id = ${id}`.execute(server.db)
  return rows[0]?.credits
}

describe('POST /api/v1/credits/batch', () => {
  it('adds entries, which move the balance', async () => {
    const { results } = await send(bought(1), used(2), { ...bought(3), kind: 'referral', delta: 1 })
    expect(results.map(({ status }) => status)).toEqual(['created', 'created', 'created'])
    expect(await balance()).toBe(5)
    const { body } = await app.send(read, { params: { id: String(results[1]?.id) } })
    expect(body).toEqual({
      id: results[1]?.id,
      external_ids: { app: 'cr-2' },
      updated_at: expect.any(String),
      customer,
      delta: -1,
      kind: 'use',
      booking,
      transaction: null,
      created_at: server.clock.now().toISOString(),
    })
  })

  it('takes an entry once: the same one again is unchanged, a different one immutable', async () => {
    await send(bought(1))
    server.clock.advance(60_000)
    expect(await send(bought(1, { updated_at: '2026-11-01T00:00:00Z' }))).toMatchObject({ unchanged: 1 })
    expect(await errorsOf(bought(1, { delta: 6 }))).toEqual([' immutable'])
    expect(await send(bought(2), bought(2), bought(2, { delta: 1 }))).toMatchObject({
      created: 1,
      unchanged: 1,
      rejected: 1,
    })
    expect(await balance()).toBe(10)
  })

  it('rejects only the entry that would overdraw the balance, in order', async () => {
    expect(await statusesOf(used(1), bought(2), used(3, -3), used(4, -3), used(5, -2))).toEqual([
      'rejected',
      'created',
      'created',
      'rejected',
      'created',
    ])
    expect(await balance()).toBe(0)
    expect(await errorsOf(used(6))).toEqual(['delta too_few_credits'])
    // A rejected entry is not taken: it may be sent again once there are credits.
    expect(await statusesOf(bought(7), used(6))).toEqual(['created', 'created'])
  })

  it('never overdraws when sources race', async () => {
    await send(bought(1))
    const programs = await Promise.all(['a', 'b', 'c', 'd'].map((source) => asProgram(server, { source })))
    const replies = await Promise.all(
      programs.map((program) => program.send(batch, { body: { items: [used(1, -2), used(2, -2)] } })),
    )
    expect(replies.reduce((sum, { body }) => sum + body.created, 0)).toBe(2)
    expect(await balance()).toBe(1)
  })

  it('adds an entry once when batches race', async () => {
    const items = Array.from({ length: 20 }, (_, n) => bought(n))
    const replies = await Promise.all([1, 2, 3, 4].map(() => send(...items)))
    expect(replies.map(({ created }) => created).sort()).toEqual([0, 0, 0, 20])
    expect(await balance()).toBe(100)
  })

  it('goes to the kept account of a merged customer, and not to an erased one', async () => {
    const [merged, erased] = [await makeCustomer(server.db), await makeCustomer(server.db)]
    await sql`update customers set merged_into_id = ${customer}, blocked_at = joined_at, blocked_reason = 'merged'
      where id = ${merged.id}`.execute(server.db)
    await sql`update customers set erased_at = joined_at, blocked_at = joined_at, blocked_reason = 'erased'
      where id = ${erased.id}`.execute(server.db)
    const body = await send(bought(1, { customer: { id: merged.id } }), bought(2, { customer: { id: erased.id } }))
    expect(body.results[1]).toMatchObject({ status: 'rejected', errors: [{ path: 'customer', code: 'erased' }] })
    expect([await balance(), await balance(merged.id)]).toEqual([5, 0])
  })

  it.each<[object, string]>([
    [{ customer: undefined }, 'customer invalid'],
    [{ customer: 'c-9' }, 'customer missing_reference'],
    [{ transaction: 't-9' }, 'transaction missing_reference'],
    [{ transaction: null }, 'transaction invalid'],
    [{ delta: 0 }, 'delta invalid'],
    [{ delta: -5 }, 'delta invalid'],
    [{ kind: 'refund', delta: -1 }, 'delta invalid'],
    [{ kind: 'use', delta: -1, booking: 'b-9' }, 'booking missing_reference'],
    [{ kind: 'use', delta: -1 }, 'booking invalid'],
    [{ kind: 'grant' }, 'kind invalid'],
    [{ reason: 'Goodwill' }, 'reason unknown_field'],
  ])('rejects %j: %s', async (more, expected) => {
    expect(await errorsOf(bought(1, more))).toContain(expected)
    expect(await balance()).toBe(0)
  })

  it('takes 1,000 items', async () => {
    expect(await send(...Array.from({ length: 1000 }, (_, n) => bought(n)))).toMatchObject({ created: 1000 })
    expect(await balance()).toBe(5000)
  })
})

describe('reading credits', () => {
  it('lists entries, also those of staff, without their reason', async () => {
    await send(bought(1))
    await makeCreditEntry(server.db, { customer_id: customer, delta: 2, reason: 'They were angry' })
    const { body } = await app.send(list)
    expect(body.items).toMatchObject([
      { kind: 'purchase', delta: 5 },
      { kind: 'grant', delta: 2, external_ids: {} },
    ])
    expect(JSON.stringify(body)).not.toContain('angry')
  })

  it('reads one by external id', async () => {
    const { results } = await send(bought(1))
    const { body } = await app.send(readByExternalId, { params: { source: 'app', external_id: 'cr-1' } })
    expect(body.id).toBe(results[0]?.id)
  })
})
