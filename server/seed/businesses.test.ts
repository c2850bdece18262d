import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPool } from '#platform/db.ts'
import { copyTemplate, TEST_NOW } from '#platform/testing.ts'
import { loadStory } from './story.ts'

let pool: pg.Pool
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await copyTemplate()
  drop = database.drop
  await loadStory(database.url, { now: new Date(TEST_NOW) })
  pool = openPool(database.url)
})
afterAll(async () => {
  await pool.end()
  await drop()
})

const count = async (sql: string) =>
  (await pool.query<{ count: number }>(`select count(*)::int as count ${sql}`)).rows[0]?.count

describe('the businesses of the sample company', () => {
  it('are eighteen at every stage, with sixty blocks', async () => {
    expect(await count('from businesses')).toBe(18)
    expect(await count('from prepaid_blocks')).toBe(60)
    for (const stage of ['contacted', 'pending', 'active', 'ended'])
      expect(await count(`from businesses where stage = '${stage}'`)).toBeGreaterThan(1)
    expect(await count(`from businesses where stage = 'active' and renews_on is null`)).toBeGreaterThan(0)
    expect(await count('from businesses where archived_at is not null')).toBe(1)
  })
  it('have lists from three to five thousand addresses, none of them real', async () => {
    const { rows } = await pool.query<{ least: number; most: number }>(
      'select min(n)::int as least, max(n)::int as most from (select count(*) as n from business_emails group by business_id) t',
    )
    expect(rows[0]).toEqual({ least: 3, most: 5000 })
    expect(await count(`from business_emails where email !~ '@[a-z0-9-]+[.]example[.]com$'`)).toBe(0)
  })
  it('have sessions behind and ahead of them, each with its block and its lines in the ledger', async () => {
    const at = `timestamptz '${TEST_NOW}'`
    expect(await count(`from onsite_sessions where ends_at < ${at} and cancelled_at is null`)).toBeGreaterThan(15)
    expect(await count(`from onsite_sessions where starts_at > ${at} and cancelled_at is null`)).toBeGreaterThan(8)
    expect(await count('from onsite_sessions where cancelled_at is not null')).toBe(2)
    expect(await count('from onsite_participants')).toBeGreaterThan(150)
    const unexplained = `from prepaid_blocks p where (p.used_at is not null) <> exists (
      select from onsite_sessions s where s.block_id = p.id and s.cancelled_at is null)`
    expect(await count(unexplained)).toBe(0)
    const lines = `from prepaid_blocks p where (p.used_at is not null)::int <> (select coalesce(sum(
      case kind when 'scheduled' then 1 when 'returned' then -1 else 0 end), 0) from block_entries e where e.block_id = p.id)`
    expect(await count(lines)).toBe(0)
  })
  it('never ask for a stretcher who is with somebody else, elsewhere, or not yet trained', async () => {
    const clash = `from onsite_sessions s join bookings b on b.stretcher_id = s.stretcher_id and b.status <> 'cancelled'
      and tstzrange(b.starts_at, b.ends_at) && tstzrange(s.starts_at, s.ends_at) where s.cancelled_at is null`
    expect(await count(clash)).toBe(0)
    const wrong = `from onsite_sessions s join stretchers w on w.id = s.stretcher_id join businesses b on b.id = s.business_id
      where w.zone_id <> b.zone_id or w.status <> 'active' or s.starts_at < w.trained_at`
    expect(await count(wrong)).toBe(0)
    expect(
      await count(
        "from business_notes n join businesses b on b.id = n.business_id where n.created_at < b.created_at - interval '1 day'",
      ),
    ).toBe(0)
  })
})
