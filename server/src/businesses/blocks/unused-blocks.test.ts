import { listUnusedBlocks, MAX_UNUSED_BLOCKS } from '@limber/contract/businesses/blocks/block.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeBlock, makeBusiness, makeSession } from '../business/business.factory.ts'
import { makeZone } from '../zones/zone.factory.ts'
import { findUnusedBlocks } from './block.queries.ts'

let server: TestServer
let clerk: TestCaller
beforeAll(async () => {
  server = await startTestServer()
  clerk = server.as('businesses.manage')
})
afterAll(() => server.stop())

const listed = async () => (await clerk.send(listUnusedBlocks)).body
const idsOf = async () => (await listed()).blocks.map(({ id }) => id)

describe('GET /api/onsite/unused-blocks', () => {
  it('lists blocks of all businesses, those that expire first at the top', async () => {
    const zone = await makeZone(server.db, { time_zone: 'America/New_York' })
    const here = await makeBusiness(server.db, { zone_id: zone.id })
    const there = await makeBusiness(server.db)
    const never = await makeBlock(server.db, { business_id: here.id, expires_on: null })
    const late = await makeBlock(server.db, { business_id: there.id, expires_on: '2027-01-31' })
    const soon = await makeBlock(server.db, { business_id: here.id, expires_on: '2026-12-01', internal_label: 'Dock' })
    const used = await makeBlock(server.db, { business_id: here.id })
    await makeSession(server.db, { block_id: used.id, starts_at: new Date('2027-01-06T17:00:00Z') })
    const gone = await makeBusiness(server.db, { archived_at: new Date() })
    await makeBlock(server.db, { business_id: gone.id })
    expect(await idsOf()).toEqual([soon.id, late.id, never.id])
    const { blocks, isMore } = await listed()
    expect(isMore).toBe(false)
    expect(blocks[0]).toEqual({
      id: soon.id,
      block_hours: soon.block_hours,
      slot_length_minutes: soon.slot_length_minutes,
      internal_label: 'Dock',
      expires_on: '2026-12-01',
      business: {
        id: here.id,
        name: here.name,
        admin_email: here.admin_email,
        zone_name: zone.name,
        time_zone: 'America/New_York',
      },
    })
  })

  it('counts the last day in the time zone of the business', async () => {
    const before = await idsOf()
    // While it is the 16th in Los Angeles, it is the 17th in Kiritimati.
    expect(server.clock.now().toISOString()).toMatch(/^2026-11-16T1[0-9]/)
    const [west, line] = [
      await makeZone(server.db, { time_zone: 'America/Los_Angeles' }),
      await makeZone(server.db, { time_zone: 'Pacific/Kiritimati' }),
    ]
    const blocks = []
    for (const { id } of [west, line]) {
      const business = await makeBusiness(server.db, { zone_id: id })
      blocks.push(await makeBlock(server.db, { business_id: business.id, expires_on: '2026-11-16' }))
    }
    expect((await idsOf()).filter((id) => !before.includes(id))).toEqual([blocks[0]?.id])
  })

  it('is limited, and says so', async () => {
    const { id } = await makeBusiness(server.db)
    for (let n = 0; n < MAX_UNUSED_BLOCKS; n++) await makeBlock(server.db, { business_id: id })
    const { blocks, isMore } = await listed()
    expect([blocks.length, isMore]).toEqual([MAX_UNUSED_BLOCKS, true])
  })

  it('reads no more rows when there are many more blocks', async () => {
    const { id } = await makeBusiness(server.db)
    await sql`
      insert into prepaid_blocks (business_id, block_hours, slot_length_minutes, internal_label, expires_on, used_at, created_at)
      select ${id}, 2, 15, '', case when n % 2 = 0 then date '2020-01-01' + n % 1000 end, case when n < 15000 then now() end, now()
      from generate_series(1, 20000) n`.execute(server.db)
    await sql`analyze prepaid_blocks, businesses`.execute(server.db)
    const read = await server.db.transaction().execute(async (tx) => {
      await findUnusedBlocks(tx, server.clock.now(), MAX_UNUSED_BLOCKS)
      const { rows } = await sql<{ rows: number }>`
        select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = 'prepaid_blocks'`.execute(
        tx,
      )
      return rows[0]?.rows
    })
    expect(read).toBeLessThan(500)
  })

  it('is for workers who manage businesses', async () => {
    expect((await server.as('support.tab').send(listUnusedBlocks)).status).toBe(403)
  })
})
