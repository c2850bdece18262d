import type { StretcherFilter } from '@limber/contract/stretchers/stretcher.ts'
import { sql } from 'kysely'
import { firstMissing, isCertified, isValidOn } from '#certifications/public.ts'
import type { Db, Row } from '#platform/db/db.ts'
import { type Readiness, readinessOn } from './stretcher.queries.ts'

export interface StretcherRecord extends Omit<Row<'stretchers'>, 'deactivated_by'> {
  zone_name: string | null
  readiness: Readiness
  deactivated_by: string | null
  certs_valid: number
  certs_expiring: number
  certs_expired: number
  certs_revoked: number
  bookings: number
  onsite: number
  next_at: Date | null
}

/** The current time, and the days derived from it. */
export interface Today {
  now: Date
  today: string
  /** The last day that counts as expiring soon. */
  soon: string
}

const isUpcoming = (now: Date) => sql`stretcher_id = s.id and starts_at > ${now}`
const openBookings = sql`status in ('requested', 'confirmed')`

/** All columns of the stretcher `s`. Each row queries three more tables, so use it for one page only. */
const columns = ({ now, today, soon }: Today) => sql`
  s.id, s.customer_id, s.first_name, s.last_name, s.email, s.date_of_birth, s.zone_id, z.name as zone_name, s.status,
  ${readinessOn(today)} as readiness, s.hired_at, s.trained_at, s.deactivated_at, s.deactivated_reason, w.name as deactivated_by, s.version,
  k.valid as certs_valid, k.expiring as certs_expiring, k.expired as certs_expired, k.revoked as certs_revoked,
  b.count as bookings, o.count as onsite, least(b.next_at, o.next_at) as next_at
  from stretchers s
  left join zones z on z.id = s.zone_id
  left join workers w on w.id = s.deactivated_by
  cross join lateral (
    select count(*) filter (where ${isValidOn('c', today)}) as valid,
      count(*) filter (where c.revoked_at is null and c.valid_until between ${today}::date and ${soon}::date) as expiring,
      count(*) filter (where c.revoked_at is null and c.valid_until < ${today}::date) as expired,
      count(*) filter (where c.revoked_at is not null) as revoked
    from certifications c where c.customer_id = s.customer_id) k
  cross join lateral (
    select count(*) as count, min(starts_at) as next_at from bookings where ${isUpcoming(now)} and ${openBookings}) b
  cross join lateral (
    select count(*) as count, min(starts_at) as next_at from onsite_sessions where ${isUpcoming(now)} and cancelled_at is null) o`

interface Page extends Today {
  /** A LIKE pattern. Undefined matches all. */
  pattern: string | undefined
  status: StretcherFilter
  zone: number | 'none' | undefined
  sort: 'name' | 'hired'
  order: 'asc' | 'desc'
  limit: number
  offset: number
}

const ofStatus = ({ status, today }: Page) => {
  if (status === 'all') return sql`true`
  if (status === 'not_certified') return sql`s.status = 'active' and not (${isCertified('s.customer_id', today)})`
  return sql`s.status = ${status}`
}

const keys = { name: 'word', hired: 'hired_at' } as const

/** One page and the total in one statement. Matches are materialized before sorting. */
export async function findStretchers(db: Db, page: Page) {
  const { pattern, zone, limit, offset } = page
  const found =
    pattern === undefined
      ? sql`true`
      : sql`lower(s.first_name || ' ' || s.last_name || ' ' || s.email) like lower(${pattern})`
  const inZone = zone === undefined ? sql`true` : zone === 'none' ? sql`s.zone_id is null` : sql`s.zone_id = ${zone}`
  const direction = sql.raw(page.order)
  const order = (from: string) =>
    sql`${sql.ref(`${from}.${keys[page.sort]}`)} ${direction}, ${sql.ref(`${from}.id`)} ${direction}`
  const { rows } = await sql<{ total: number } & (StretcherRecord | { id: null })>`
    with matches as materialized (
      select s.id, lower(s.first_name || ' ' || s.last_name) as word, s.hired_at from stretchers s
      where ${found} and ${ofStatus(page)} and ${inZone}
    ), page as (select * from matches m order by ${order('m')} limit ${limit} offset ${offset})
    select n.total, r.* from (select count(*) as total from matches) n
    left join page p on true
    left join lateral (select ${columns(page)} where s.id = p.id) r on true
    order by ${order('p')}`.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.filter((row): row is { total: number } & StretcherRecord => row.id !== null),
  }
}

