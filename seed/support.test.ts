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

it('has 250 tickets in every status, consistent with their messages', async () => {
  const counts = await rows('select status, count(*)::int as count from tickets group by status order by status')
  expect(counts.map(({ status }) => status)).toEqual(['closed', 'in_progress', 'open'])
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(250)
  for (const { count } of counts) expect(count).toBeGreaterThan(5)
  const wrong = await rows(`select t.id from tickets t left join ticket_messages m on m.ticket_id = t.id group by t.id
    having count(m.id) <> t.message_count or count(m.id) = 0 or max(m.created_at) <> t.updated_at
      or (t.waiting_since is null) = (select from_customer from ticket_messages where ticket_id = t.id order by id desc limit 1)`)
  expect(wrong).toEqual([])
  expect(await rows(`select id from tickets where updated_at > '${TEST_NOW}'`)).toEqual([])
})

it('has customer notes, rewards in every state, and rating attributes', async () => {
  const [counts] = await rows(`select (select count(*)::int from customer_notes) as notes,
    (select count(*)::int from rewards where redeemed_at is not null) as redeemed,
    (select count(*)::int from rewards where redeemed_at is null) as current,
    (select count(*)::int from bookings where rating_attributes <> '{}') as praised`)
  for (const [name, count] of Object.entries(counts)) expect([name, Number(count) > 50]).toEqual([name, true])
})

it('has suggestion reviews, the last one matching the status', async () => {
  const found = await rows(`select s.status, count(r.id)::int as reviews,
      bool_and(s.status = (select status from kb_suggestion_reviews where suggestion_id = s.id order by id desc limit 1)) as agrees
    from kb_suggestions s left join kb_suggestion_reviews r on r.suggestion_id = s.id group by s.status order by s.status`)
  expect(found).toEqual([
    { status: 'approved', reviews: 5, agrees: true },
    { status: 'implemented', reviews: 10, agrees: true },
    { status: 'pending', reviews: 0, agrees: null },
    { status: 'rejected', reviews: 5, agrees: true },
  ])
})

it('has 11 saved replies by the support lead, with known placeholders only', async () => {
  const found = await rows(`select r.name, w.role,
      (select array_agg(distinct m[1]) from regexp_matches(r.content, '\\{([^}]*)\\}', 'g') m) as filled
    from saved_replies r join workers w on w.id = r.changed_by where r.changed_at <= '${TEST_NOW}'`)
  expect(found).toHaveLength(11)
  expect(new Set(found.map(({ role }) => role))).toEqual(new Set(['Support Lead']))
  const known = ['agent', 'credits', 'first name', 'name', 'ticket']
  expect(found.flatMap(({ filled }) => filled).filter((name) => !known.includes(name))).toEqual([])
})

it('has saved replies that can be sent as they are', async () => {
  const found = await rows(`select name, content from saved_replies order by id`)
  for (const { name, content } of found) {
    const [greeting, ...paragraphs] = String(content).split('\n\n')
    expect(greeting, name).toBe('Hi {first name},')
    expect(paragraphs.pop(), name).toBe('Best,\n{agent}')
    expect(paragraphs.length, name).toBeGreaterThan(0)
    for (const paragraph of paragraphs) {
      expect(paragraph, name).toMatch(/^[A-Z].*[.?!]$/s)
      // Every sentence starts with a capital letter.
      expect(paragraph, name).not.toMatch(/[.?!] [a-z]/)
    }
    expect(content, name).not.toMatch(/e-mail|working days|[;:]/)
  }
})

it('has macros with tags that exist, and work around its tickets', async () => {
  const [counts] = await rows(`select
    (select count(*)::int from saved_replies where jsonb_array_length(actions) > 0 and uses > 0) as macros,
    (select count(*)::int from saved_replies r, jsonb_array_elements(r.actions) a
      where a ->> 'type' = 'tag' and exists (select from ticket_tags where id = (a ->> 'tag')::bigint)) as tags,
    (select count(*)::int from ticket_tasks where done_at is null) as tasks,
    (select count(*)::int from ticket_links l join tickets a on a.id = l.from_id join tickets b on b.id = l.to_id
      where a.customer_id = b.customer_id) as links,
    (select count(distinct worker_id)::int from ticket_watchers) as watchers,
    (select count(*)::int from round_robin_members) as members,
    (select count(*)::int from absences where substitute_id is not null) as absences`)
  expect(counts).toEqual({ macros: 3, tags: 3, tasks: 4, links: 6, watchers: 1, members: 3, absences: 1 })
})

it('has 20 suggestions in every status and 2,000 encrypted emails besides those to partners', async () => {
  const [counts] = await rows(`select (select count(*)::int from kb_suggestions) as suggestions,
    (select count(distinct status)::int from kb_suggestions) as states, (select count(*)::int from email_logs where type <> 'outreach') as emails,
    (select count(distinct type)::int from email_logs) as types,
    (select count(*)::int from email_logs where position('example.com'::bytea in to_sealed) > 0) as readable`)
  expect(counts).toEqual({ suggestions: 20, states: 4, emails: 2000, types: 7, readable: 0 })
})

it('has 1,500 text messages, all with fictional numbers', async () => {
  const [counts] = await rows(`select count(*)::int as texts, count(distinct number)::int > 50 as are_many,
    bool_and(number ~ '^\\+1[0-9]{3}55501[0-9]{2}$') as are_fictional, count(distinct state)::int >= 4 as have_states from texts`)
  expect(counts).toEqual({ texts: 1500, are_many: true, are_fictional: true, have_states: true })
  expect(await rows(`select id from texts where sent_at > '${TEST_NOW}'`)).toEqual([])
})

it('has 25 notifications with consistent figures', async () => {
  const states = await rows('select status, count(*)::int as count from notifications group by status order by status')
  expect(states.map(({ status }) => status)).toEqual(['cancelled', 'failed', 'scheduled', 'sent', 'undone'])
  expect(states.reduce((sum, { count }) => sum + count, 0)).toBe(25)
  expect(
    await rows(
      'select id from notifications where people <> waiting + sent + failed or people = 0 or delivered > sent',
    ),
  ).toEqual([])
})

it('has kept most promises to customers, and missed some', async () => {
  const found = await rows(
    `select outcome, count(*)::int as count from ticket_promises group by outcome order by outcome`,
  )
  const counts = Object.fromEntries(found.map(({ outcome, count }) => [outcome ?? 'open', count]))
  expect(counts.kept).toBeGreaterThan(100)
  expect(counts.missed).toBeGreaterThan(5)
  expect(counts.missed / (counts.kept + counts.missed)).toBeLessThan(0.3)
  expect(await rows('select ticket_id from ticket_times where is_stale')).toEqual([])
  const channels = await rows('select distinct channel from ticket_times order by channel')
  expect(channels.map(({ channel }) => channel)).toEqual(['api', 'email', 'worker'])
})

it('has ratings, most of them good, for some of the closed tickets', async () => {
  const found = await rows('select rating, count(*)::int as count from ticket_ratings group by rating order by rating')
  const counts = Object.fromEntries(found.map(({ rating, count }) => [rating ?? 'none', count]))
  expect(counts.good).toBeGreaterThan(30)
  expect(counts.bad).toBeGreaterThan(1)
  expect(counts.bad).toBeLessThan(counts.good / 2)
  expect(counts.none).toBeGreaterThan(30)
  expect(await rows(`select ticket_id from ticket_ratings where rated_at > '${TEST_NOW}'`)).toEqual([])
})
