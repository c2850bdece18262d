import type { SessionState } from '@limber/contract/businesses/blocks/block.ts'
import { companyZone } from '@limber/contract/kit/company.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { readinessOn, type SessionStretcher } from '#stretchers/public.ts'

export interface CalendarFilter {
  from: string
  to: string
  zone?: number | undefined
  stretcher?: number | undefined
  business?: number | undefined
  status?: SessionState | undefined
}

export interface CalendarRow extends Omit<Row<'onsite_sessions'>, 'cancel_reason' | 'created_at'> {
  business_name: string
  zone_id: number
  zone_name: string
  time_zone: string
  stretcher_name: string
  day: string
  block_hours: number | null
  slot_length_minutes: number | null
  taken_slots: number
  readiness: SessionStretcher['readiness']
}

// A table constraint limits a session to four hours.
const MAX_SESSION_LENGTH = '4 hours'

const inState = (status: SessionState | undefined, now: Date): RawBuilder<boolean> => {
  if (status === 'cancelled') return sql`o.cancelled_at is not null`
  if (status === 'scheduled') return sql`o.cancelled_at is null and o.starts_at > ${now}`
  if (status === 'in_progress')
    return sql`o.cancelled_at is null and o.starts_at <= ${now} and o.ends_at > ${now}
      and o.starts_at > ${now}::timestamptz - interval '${sql.raw(MAX_SESSION_LENGTH)}'`
  if (status === 'delivered') return sql`o.cancelled_at is null and o.ends_at <= ${now}`
  return sql`o.cancelled_at is null`
}

const matching = ({ zone, stretcher, business, status }: CalendarFilter, now: Date) => sql`${inState(status, now)}
  ${zone === undefined ? sql`` : sql`and b.zone_id = ${zone}`}
  ${stretcher === undefined ? sql`` : sql`and o.stretcher_id = ${stretcher}`}
  ${business === undefined ? sql`` : sql`and o.business_id = ${business}`}`

const dayOf = sql<string>`(o.starts_at at time zone z.time_zone)::date`

// Offsets range from UTC-12 to UTC+14. This bounds the days of every zone, so that an index can be used.
const startOfDay = (day: string) => sql`((${day}::date)::timestamp at time zone 'UTC')`
const earliestOf = (day: string) => sql`${startOfDay(day)} - interval '14 hours'`
const latestOf = (day: string) => sql`${startOfDay(day)} + interval '36 hours'`

/** Sessions that start on these days in their time zones, earliest first. Only upcoming ones check readiness. */
export async function findCalendar(
  db: Db,
  filter: CalendarFilter,
  { now, most: limit }: { now: Date; most: number },
): Promise<CalendarRow[]> {
  const companyDay = sql<string>`(o.starts_at at time zone ${companyZone()})`
  const { rows } = await sql<CalendarRow>`
    select o.*, s.first_name || ' ' || s.last_name as stretcher_name, p.block_hours, p.slot_length_minutes,
      (select count(*) from onsite_participants a where a.session_id = o.id) as taken_slots,
      case when o.cancelled_at is null and o.starts_at > ${now} then ${readinessOn(companyDay)} else 'ready' end as readiness
    from (
      select o.id, o.version, o.block_id, o.business_id, b.name as business_name, b.zone_id, z.name as zone_name, z.time_zone,
        o.stretcher_id, ${dayOf} as day, o.starts_at, o.ends_at, o.cancelled_at
      from onsite_sessions o join businesses b on b.id = o.business_id join zones z on z.id = b.zone_id
      where ${matching(filter, now)} and ${dayOf} between ${filter.from}::date and ${filter.to}::date
        and o.starts_at >= ${earliestOf(filter.from)} and o.starts_at < ${latestOf(filter.to)}
      order by o.starts_at, o.id limit ${limit}) o
    join stretchers s on s.id = o.stretcher_id
    left join prepaid_blocks p on p.id = o.block_id
    order by o.starts_at, o.id`.execute(db)
  return rows
}

/**
 * The day of the nearest matching session in one direction. Searches each business of the zone separately: a search across
 * all businesses would scan to the end for a zone without sessions.
 */
function nearestDay(filter: CalendarFilter, now: Date, side: 'before' | 'after') {
  const [isThere, order] =
    side === 'before'
      ? [sql`o.starts_at < ${latestOf(filter.from)} and ${dayOf} < ${filter.from}::date`, sql`o.starts_at desc`]
      : [sql`o.starts_at >= ${earliestOf(filter.to)} and ${dayOf} > ${filter.to}::date`, sql`o.starts_at`]
  const where = sql`${matching(filter, now)} and ${isThere} order by ${order} limit 1`
  return filter.zone === undefined
    ? sql`select ${dayOf} from onsite_sessions o join businesses b on b.id = o.business_id join zones z on z.id = b.zone_id
        where ${where}`
    : sql`select ${dayOf} from zones z join businesses b on b.zone_id = z.id
        join lateral (select o.starts_at from onsite_sessions o where o.business_id = b.id and ${where}) o on true
        where z.id = ${filter.zone} order by ${order} limit 1`
}

/** The nearest days with a session before and after the given days. */
export async function findNearest(
  db: Db,
  filter: CalendarFilter,
  now: Date,
): Promise<{ last_before: string | null; next_after: string | null }> {
  const { rows } = await sql<{ last_before: string | null; next_after: string | null }>`
    select (${nearestDay(filter, now, 'before')}) as last_before, (${nearestDay(filter, now, 'after')}) as next_after`.execute(
    db,
  )
  return rows[0] ?? { last_before: null, next_after: null }
}
