import { openPool } from '@limber/server/platform/db/pool.ts'
import { TEST_NOW } from '@limber/server/platform/testing/testing.ts'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyWholeCompany, SEED_TIMEOUT } from './seed-company.testing.ts'

let pool: pg.Pool
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await copyWholeCompany()
  drop = database.drop
  pool = openPool(database.url)
}, SEED_TIMEOUT)
afterAll(async () => {
  await pool.end()
  await drop()
})

const count = async (sql: string) =>
  (await pool.query<{ count: number }>(`select count(*)::int as count ${sql}`)).rows[0]?.count

describe('businesses of the sample company', () => {
  it('has 18 businesses at every stage, with 60 prepaid blocks', async () => {
    expect(await count('from businesses')).toBe(18)
    expect(await count('from prepaid_blocks')).toBe(60)
    for (const stage of ['contacted', 'pending', 'active', 'ended'])
      expect(await count(`from businesses where stage = '${stage}'`)).toBeGreaterThan(1)
    expect(await count(`from businesses where stage = 'active' and renews_on is null`)).toBeGreaterThan(0)
    expect(await count('from businesses where archived_at is not null')).toBe(1)
    expect(await count(`from businesses where kind = 'school'`)).toBe(1)
  })
  it('has lists of 3 to 5,000 allowed emails, none of them real', async () => {
    const { rows } = await pool.query<{ min: number; max: number }>(
      'select min(n)::int as min, max(n)::int as max from (select count(*) as n from business_emails group by business_id) t',
    )
    expect(rows[0]).toEqual({ min: 3, max: 5000 })
    expect(await count(`from business_emails where email !~ '@([a-z0-9-]+[.])?example[.](com|net|org)$'`)).toBe(0)
  })
  it('has past and upcoming on-site sessions that match blocks and ledger entries', async () => {
    const at = `timestamptz '${TEST_NOW}'`
    expect(await count(`from onsite_sessions where ends_at < ${at} and cancelled_at is null`)).toBeGreaterThan(15)
    expect(await count(`from onsite_sessions where starts_at > ${at} and cancelled_at is null`)).toBeGreaterThan(8)
    expect(await count('from onsite_sessions where cancelled_at is not null')).toBe(2)
    expect(await count('from onsite_participants')).toBeGreaterThan(150)
    const unexplained = `from prepaid_blocks p where (p.used_at is not null) <> exists (
      select from onsite_sessions s where s.block_id = p.id and s.cancelled_at is null)`
    expect(await count(unexplained)).toBe(0)
    const mismatched = `from prepaid_blocks p where (p.used_at is not null)::int <> (select coalesce(sum(
      case kind when 'scheduled' then 1 when 'returned' then -1 else 0 end), 0) from block_entries e where e.block_id = p.id)`
    expect(await count(mismatched)).toBe(0)
  })
  it('never schedules a stretcher who is booked, in another zone, or not trained yet', async () => {
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

const isValid = `k.revoked_at is null and (k.valid_until is null or k.valid_until >= '2026-11-16')`

describe('certifications of the sample company', () => {
  it('has certifications in every status, opened and not', async () => {
    expect(await count(`from certifications k where ${isValid}`)).toBeGreaterThan(40)
    expect(await count(`from certifications k where ${isValid} and k.valid_until < '2026-12-17'`)).toBeGreaterThan(0)
    expect(await count(`from certifications where revoked_at is null and valid_until < '2026-11-16'`)).toBeGreaterThan(
      5,
    )
    expect(await count('from certifications where revoked_at is not null')).toBeGreaterThan(3)
    expect(await count('from certifications where first_opened_at is null')).toBeGreaterThan(10)
    expect(await count('from certification_types where retired_at is not null')).toBe(1)
  })
  it('issues none before training ended or in the future', async () => {
    const early = `from certifications k join stretchers s on s.customer_id = k.customer_id
      where k.issued_on < (s.trained_at at time zone 'America/Los_Angeles')::date - 1 or k.issued_on > '2026-11-16'`
    expect(await count(early)).toBe(0)
    expect(
      await count(`from certifications where revoked_at > timestamptz '${TEST_NOW}' or first_opened_at < created_at`),
    ).toBe(0)
  })
  it('leaves a few stretchers uncertified, none with an upcoming on-site session', async () => {
    const uncertified = `from stretchers s where s.status = 'active' and not exists (
      select from certifications k where k.customer_id = s.customer_id and k.type_id = 1 and ${isValid})`
    expect(await count(uncertified)).toBeGreaterThan(1)
    expect(await count(uncertified)).toBeLessThan(10)
    const hasUpcoming = `exists (select from onsite_sessions o where o.stretcher_id = s.id and o.starts_at > timestamptz '${TEST_NOW}')`
    expect(await count(`${uncertified} and ${hasUpcoming}`)).toBe(0)
  })
})
