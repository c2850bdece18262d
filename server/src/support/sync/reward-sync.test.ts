import { rewardCalls } from '@limber/contract/support/sync/reward-sync.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asProgram } from '#access/api-keys/program.testing.ts'
import { batchTesting, clearRecords } from '#platform/testing/testing.sync.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeCustomer } from '../customers/customer.factory.ts'

const { list, readByExternalId, attach } = rewardCalls

let server: TestServer
let app: Awaited<ReturnType<typeof asProgram>>
let customer: number
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())
beforeEach(async () => {
  await clearRecords(server.db)
  app = await asProgram(server)
  customer = (await makeCustomer(server.db)).id
})

const reward = (n: number, more: object = {}) => ({
  external_id: `r-${n}`,
  customer: { id: customer },
  type: 'Free session',
  earned_at: '2026-10-01T10:00:00Z',
  ...more,
})
const { send, readOne, idOf, errorsOf } = batchTesting(() => app, rewardCalls)

describe('POST /api/v1/rewards/batch', () => {
  it('creates rewards and answers for each item', async () => {
    const body = await send(reward(1, { details: 'Ten sessions', points: 500 }), reward(2, { points: -1 }))
    expect(body.results.map(({ status }) => status)).toEqual(['created', 'rejected'])
    expect(await readOne(idOf(body))).toEqual({
      id: idOf(body),
      external_ids: { app: 'r-1' },
      updated_at: expect.any(String),
      customer,
      type: 'Free session',
      details: 'Ten sessions',
      points: 500,
      earned_at: '2026-10-01T10:00:00.000Z',
      expires_at: null,
      redeemed_at: null,
    })
  })

  it('changes nothing when the same batch is sent again, only the fields that are sent, and null clears', async () => {
    const items = [reward(1, { details: 'Ten', expires_at: '2027-01-01T00:00:00Z' })]
    const made = await send(...items)
    expect(await send(...items)).toMatchObject({ unchanged: 1 })
    expect(await send({ external_id: 'r-1', redeemed_at: '2026-11-01T00:00:00Z', details: null })).toMatchObject({
      updated: 1,
    })
    expect(await readOne(idOf(made))).toMatchObject({
      details: null,
      expires_at: '2027-01-01T00:00:00.000Z',
      redeemed_at: '2026-11-01T00:00:00.000Z',
    })
  })

  it('answers stale to a version older than the one taken', async () => {
    await send(reward(1, { updated_at: '2026-05-02T00:00:00Z' }))
    expect(await send(reward(1, { updated_at: '2026-05-01T00:00:00Z', points: 1 }))).toMatchObject({ stale: 1 })
  })

  it('belongs to the kept account of a merged customer, and is not taken for an erased one', async () => {
    const [merged, erased] = [await makeCustomer(server.db), await makeCustomer(server.db)]
    await sql`update customers set merged_into_id = ${customer}, blocked_at = joined_at, blocked_reason = 'merged'
      where id = ${merged.id}`.execute(server.db)
    await send(reward(3, { customer: { id: erased.id } }))
    await sql`update customers set erased_at = joined_at, blocked_at = joined_at, blocked_reason = 'erased'
      where id = ${erased.id}`.execute(server.db)
    const body = await send(reward(1, { customer: { id: merged.id } }), reward(2, { customer: { id: erased.id } }))
    expect(await readOne(idOf(body))).toMatchObject({ customer })
    expect(body.results[1]).toMatchObject({ status: 'rejected', errors: [{ path: 'customer', code: 'erased' }] })
    expect(await errorsOf({ external_id: 'r-3', details: 'Their name' })).toEqual(['customer erased'])
  })

  it.each<[object, string]>([
    [{ customer: 'c-9' }, 'customer missing_reference'],
    [{ customer: undefined }, 'customer required'],
    [{ type: undefined }, 'type required'],
    [{ expires_at: '2026-10-01T10:00:00Z' }, 'expires_at invalid'],
    [{ redeemed_at: '2026-10-01T09:59:59Z' }, 'redeemed_at invalid'],
  ])('rejects %j: %s', async (more, expected) => {
    expect(await errorsOf(reward(1, more))).toEqual([expected])
  })

  it('creates a reward once when batches race', async () => {
    const items = Array.from({ length: 20 }, (_, n) => reward(n))
    const replies = await Promise.all([1, 2, 3, 4].map(() => send(...items)))
    expect(replies.map(({ created }) => created).sort()).toEqual([0, 0, 0, 20])
  })

  it('takes 1,000 items', async () => {
    expect(await send(...Array.from({ length: 1000 }, (_, n) => reward(n)))).toMatchObject({ created: 1000 })
  })
})

describe('reading rewards', () => {
  it('lists them, the latest change last, with tombstones of deleted ones', async () => {
    const made = await send(reward(1), reward(2), reward(3))
    await send({ external_id: 'r-1', points: 5 })
    await sql`delete from rewards where id = ${idOf(made, 1)}`.execute(server.db)
    const { body } = await app.send(list)
    expect(body.items.map(({ external_ids }) => external_ids.app)).toEqual(['r-3', 'r-1', 'r-2'])
    expect(body.items[2]).toMatchObject({ id: idOf(made, 1), reason: 'deleted' })
  })

  it('attaches an id of a second source, and reads by it', async () => {
    const made = await send(reward(1))
    const crm = await asProgram(server, { source: 'crm' })
    await crm.send(attach, { params: { id: String(idOf(made)) }, body: { external_id: 'crm-1' } })
    const { body } = await app.send(readByExternalId, { params: { source: 'crm', external_id: 'crm-1' } })
    expect(body).toMatchObject({ id: idOf(made), external_ids: { app: 'r-1', crm: 'crm-1' } })
  })
})
