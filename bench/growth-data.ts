import type pg from 'pg'

export const ZONES = 300
const CORNERS = 32
const TEAM = 1500
/** Sessions spread over this many days. Figures look back at most three times 90 days. */
const DAYS = 270

/** A round area of about 3 km, in rows of twenty. */
function areaOf(zone: number) {
  const [lng, lat] = [-119 + (zone % 20) * 0.1, 33 + Math.floor(zone / 20) * 0.1]
  const ring = Array.from({ length: CORNERS }, (_, corner) => {
    const turn = (corner / CORNERS) * 2 * Math.PI
    return [lng + 0.04 * Math.cos(turn), lat + 0.04 * Math.sin(turn)]
  })
  return { lng, lat, geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] } }
}

async function fillZones(data: pg.Client) {
  const areas = Array.from({ length: ZONES }, (_, index) => ({ id: index + 1, ...areaOf(index) }))
  await data.query(
    `insert into zones (id, name, time_zone, geometry, west, south, east, north, created_at)
    select (z ->> 'id')::bigint, 'Zone ' || (z ->> 'id'), 'America/Los_Angeles', z -> 'geometry', lng - 0.04, lat - 0.04, lng + 0.04, lat + 0.04, now()
    from jsonb_array_elements($1::jsonb) z, lateral (select (z ->> 'lng')::float8 as lng, (z ->> 'lat')::float8 as lat) p`,
    [JSON.stringify(areas)],
  )
}

/** As many sessions as customers, with payments and, for completed ones, the pay of the stretcher. */
const statements = (customers: number) => [
  // One in sixteen lives outside all zones. One in ten was referred; about fifty share a referrer.
  `insert into customers (id, first_name, last_name, email, joined_at, credits, city, latitude, longitude, zone_id, waiver_signed_at,
      referred_by_customer_id, phone)
    select n, 'Ada', 'Number' || n, 'user' || n || '@example.com', now() - n::float8 / ${customers} * interval '500 days', n % 4,
      coalesce(z.name, 'City ' || n % 97), coalesce((z.south + z.north) / 2, 37), coalesce((z.west + z.east) / 2, -119 + n % 97 * 0.01), z.id,
      case when n % 3 > 0 then now() end, case when n % 10 = 0 then 1 + (n / 10) % ${Math.ceil(customers / 500)} end,
      '+1951' || lpad((n % 1000003)::text, 7, '0')
    from generate_series(1, ${customers}) n left join zones z on z.id = 1 + n % ${Math.round((ZONES * 16) / 15)}`,
  `insert into stretchers (id, customer_id, zone_id, first_name, last_name, email, status, hired_at, trained_at)
    select n, n, 1 + n % ${ZONES}, 'S', 'T' || n, 'stretcher' || n || '@example.com', 'active', now() - interval '400 days', now() - interval '390 days'
    from generate_series(1, ${TEAM}) n`,
  `insert into earners (id, stretcher_id, created_at) select id, id, hired_at from stretchers`,
  `insert into pay_periods (id, starts_on, ends_on, pay_date, frequency)
    values (1, current_date - 300, current_date + 10, current_date + 12, 'monthly')`,
  `insert into bookings (id, customer_id, stretcher_id, zone_id, starts_at, ends_at, status, price, rating, rated_at, cancelled_at, created_at)
    select n, 1 + (n * 7919::bigint) % ${customers}, 1 + n % ${TEAM}, 1 + n % ${ZONES}, s.at, s.at + interval '1 hour', s.status, 85,
      case when s.status = 'completed' then 3 + n % 3 end, case when s.status = 'completed' then s.at + interval '1 hour' end,
      case when s.status = 'cancelled' then s.at - interval '1 day' end, s.at - (2 + n % 9) * interval '1 day'
    from generate_series(1, ${customers}) n, lateral (select
      now() + interval '3 days' - (n / ${TEAM}) * (interval '${DAYS} days' / ${Math.ceil(customers / TEAM)}) as at,
      case when n / ${TEAM} <= ${Math.ceil((customers / TEAM) * (3 / DAYS))} then 'confirmed' when n % 10 = 0 then 'cancelled' else 'completed' end as status) s`,
  `insert into customer_transactions (id, customer_id, booking_id, transaction_type, amount, created_at)
    select id, customer_id, id, 'session_payment', price, starts_at from bookings where status = 'completed'`,
  `insert into payroll_entries (id, earner_id, type, amount, withheld, employer_tax, pay_period_id, work_date, pay_date, booking_id, created_at)
    select id, stretcher_id, 'session', 38.5, 4, 3, 1, starts_at::date, current_date + 12, id, starts_at from bookings where status = 'completed'`,
  `insert into credit_entries (id, customer_id, delta, kind, transaction_id, created_at)
    select id, customer_id, 1, 'purchase', id, created_at from customer_transactions where id % 4 = 0`,
]

/**
 * Generates a company with this many customers and sessions in the database. Triggers are disabled, and the indexes for the
 * name search are dropped, because no figure reads them and they would take longer than all the rest.
 */
export async function fillGrowth(data: pg.Client, customers: number) {
  const { rows } = await data.query<{ name: string }>(
    `select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where a.amname = 'gin' and i.indrelid = 'customers'::regclass`,
  )
  for (const { name } of rows) await data.query(`drop index ${name}`)
  await data.query(`set session_replication_role = replica`)
  await data.query(`set synchronous_commit = off`)
  await fillZones(data)
  for (const statement of statements(customers)) await data.query(statement)
  await data.query(`set session_replication_role = default`)
  await data.query('vacuum analyze')
}
