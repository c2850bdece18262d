// @module-tag slow
import { rolePresets } from '@limber/contract/access/workers/role-presets.ts'
import { boxOf, type ZoneGeometry } from '@limber/contract/businesses/zones/area.ts'
import { findZone } from '@limber/server/businesses/zones/zone.rules.ts'
import { type Db, openDb } from '@limber/server/platform/db/db.ts'
import { openPool } from '@limber/server/platform/db/pool.ts'
import { rounds } from '@limber/server/platform/testing/testing.rounds.ts'
import { copyTemplate, TEST_NOW } from '@limber/server/platform/testing/testing.ts'
import { makeBooking } from '@limber/server/support/customers/booking.factory.ts'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OWN_NUMBER } from './people/phone-book.ts'
import { copySampleCompany, copyWholeCompany, PART_SIZE, SEED_TIMEOUT } from './seed-company.testing.ts'
import { type SeedOptions, seedCompany } from './seed-company.ts'
import { seeders } from './seeders.ts'

const now = new Date(TEST_NOW)
let url: string
let pool: pg.Pool
let db: Db
const drops: (() => Promise<void>)[] = []

async function freshDatabase() {
  const database = await copyTemplate()
  drops.push(database.drop)
  return database.url
}

beforeAll(async () => {
  const database = await copyWholeCompany()
  drops.push(database.drop)
  url = database.url
  pool = openPool(url)
  db = openDb(pool)
}, SEED_TIMEOUT)
afterAll(async () => {
  await pool.end()
  await Promise.all(drops.map((drop) => drop()))
})

// Usage events take longest and are not compared here.
const withoutEvents = seeders.filter(({ name }) => name !== 'Usage events')

/** Loads another company into a fresh database. */
async function withFreshCompany(options: SeedOptions, check: (pool: pg.Pool) => Promise<void>) {
  const fresh = await freshDatabase()
  await seedCompany(fresh, { now, seeders: withoutEvents, ...options })
  const own = openPool(fresh)
  try {
    await check(own)
  } finally {
    await own.end()
  }
}

async function count(sql: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(`select count(*)::int as count ${sql}`)
  return rows[0]?.count ?? Number.NaN
}

/** Hashes of all seeded rows, without the random passkey handles of workers and the time of loading. */
async function fingerprint(of: pg.Pool): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {}
  for (const table of [
    'zones',
    'customers',
    'stretchers',
    'bookings',
    'customer_transactions',
    'credit_entries',
    'workers',
  ]) {
    const columns = table === 'workers' ? `(t.id, t.name, t.email, t.role, t.permissions, t.status, t.created_at)` : 't'
    const { rows } = await of.query<{ hash: string }>(
      `select count(*) || ' ' || md5(string_agg(${columns}::text, '|' order by t.id)) as hash from ${table} t`,
    )
    hashes[table] = rows[0]?.hash ?? ''
  }
  return hashes
}

