import { transactionCalls } from '@limber/contract/support/sync/transaction-sync.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asProgram } from '#access/api-keys/program.testing.ts'
import { batchTesting, clearRecords } from '#platform/testing/testing.sync.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeBooking } from '../customers/booking.factory.ts'
import { makeCustomer } from '../customers/customer.factory.ts'
import { makeTransaction } from '../customers/transaction.factory.ts'

const { list, readByExternalId, attach } = transactionCalls

let server: TestServer
let app: Awaited<ReturnType<typeof asProgram>>
let customer: number
let booking: number
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())
beforeEach(async () => {
  await clearRecords(server.db)
  app = await asProgram(server)
  customer = (await makeCustomer(server.db)).id
  booking = (await makeBooking(server.db, { customer_id: customer })).id
})

const payment = (n: number, more: object = {}) => ({
  external_id: `t-${n}`,
  customer: { id: customer },
  booking: { id: booking },
  type: 'session_payment',
  amount: '99.5',
  ...more,
})
const { send, readOne, idOf, errorsOf } = batchTesting(() => app, transactionCalls)

describe('POST /api/v1/transactions/batch', () => {
  it('creates transactions and answers for each item', async () => {
    const body = await send(payment(1), payment(2, { amount: 'ten' }), payment(3, { type: 'refund', amount: '-9' }))
    expect(body.results.map(({ status }) => status)).toEqual(['created', 'rejected', 'created'])
    expect(await readOne(idOf(body))).toEqual({
      id: idOf(body),
      external_ids: { app: 't-1' },
      updated_at: expect.any(String),
      customer,
      booking,
      type: 'session_payment',
      amount: '99.5000',
      credits: 0,
      status: 'completed',
      created_at: server.clock.now().toISOString(),
    })
  })

  it('moves no credits', async () => {
    await send(payment(1, { type: 'credit_purchase', booking: undefined, credits: 5 }))
    const { rows } = await sql`select credits from customers where id = ${customer}`.execute(server.db)
    expect(rows).toEqual([{ credits: 0 }])
  })

  it('changes nothing when the same batch is sent again, and only the fields that are sent', async () => {
    const made = await send(payment(1, { status: 'pending' }), payment(2))
    server.clock.advance(60_000)
    expect(await send(payment(1, { status: 'pending' }), payment(2))).toMatchObject({ unchanged: 2, updated: 0 })
    expect(await send({ external_id: 't-1', status: 'completed' })).toMatchObject({ updated: 1 })
    expect(await readOne(idOf(made))).toMatchObject({ status: 'completed', amount: '99.5000', booking })
  })

  it('answers stale to a version older than the one taken', async () => {
    await send(payment(1, { updated_at: '2026-05-02T00:00:00Z' }))
    expect(await send(payment(1, { updated_at: '2026-05-01T00:00:00Z', status: 'failed' }))).toMatchObject({ stale: 1 })
  })

  it('belongs to the kept account of a merged customer, and is not taken for an erased one', async () => {
    const [merged, erased] = [await makeCustomer(server.db), await makeCustomer(server.db)]
    await sql`update customers set merged_into_id = ${customer}, blocked_at = joined_at, blocked_reason = 'merged'
      where id = ${merged.id}`.execute(server.db)
    await sql`update customers set erased_at = joined_at, blocked_at = joined_at, blocked_reason = 'erased'
      where id = ${erased.id}`.execute(server.db)
    const body = await send(payment(1, { customer: { id: merged.id } }), payment(2, { customer: { id: erased.id } }))
    expect(await readOne(idOf(body))).toMatchObject({ customer })
    expect(body.results[1]).toMatchObject({ status: 'rejected', errors: [{ path: 'customer', code: 'erased' }] })
  })

  it.each<[object, string]>([
    [{ customer: 'c-9' }, 'customer missing_reference'],
    [{ booking: 'b-9' }, 'booking missing_reference'],
    [{ customer: undefined }, 'customer required'],
    [{ type: undefined }, 'type required'],
    [{ amount: '-1' }, 'amount invalid'],
    [{ type: 'refund' }, 'amount invalid'],
    [{ booking: null }, 'booking invalid'],
    [{ type: 'credit_purchase' }, 'credits invalid'],
    [{ reason: 'x' }, 'reason unknown_field'],
  ])('rejects %j: %s', async (more, expected) => {
    expect(await errorsOf(payment(1, more))).toEqual([expected])
  })

  it('creates a transaction once when batches race', async () => {
    const items = Array.from({ length: 20 }, (_, n) => payment(n))
    const replies = await Promise.all([1, 2, 3, 4].map(() => send(...items)))
    expect(replies.map(({ created }) => created).sort()).toEqual([0, 0, 0, 20])
  })

  it('takes 1,000 items', async () => {
    expect(await send(...Array.from({ length: 1000 }, (_, n) => payment(n)))).toMatchObject({ created: 1000 })
  })
})

describe('reading transactions', () => {
  it('lists them, the latest change last, with tombstones of deleted ones', async () => {
    const made = await send(payment(1), payment(2), payment(3))
    await send({ external_id: 't-1', status: 'failed' })
    await sql`delete from customer_transactions where id = ${idOf(made, 1)}`.execute(server.db)
    const { body } = await app.send(list)
    expect(body.items.map(({ external_ids }) => external_ids.app)).toEqual(['t-3', 't-1', 't-2'])
    expect(body.items[2]).toMatchObject({ id: idOf(made, 1), reason: 'deleted' })
  })

  it('attaches an id to one that exists, and reads it by that id', async () => {
    const { id } = await makeTransaction(server.db, { customer_id: customer })
    await app.send(attach, { params: { id: String(id) }, body: { external_id: 't-9' } })
    const { body } = await app.send(readByExternalId, { params: { source: 'app', external_id: 't-9' } })
    expect(body).toMatchObject({ id, external_ids: { app: 't-9' } })
  })
})