export async function findStretcher(db: Db, id: number, today: Today): Promise<StretcherRecord | undefined> {
  const { rows } = await sql<StretcherRecord>`select ${columns(today)} where s.id = ${id}`.execute(db)
  return rows[0]
}

/** Locks the stretcher until the transaction ends. Scheduling and other changes wait. */
export async function lockStretcher(db: Db, id: number, today: Today): Promise<StretcherRecord | undefined> {
  await sql`select from stretchers where id = ${id} for no key update`.execute(db)
  return findStretcher(db, id, today)
}

export interface StretcherCounts {
  active: number
  in_training: number
  inactive: number
  not_certified: number
}

/** Counts all stretchers, regardless of the filter. */
export async function countStretchers(db: Db, today: string): Promise<StretcherCounts> {
  const { rows } = await sql<StretcherCounts>`
    select count(*) filter (where s.status = 'active') as active,
      count(*) filter (where s.status = 'in_training') as in_training,
      count(*) filter (where s.status = 'inactive') as inactive,
      count(*) filter (where s.status = 'active' and not (${isCertified('s.customer_id', today)})) as not_certified
    from stretchers s`.execute(db)
  return rows[0] ?? { active: 0, in_training: 0, inactive: 0, not_certified: 0 }
}

export interface UpcomingSession {
  kind: 'booking' | 'onsite'
  id: number
  starts_at: Date
  ends_at: Date
  place: string
  business_id: number | null
  lacks: string | null
}

/** The next bookings and on-site sessions of a stretcher. */
export async function findUpcomingSessions(db: Db, id: number, now: Date, limit: number): Promise<UpcomingSession[]> {
  const { rows } = await sql<UpcomingSession>`
    (select 'booking' as kind, b.id, b.starts_at, b.ends_at, z.name as place, null::bigint as business_id, null as lacks
     from bookings b join zones z on z.id = b.zone_id
     where b.stretcher_id = ${id} and b.starts_at > ${now} and ${openBookings} order by b.starts_at limit ${limit})
    union all
    (select 'onsite', o.id, o.starts_at, o.ends_at, c.name, c.id,
       ${firstMissing('s.customer_id', sql<string>`company_day(o.starts_at)`)} ->> 'certification'
     from onsite_sessions o join businesses c on c.id = o.business_id join stretchers s on s.id = o.stretcher_id
     where o.stretcher_id = ${id} and o.starts_at > ${now} and o.cancelled_at is null order by o.starts_at limit ${limit})
    order by starts_at, id limit ${limit}`.execute(db)
  return rows
}

export interface HeldCertification
  extends Pick<Row<'certifications'>, 'id' | 'short_id' | 'issued_on' | 'valid_until'> {
  type_name: string
  is_revoked: boolean
  is_valid: boolean
}

export async function findHeldCertifications(db: Db, customerId: number, today: string): Promise<HeldCertification[]> {
  const { rows } = await sql<HeldCertification>`
    select c.id, c.short_id, t.name as type_name, c.issued_on, c.valid_until, c.revoked_at is not null as is_revoked, ${isValidOn('c', today)} as is_valid
    from certifications c join certification_types t on t.id = c.type_id
    where c.customer_id = ${customerId} order by is_valid desc, c.issued_on desc, c.id desc limit 100`.execute(db)
  return rows
}
