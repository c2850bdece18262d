import { listBlocks, updateBlock } from '@limber/contract/businesses/blocks/block.ts'
import { activateBlock } from '@limber/contract/businesses/sessions/onsite.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeBlock, makeBusiness, makeSession } from '../business/business.factory.ts'

let server: TestServer
let clerk: TestCaller
let business: { id: number; zone_id: number }
beforeAll(async () => {
  server = await startTestServer()
  clerk = server.as('businesses.manage')
  business = await makeBusiness(server.db)
})
afterAll(() => server.stop())

const blockOf = (overrides = {}) => makeBlock(server.db, { business_id: business.id, ...overrides })
const update = (block_id: number, expires_on: string | null, extra = {}) =>
  clerk.send(updateBlock, { body: { block_id, internal_label: 'Kitchen', expires_on, ...extra } })

describe('POST /api/businesses/blocks/update', () => {
  it('changes the label and the last day, and audits it', async () => {
    const { id } = await blockOf({ expires_on: '2026-12-24' })
    const reply = await update(id, null, { version: 1 })
    expect(reply.body).toMatchObject({ internal_label: 'Kitchen', expires_on: null, state: 'available', version: 2 })
    const [row] = await server.db
      .selectFrom('audit_log')
      .select(['action', 'after'])
      .where('subject', '=', 'prepaid_block')
      .where('subject_id', '=', String(id))
      .execute()
    expect(row).toEqual({ action: 'block_changed', after: { internal_label: 'Kitchen', expires_on: null } })
    expect((await update(id, '2026-12-31', { internal_label: '' })).body).toMatchObject({
      internal_label: '',
      expires_on: '2026-12-31',
    })
  })
  it('makes an expired block usable again, and refuses a last day in the past', async () => {
    const { id } = await blockOf({ expires_on: '2026-11-10' })
    // The last day has passed, but it does not change here.
    expect((await update(id, '2026-11-10')).body.state).toBe('expired')
    expect((await update(id, '2026-11-15')).failure.code).toBe('lapsed')
    expect((await update(id, '2026-11-16')).body.state).toBe('available')
    const { id: stretcher_id } = await makeStretcher(server.db, { zone_id: business.zone_id })
    const reply = await clerk.send(activateBlock, {
      body: { prepaid_block_id: id, stretcher_id, starts_at: '2026-11-16T18:00:00Z' },
    })
    expect(reply.status).toBe(200)
  })
  it("refuses a last day before the session, in the zone's time zone", async () => {
    const { id } = await blockOf()
    await makeSession(server.db, { block_id: id, starts_at: new Date('2026-12-02T03:00:00Z') })
    const refused = await update(id, '2026-11-30')
    expect([refused.status, refused.failure.error]).toEqual([
      422,
      'The session of this block is on Dec 1, 2026. The last day cannot be before that.',
    ])
    expect((await update(id, '2026-12-01')).body).toMatchObject({ is_used: 1, expires_on: '2026-12-01' })
    const { blocks } = (await clerk.send(listBlocks, { body: { business_id: business.id } })).body
    expect(blocks.find((one) => one.id === id)?.session).toBeTruthy()
  })
  it('refuses a stale version with the current block, unknown blocks and callers without permission', async () => {
    const { id } = await blockOf()
    await update(id, null)
    const stale = await update(id, null, { version: 1 })
    expect([stale.status, stale.failure.code]).toEqual([409, 'stale'])
    expect(stale.failure.current).toMatchObject({ id, internal_label: 'Kitchen', version: 2 })
    expect((await update(999_999, null)).status).toBe(404)
    expect((await update(id, '2026-02-30')).status).toBe(400)
    const body = { block_id: id, internal_label: '', expires_on: null }
    expect((await server.as('growth.tab').send(updateBlock, { body })).status).toBe(403)
  })
})
