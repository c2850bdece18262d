import type pg from 'pg'
import { makeApiKey } from '../../server/src/access/api-keys/api-key.factory.ts'
import { openDb } from '../../server/src/platform/db/db.ts'
import { openPool } from '../../server/src/platform/db/pool.ts'

export const STRETCHERS = 400

/** A key with every scope, of a source. Its limit is not what is measured. */
export async function makeKey(databaseUrl: string, source: string): Promise<string> {
  const pool = openPool(databaseUrl, { size: 1 })
  try {
    return (await makeApiKey(openDb(pool), { source, requestsPerMinute: 100_000_000 })).token
  } finally {
    await pool.end()
  }
}

/** A company with this many customers and as many bookings, all of which another system knows. */
export async function fillCompany(data: pg.Client, customers: number) {
  const { rows } = await data.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where a.amname = 'gin' and i.indrelid = 'customers'::regclass`,
  )
  // Built at once, the indexes of the name search take a fraction of the time.
  for (const { name } of rows) await data.query(`drop index ${name}`)
  await data.query('set session_replication_role = replica')
  await data.query('set synchronous_commit = off')
  const square = {
    type: 'Polygon',
    coordinates: [
      [
        [-118, 33],
        [-117, 33],
        [-117, 34],
        [-118, 34],
        [-118, 33],
      ],
    ],
  }
  await data.query(
    `insert into zones (id, name, time_zone, geometry, west, south, east, north, created_at)
    values (1, 'Bench', 'America/Los_Angeles', $1, -118, 33, -117, 34, now())`,
    [JSON.stringify(square)],
  )
  for (const statement of [
    `insert into customers (first_name, last_name, email, phone, joined_at, city, latitude, longitude, zone_id, zone_precision)
      select 'Ada', 'Okafor' || n, 'known' || n || '@example.com', '+1951' || lpad((n % 10000000)::text, 7, '0'),
        timestamptz '2026-05-01 10:00Z' - n % 100000 * interval '1 minute', 'Riverside', 33.5, -117.5, 1, 'address' from generate_series(1, ${customers}) n`,
    `insert into stretchers (customer_id, zone_id, first_name, last_name, email, status, hired_at, trained_at)
      select id, 1, first_name, last_name, email, 'active', now() - interval '190 days', now() - interval '190 days'
      from customers order by id limit ${STRETCHERS}`,
    `insert into certification_types (name, is_required, created_at) select 'Required ' || n, true, now() from generate_series(1, 2) n`,
    `insert into certifications (short_id, customer_id, type_id, name, instructor, issued_on, valid_until, created_at)
      select lpad((s.id * 10 + t.id)::text, 16, '0'), s.customer_id, t.id, s.first_name, 'Ada', current_date - 700, current_date + 700, now()
      from stretchers s, certification_types t`,
    `insert into bookings (customer_id, stretcher_id, zone_id, starts_at, ends_at, status, price, created_at)
      select 1 + (n * 7919::bigint) % ${customers}, 1 + n % ${STRETCHERS}, 1, s.at, s.at + interval '45 minutes', 'completed', 85, s.at
      from generate_series(1, ${customers}) n, lateral (select now() - (3 + n / ${STRETCHERS}) * interval '1 hour' as at) s`,
    ...Object.entries({ customers: 'c', stretchers: 's', bookings: 'b' }).flatMap(([resource, letter]) => [
      `insert into external_refs (source, resource, external_id, record_id, taken_at, created_at)
        select 'app', '${resource}', '${letter}-' || id, id, now() - interval '1 day', now() from ${resource}`,
      `insert into record_changes (resource, record_id, seq, changed_at) select '${resource}', id, change_seq(), now() from ${resource}`,
    ]),
  ])
    await data.query(statement)
  await data.query('set session_replication_role = default')
  await data.query(`set maintenance_work_mem = '256MB'`)
  for (const { definition } of rows) await data.query(definition)
  await data.query('vacuum analyze')
}

// Newer than what is there.
const FIRST_VERSION = performance.timeOrigin

// As the known customers have it: it does not change with them.
const JOINED = Date.UTC(2026, 4, 1, 10)

/** A customer as an app sends it. `round` makes a version of its own, in which something differs. */
export const customerItem = (n: number, known: boolean, round: number) => ({
  external_id: known ? `c-${n}` : `new-${n}`,
  updated_at: new Date(FIRST_VERSION + round * 1000).toISOString(),
  first_name: 'Ada',
  last_name: `Okafor${n}`,
  email: known ? `known${n}@example.com` : `new${n}@example.com`,
  phone: `+1951${String(n % 10_000_000).padStart(7, '0')}`,
  joined_at: new Date(JOINED - (n % 100_000) * 60_000).toISOString(),
  points: round,
  address: {
    line: `${n} Main Street`,
    city: 'Riverside',
    state: 'CA',
    postal_code: '92501',
    latitude: 33.1 + (n % 800) / 1000,
    longitude: -117.9 + (n % 700) / 1000,
  },
})

const SLOT = 3_600_000

/** A booking of a known customer: half completed and rated, a third ahead, the others canceled. */
export function bookingItem(n: number, customers: number, now: number) {
  const stretcher = 1 + (n % STRETCHERS)
  const place = 2 + Math.floor(n / STRETCHERS)
  const kind = n % 6
  const starts = now + (kind < 3 ? -1 : 1) * place * SLOT - (kind < 3 ? 4000 : 0) * SLOT
  const status = kind < 3 ? 'completed' : kind < 5 ? 'confirmed' : 'cancelled'
  return {
    external_id: `new-${n}`,
    customer: `c-${1 + ((n * 7919) % customers)}`,
    stretcher: `s-${stretcher}`,
    starts_at: new Date(starts).toISOString(),
    ends_at: new Date(starts + 2_700_000).toISOString(),
    status,
    price: '85',
    created_at: new Date(starts - 90_000_000).toISOString(),
    ...(status === 'completed' && { rating: 3 + (n % 3), rated_at: new Date(starts + 3_000_000).toISOString() }),
    ...(status === 'cancelled' && { cancelled_at: new Date(now).toISOString() }),
  }
}