// Each of these loads a complete company.
describe('loading', { timeout: 120_000 }, () => {
  it('gives the same company for the same day, accepts new records, and restores the ledger triggers', async () => {
    const loaded = await copySampleCompany()
    drops.push(loaded.drop)
    const before = openPool(loaded.url)
    const expected = await fingerprint(before)
    await before.end()
    await withFreshCompany({ partSize: PART_SIZE }, async (again) => {
      expect(await fingerprint(again)).toEqual(expected)
      await makeBooking(openDb(again))
      await expect(again.query('update customers set credits = credits + 1')).rejects.toThrow(/follows credit_entries/)
      const rich = `insert into customers (first_name, last_name, email, joined_at, credits) values ('A', 'B', 'a@b', now(), 1)`
      await expect(again.query(rich)).rejects.toThrow(/follows credit_entries/)
    })
  })

  it('does nothing if the company is already loaded', async () => {
    const before = await fingerprint(pool)
    await seedCompany(url, { now: new Date('2027-03-01T12:00:00Z') })
    expect(await fingerprint(pool)).toEqual(before)
    const { rows } = await pool.query<{ value: unknown }>(`select value from installation where key = 'story'`)
    expect(rows[0]?.value).toEqual({ scale: 1, loadedAt: TEST_NOW, version: 1 })
  })

  it('rejects a database with records and does not change it', async () => {
    const used = await freshDatabase()
    const existing = openPool(used)
    try {
      await makeBooking(openDb(existing))
      await expect(seedCompany(used, { now })).rejects.toThrow('already has records')
      expect((await existing.query('select from customers')).rowCount).toBe(2)
      expect((await existing.query('select from installation')).rowCount).toBe(0)
    } finally {
      await existing.end()
    }
  })

  it.each([0, 0.5, 1001, Number.NaN])('rejects the scale %d', async (scale) => {
    await expect(seedCompany(url, { scale })).rejects.toThrow('whole number')
  })

  it('loads a larger company with the same constraints and indexes', async () => {
    const seederCount = rounds(4, seeders.length)
    const options = { scale: 2, partSize: PART_SIZE, seeders: withoutEvents.slice(0, seederCount) }
    await withFreshCompany(options, async (large) => {
      expect((await large.query('select from customers')).rowCount).toBe(2 * PART_SIZE)
      // Event partitions are tables per day, and only one of the two companies has them.
      const shape = `select md5(string_agg(pg_get_constraintdef(oid), '|' order by conname, conrelid)) as constraints, (
        select md5(string_agg(indexdef, '|' order by indexname)) from pg_indexes
        where schemaname = 'public' and tablename !~ '^events_[0-9]') as indexes
        from pg_constraint where conrelid::regclass::text !~ '^events_[0-9]'`
      expect((await large.query(shape)).rows).toEqual((await pool.query(shape)).rows)
    })
  })
})

