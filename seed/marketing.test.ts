import { openPool } from '@limber/server/platform/db/pool.ts'
import { TEST_NOW } from '@limber/server/platform/testing/testing.ts'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
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

const rows = async (sql: string) => (await pool.query(sql)).rows

it('has 14 campaigns and 900 leads in every status, from every source', async () => {
  const campaigns = await rows('select status, count(*)::int as count from campaigns group by status order by status')
  expect(campaigns.map(({ status }) => status)).toEqual(['active', 'completed', 'paused'])
  expect(campaigns.reduce((sum, { count }) => sum + count, 0)).toBe(14)
  const leads = await rows('select status, count(*)::int as count from leads group by status')
  expect(leads).toHaveLength(6)
  expect(leads.reduce((sum, { count }) => sum + count, 0)).toBe(900)
  for (const { count } of leads) expect(count).toBeGreaterThan(5)
  expect(await rows('select distinct source from leads')).toHaveLength(7)
})

it('has leads whose steps match their status', async () => {
  const broken = await rows(`select l.id from leads l left join lead_steps s on s.lead_id = l.id group by l.id
    having count(*) filter (where s.left_at is null) <> 1 or max(s.status) filter (where s.left_at is null) <> l.status
      or max(s.entered_at) filter (where s.left_at is null) <> l.status_since or min(s.entered_at) <> l.created_at
      or bool_or(s.status <> 'new') <> (l.first_response_at is not null) or max(s.lead_created_at) <> l.created_at
      or max(coalesce(array_position(array['new', 'onboarding_started', 'onboarding_completed', 'contacted', 'converted'], s.status), 1))
        filter (where s.status <> 'converted' or l.status = 'converted') <> l.farthest`)
  expect(broken).toEqual([])
  expect(await rows(`select id from leads where greatest(created_at, status_since) > '${TEST_NOW}'`)).toEqual([])
  expect(await rows(`select id from lead_notes where created_at > '${TEST_NOW}'`)).toEqual([])
})

it('has a few leads that were merged into another lead of the same person', async () => {
  const merged = await rows(`select m.id from merged_leads m join leads l on l.id = m.lead_id and l.email = m.email
    join lead_steps s on s.lead_id = l.id and s.ended_by_merge and s.entered_at = m.created_at and s.left_at = m.merged_at
    where m.created_at > l.created_at and m.merged_at <= '${TEST_NOW}'`)
  expect(merged.length).toBeGreaterThan(4)
  const [{ count }] = await rows('select count(*)::int as count from merged_leads')
  expect(count).toBe(merged.length)
  expect(await rows('select m.id from merged_leads m join leads l on l.id = m.id')).toEqual([])
})

it('has converted leads that are distinct customers with bookings', async () => {
  const wrong = await rows(`select l.id from leads l left join customers c on c.id = l.customer_id
    where l.status = 'converted' and (c.id is null or c.email <> l.email or abs(extract(epoch from c.joined_at - l.converted_at)) > 1)`)
  expect(wrong).toEqual([])
  const [counts] = await rows(`select count(*)::int as converted, count(distinct customer_id)::int as customers,
    count(*) filter (where exists (select from bookings b where b.customer_id = l.customer_id))::int as booked
    from leads l where status = 'converted'`)
  expect(counts.customers).toBe(counts.converted)
  expect(counts.booked).toBeGreaterThan(counts.converted / 2)
})

it('gives each person among the leads a phone number that no customer has', async () => {
  const ofCustomers = await rows(
    'select l.id from leads l join customers c on c.phone = l.phone where l.customer_id is null',
  )
  expect(ofCustomers).toEqual([])
  const shared = await rows(`select phone from leads where phone is not null and customer_id is null
    group by phone having count(distinct email) > 1`)
  expect(shared).toEqual([])
})

it('has leads over a year, more in recent months, and only while their campaign ran', async () => {
  const months = await rows(
    `select date_trunc('month', created_at) as month, count(*)::int as count from leads group by 1 order by 1`,
  )
  expect(months.length).toBeGreaterThanOrEqual(12)
  const [early, late] = [months.slice(0, 6), months.slice(-6)].map((part) =>
    part.reduce((sum, { count }) => sum + count, 0),
  )
  expect(late).toBeGreaterThan(early ?? 0)
  const outside = await rows(`select l.id from leads l join campaigns c on c.id = l.campaign_id
    where l.created_at < c.start_date::timestamp at time zone 'America/Los_Angeles' - interval '1 day'
      or l.created_at > coalesce(c.end_date + 2, 'infinity')`)
  expect(outside).toEqual([])
})
