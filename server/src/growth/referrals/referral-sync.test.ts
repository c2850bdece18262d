import { reviewReferral } from '@limber/contract/growth/referrals/referral.ts'
import { referralCalls } from '@limber/contract/growth/referrals/referral-sync.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asProgram } from '#access/api-keys/program.testing.ts'
import { makeWorker } from '#access/workers/worker.factory.ts'
import { DAY, shift } from '#platform/clock.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeCustomer } from '#support/customers/customer.factory.ts'
import { makeTransaction } from '#support/customers/transaction.factory.ts'
import { refreshFigures } from '../figures/refresh-figures.ts'

const { list, read } = referralCalls

let server: TestServer
let app: Awaited<ReturnType<typeof asProgram>>
beforeAll(async () => {
  server = await startTestServer()
  app = await asProgram(server)
})
afterAll(() => server.stop())

const refresh = () => refreshFigures(server.running.services)
const items = async () => (await app.send(list)).body.items
const marks = async () =>
  (await sql`select * from record_changes where resource = 'referrals' order by record_id`.execute(server.db)).rows

describe('GET /api/v1/referrals', () => {
  it('lists referrals with who referred, and what came of it', async () => {
    const joined_at = shift(server.clock.now(), -40 * DAY)
    const stretcher = await makeStretcher(server.db, {})
    const worker = await makeWorker(server.db)
    const ann = await makeCustomer(server.db, { phone: '+19515550101', joined_at })
    const bob = await makeCustomer(server.db, { phone: '+19515550102', joined_at, referred_by_customer_id: ann.id })
    const dan = await makeCustomer(server.db, {
      phone: '+19515550103',
      joined_at,
      referred_by_stretcher_id: stretcher.id,
    })
    const kim = await makeCustomer(server.db, { phone: '+19515550101', joined_at, referred_by_customer_id: ann.id })
    const lee = await makeCustomer(server.db, { phone: '+19515550104', joined_at, referred_by_worker_id: worker.id })
    await makeTransaction(server.db, { customer_id: bob.id, amount: '80.1234', created_at: server.clock.now() })
    await refresh()
    const found = new Map((await items()).map((item) => [item.id, item]))
    expect([...found.keys()].sort((a, b) => a - b)).toEqual([bob.id, dan.id, kim.id, lee.id])
    expect(found.get(bob.id)).toMatchObject({
      customer: bob.id,
      referred_by: { customer: ann.id },
      joined_at: joined_at.toISOString(),
      booked_at: null,
      converted_at: null,
      earnings: '80.1234',
      suspicions: [],
      decision: null,
    })
    expect(found.get(dan.id)).toMatchObject({ referred_by: { stretcher: stretcher.id } })
    expect(found.get(kim.id)).toMatchObject({ suspicions: ['same_phone'] })
    expect(found.get(lee.id)).toMatchObject({ referred_by: { worker_email: worker.email } })

    const before = await marks()
    await refresh()
    expect(await marks()).toEqual(before)

    const caller = server.as('growth.tab', 'growth.people')
    const body = { decision: 'approved', reason: 'A family.' } as const
    const reviewed = await caller.send(reviewReferral, { params: { id: String(kim.id) }, body })
    expect(reviewed.status, reviewed.text).toBe(200)
    expect((await items()).at(-1)).toMatchObject({ id: kim.id, decision: 'approved' })

    await makeTransaction(server.db, { customer_id: dan.id, amount: '5.0000', created_at: server.clock.now() })
    await refresh()
    expect((await items()).at(-1)).toMatchObject({ id: dan.id, earnings: '5.0000' })
    expect((await app.send(read, { params: { id: String(dan.id) } })).body).toMatchObject({ id: dan.id })

    await sql`update customers set referred_by_worker_id = null where id = ${lee.id}`.execute(server.db)
    await refresh()
    expect((await items()).at(-1)).toMatchObject({ id: lee.id, reason: 'deleted' })
    expect((await app.send(read, { params: { id: String(lee.id) } })).status).toBe(404)
  })

  it('is closed to keys without the scope', async () => {
    const other = await asProgram(server, { scopes: ['customers:read'] })
    expect((await other.send(list)).status).toBe(403)
  })
})