describe('the sample company', () => {
  it('has the expected zones, customers, stretchers and workers', async () => {
    expect(await count('from zones')).toBe(24)
    expect(await count('from customers')).toBe(3000)
    expect(await count('from stretchers')).toBe(40)
    for (const status of ['active', 'inactive', 'in_training']) {
      expect(await count(`from stretchers where status = '${status}'`)).toBeGreaterThan(2)
    }
    expect(await count('from customers where zone_id is null and latitude is not null')).toBeGreaterThan(100)
    const { rows } = await pool.query<{ role: string }>('select distinct role from workers')
    expect(rows.map(({ role }) => role).sort()).toEqual(Object.keys(rolePresets).sort())
    expect(
      await count(`from workers where email = 'priya.raman@example.com' and role = 'Owner' and status = 'active'`),
    ).toBe(1)
  })

  it('has a year of past bookings and three weeks of upcoming ones', async () => {
    expect(await count('from bookings')).toBeGreaterThan(9000)
    const at = `timestamptz '${TEST_NOW}'`
    expect(await count(`from bookings where starts_at < ${at} - interval '360 days'`)).toBeGreaterThan(300)
    expect(await count(`from bookings where starts_at > ${at} + interval '14 days'`)).toBeGreaterThan(10)
    expect(await count(`from bookings where starts_at > ${at} + interval '22 days'`)).toBe(0)
    expect(await count(`from bookings where created_at > ${at}`)).toBe(0)
    expect(await count(`from bookings where status in ('confirmed', 'requested') and starts_at < ${at}`)).toBe(0)
    expect(await count(`from bookings where status in ('completed', 'no_show') and ends_at > ${at}`)).toBe(0)
    expect(await count(`from customers where last_login_at > ${at} or joined_at > ${at}`)).toBe(0)
    expect(await count('from events e join customers c on c.id = e.user_id where e.created_at < c.joined_at')).toBe(0)
    const grown = await count(`from bookings where starts_at between ${at} - interval '30 days' and ${at}`)
    const before = await count(
      `from bookings where starts_at between ${at} - interval '395 days' and ${at} - interval '365 days'`,
    )
    expect(grown).toBeGreaterThan(before * 1.3)
  })

  it.each([
    ['session_booked', 'created_at', 'true'],
    ['session_completed', 'ends_at', `status = 'completed'`],
    ['session_cancelled', 'cancelled_at', `status = 'cancelled'`],
    ['session_rated', 'rated_at', 'rating is not null'],
  ])('has one usage event %s for each booking', async (action, moment, condition) => {
    const within = (column: string) =>
      `${column} between timestamptz '${TEST_NOW}' - interval '60 days' and '${TEST_NOW}'`
    const done = `from events where action_type = '${action}' and event_outcome = 'success' and ${within('created_at')}`
    const events = await count(done)
    expect(events).toBeGreaterThan(50)
    expect(events).toBe(await count(`from bookings where ${condition} and ${within(moment)}`))
  })

  it('shows webhooks and sends none', async () => {
    expect(await count('from webhook_deliveries')).toBeGreaterThan(5)
    expect(await count('from webhook_endpoints where enabled')).toBe(0)
    expect(await count("from webhook_endpoints where url !~ '^https://[a-z.-]+[.]example/'")).toBe(0)
  })

  it('has no real email addresses or phone numbers', async () => {
    for (const table of ['customers', 'stretchers', 'workers']) {
      expect(await count(`from ${table} where email not like '%@example.com'`)).toBe(0)
    }
    expect(await count(`from leads where email !~ '@example[.](com|net)$'`)).toBe(0)
    const { rows: phones } = await pool.query<{ table: string; column: string }>(`
      select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and data_type = 'text' and column_name ~ '(^|_)(phone|number)$' order by 1, 2`)
    expect(phones.map(({ table }) => table)).toEqual(expect.arrayContaining(['customers', 'leads', 'texts']))
    for (const { table, column } of phones)
      expect(await count(`from ${table} where ${column} !~ '^\\+1[0-9]{3}55501[0-9]{2}$'`), table).toBe(0)
    expect(await count(`from customers where phone = '${OWN_NUMBER}'`)).toBe(0)
  })

  it('gives each person their own phone number, except for duplicates and shared phones', async () => {
    const shared = (by: string, more = '') => `from (select count(*) as n from customers where phone is not null
      group by ${by} having count(*) > 1 ${more}) s`
    expect(await count(shared('phone, first_name, last_name'))).toBe(6)
    expect(await count(shared('phone'))).toBeLessThan(12)
    expect(await count(shared('phone', 'and count(*) > 2'))).toBe(0)
  })

  it('never books a stretcher twice at a time, before training or after leaving', async () => {
    const overlapping = `from (
      select starts_at < lag(ends_at) over (partition by stretcher_id order by starts_at) as clashes
      from bookings where status <> 'cancelled') b where clashes`
    expect(await count(overlapping)).toBe(0)
    const outside = `from bookings b join stretchers s on s.id = b.stretcher_id
      where s.trained_at is null or b.starts_at < s.trained_at or b.ends_at > s.deactivated_at or b.zone_id <> s.zone_id`
    expect(await count(outside)).toBe(0)
  })

  it('sends stretchers only to customers in their zone', async () => {
    const elsewhere = `from bookings b join customers c on c.id = b.customer_id where c.zone_id is distinct from b.zone_id`
    expect(await count(elsewhere)).toBe(0)
    expect(
      await count(`from bookings b join customers c on c.id = b.customer_id where b.created_at < c.joined_at`),
    ).toBe(0)
  })

  it('has a credit ledger that is consistent at all times', async () => {
    const wrong = `from customers c where c.credits <> (select coalesce(sum(delta), 0) from credit_entries e where e.customer_id = c.id)`
    expect(await count(wrong)).toBe(0)
    const overdrawn = `from (select sum(delta) over (partition by customer_id order by created_at, id) as balance from credit_entries) b where balance < 0`
    expect(await count(overdrawn)).toBe(0)
    const unexplained = `from bookings b where b.credits_used <> -(select coalesce(sum(delta), 0) from credit_entries e where e.booking_id = b.id)`
    expect(await count(unexplained)).toBe(0)
    const unpaid = `from credit_entries e join customer_transactions t on t.id = e.transaction_id
      where t.credits <> e.delta or t.status <> 'completed' or t.customer_id <> e.customer_id`
    expect(await count(unpaid)).toBe(0)
  })

  it('has ratings of completed sessions only, most of them good', async () => {
    expect(await count(`from bookings where rating is not null and status <> 'completed'`)).toBe(0)
    const rated = await count('from bookings where rating is not null')
    expect(await count('from bookings where rating >= 4')).toBeGreaterThan(rated * 0.8)
    const { rows } = await pool.query<{ kinds: number }>('select count(distinct feedback)::int as kinds from bookings')
    expect(rows[0]?.kinds).toBeGreaterThan(800)
  })
})

