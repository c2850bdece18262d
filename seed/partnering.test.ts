import { RecordKind } from '@limber/contract/access/history/history.ts'
import { refreshFigures } from '@limber/server/growth/public.ts'
import { fixedClock } from '@limber/server/platform/clock.ts'
import { openDb } from '@limber/server/platform/db/db.ts'
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
  await refreshFigures({ db: openDb(pool), clock: fixedClock(TEST_NOW) })
}, SEED_TIMEOUT)
afterAll(async () => {
  await pool.end()
  await drop()
})

const rows = async (sql: string) => (await pool.query(sql)).rows

it('has referrals of every kind, suspicious for every reason, some reviewed', async () => {
  const kinds = await rows('select kind, count(*)::int as count from referrals group by kind order by kind')
  expect(kinds.map(({ kind }) => kind)).toEqual(['stretcher', 'user', 'worker'])
  const reasons = await rows('select distinct unnest(reasons) as reason from referrals order by 1')
  expect(reasons.map(({ reason }) => reason)).toEqual(['burst', 'same_address', 'same_phone', 'self_referral'])
  const [figures] = await rows('select * from referral_figures')
  expect(figures.to_review).toBeGreaterThan(5)
  expect(figures.natural_growth + figures.user_refs + figures.stretcher_refs + figures.worker_refs).toBe(
    figures.total_users,
  )
  const decisions = await rows('select distinct decision from referral_reviews order by 1')
  expect(decisions.map(({ decision }) => decision)).toEqual(['approved', 'rejected'])
  expect(
    await rows(`select v.id from referral_reviews v join referrals r using (customer_id) where r.reasons = '{}'`),
  ).toEqual([])
  expect(
    await rows(
      'select v.id from referral_reviews v join customers c on c.id = v.customer_id where v.created_at < c.joined_at',
    ),
  ).toEqual([])
})

it('has customers on partner lists, campaign teams, and outreach emails', async () => {
  const [shared] = await rows(
    'select count(distinct e.business_id)::int as partners, count(*)::int as people from business_emails e join customers c on c.email = e.email',
  )
  expect(shared.partners).toBeGreaterThan(4)
  expect(shared.people).toBeGreaterThan(30)
  const [teams] = await rows(
    'select count(distinct worker_id)::int as workers, count(*)::int as count from campaign_members',
  )
  expect(teams.workers).toBeGreaterThan(1)
  const [emails] = await rows(`select count(*)::int as count from email_logs where type = 'outreach'`)
  expect(emails.count).toBeGreaterThan(4)
  expect(await rows(`select id from partner_outreach where created_at > timestamptz '${TEST_NOW}'`)).toEqual([])
})

it('has recent staff sessions, all of them ended', async () => {
  const away = await rows(`select w.name from workers w where w.status = 'active' and not exists (
    select from sessions s where s.worker_id = w.id and s.last_seen_at > timestamptz '${TEST_NOW}' - interval '8 days')`)
  expect(away).toEqual([])
  const wrong = await rows(`select id from sessions
    where ended_at is null or last_seen_at < created_at or last_seen_at > timestamptz '${TEST_NOW}' - interval '1 hour'`)
  expect(wrong).toEqual([])
})

it('has audit log entries of several workers, none in the future', async () => {
  const done = await rows('select worker_id, action, at from audit_log')
  expect(new Set(done.map(({ worker_id }) => worker_id)).size).toBeGreaterThan(2)
  expect(new Set(done.map(({ action }) => action)).size).toBeGreaterThan(2)
  expect(done.filter(({ at }) => at > new Date(TEST_NOW))).toEqual([])
})

it('has records whose history can be looked at and restored', async () => {
  const changed = await rows('select distinct subject from audit_log order by 1')
  // Every kind that has a history.
  expect(changed.map(({ subject }) => subject)).toEqual(expect.arrayContaining([...RecordKind.options]))
  // Only a change whose result is still there can be restored.
  expect(
    await rows(`select a.id from audit_log a join training_courses c on a.subject = 'course' and c.course_key = a.subject_id
      where a.after ->> 'title' <> c.title`),
  ).toEqual([])
})