describe('zones', () => {
  const areas = async () =>
    db.selectFrom('zones').select(['id', 'geometry', 'west', 'south', 'east', 'north']).execute()

  it('contain the addresses of their customers', async () => {
    const zones = await areas()
    const customers = await db
      .selectFrom('customers')
      .select(['latitude', 'longitude', 'zone_id'])

      .execute()
    const wrong = customers.filter(({ latitude, longitude, zone_id }) => {
      const zone = latitude !== null && longitude !== null ? findZone({ latitude, longitude }, zones) : undefined
      return (zone?.id ?? null) !== zone_id
    })
    expect(wrong).toEqual([])
  })

  it('have matching bounding boxes and between 8 and 20 corners', async () => {
    for (const { geometry, west, south, east, north } of await areas()) {
      expect(boxOf(geometry)).toEqual({ west, south, east, north })
      const corners = (geometry.coordinates[0]?.length ?? 0) - 1
      expect(corners).toBeGreaterThanOrEqual(8)
      expect(corners).toBeLessThanOrEqual(20)
    }
  })

  it('do not overlap', async () => {
    const outlines = (await areas()).map(({ geometry }) => edgesOf(geometry))
    const crossings = outlines.flatMap((one, index) =>
      outlines.slice(index).flatMap((other) => one.flatMap((a) => other.filter((b) => cross(a, b)))),
    )
    expect(crossings).toEqual([])
  })
})

type Edge = readonly [number, number, number, number]

const edgesOf = ({ coordinates: [ring = []] }: ZoneGeometry): Edge[] =>
  ring.slice(1).map((to, index) => [...(ring[index] ?? to), ...to] as const)

const side = (x1: number, y1: number, x2: number, y2: number, x: number, y: number) =>
  Math.sign(Math.round(((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)) * 1e9))

/** Whether two edges cross. Touching or overlapping edges do not count. */
const cross = (a: Edge, b: Edge) =>
  side(...a, b[0], b[1]) * side(...a, b[2], b[3]) < 0 && side(...b, a[0], a[1]) * side(...b, a[2], a[3]) < 0

describe('tech data', () => {
  it('has grouped failures, some of them handled, and a reopened group', async () => {
    expect(await count('from event_failures where group_id is null')).toBe(0)
    expect(await count('from error_groups')).toBeGreaterThan(15)
    expect(await count('from error_groups where is_handled')).toBeGreaterThan(0)
    expect(await count('from error_groups where times_reopened > 0 and not is_handled')).toBeGreaterThan(0)
    const { rows } = await pool.query(
      'select sum(total)::int as total, (select count(*)::int from event_failures) as failures from error_groups',
    )
    expect(rows[0].total).toBe(rows[0].failures)
  })
  it.each(['sent', 'waiting', 'dead', 'discarded'])('has deliveries that are %s', async (state) => {
    expect(await count(`from outbox where state = '${state}'`)).toBeGreaterThan(0)
  })
  it.each(['done', 'failed', 'rejected'])('has inbound events that are %s', async (status) => {
    expect(await count(`from inbound_events where status = '${status}'`)).toBeGreaterThan(0)
  })
})
