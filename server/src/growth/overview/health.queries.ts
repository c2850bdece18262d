import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import {
  day,
  dayOf,
  hasNoRecentContact,
  isPartner,
  isPilotOver,
  lastContact,
  renewsSoon,
  startOf,
} from '../figures/measure.queries.ts'

export interface CompanyFigures {
  users: number
  users_before: number
  located: number
  outside: number
  waivers: number
  active_before: number
  churned: number
  bookings: number
  bookings_before: number
  cancelled: number
}

/** The figures of the whole company: all zones plus everything without a zone. */
export async function sumPlaces(db: Db, days: number): Promise<CompanyFigures> {
  const { rows } = await sql<CompanyFigures>`
    select coalesce(sum(users), 0)::int as users, coalesce(sum(users_before), 0)::int as users_before,
      coalesce(sum(located), 0)::int as located, coalesce(sum(located) filter (where zone_id = 0), 0)::int as outside,
      coalesce(sum(waivers), 0)::int as waivers, coalesce(sum(active_before), 0)::int as active_before,
      coalesce(sum(churned), 0)::int as churned, coalesce(sum(bookings), 0)::int as bookings,
      coalesce(sum(bookings_before), 0)::int as bookings_before, coalesce(sum(cancelled), 0)::int as cancelled
    from growth_places where range_days = ${days}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('A sum has one row')
  return row
}

export interface PartnerCounts {
  total: number
  renewals: number
  silent: number
}

/** There are few partners, so they are counted live. */
export async function countPartners(db: Db, today: string, notice: number): Promise<PartnerCounts> {
  const { rows } = await sql<PartnerCounts>`
    select count(*) filter (where ${isPartner})::int as total, count(*) filter (where ${renewsSoon(today, notice)})::int as renewals,
      count(*) filter (where ${hasNoRecentContact(today, notice)})::int as silent
    from businesses u`.execute(db)
  return rows[0] ?? { total: 0, renewals: 0, silent: 0 }
}

export interface WarningRow {
  kind: 'pilot' | 'renewal' | 'no_contact'
  id: number
  name: string
  day: string
  never_contacted: boolean
}

/** Ended pilots, renewals by date, then partners without contact, longest first. */
export async function findWarnings(db: Db, today: string, notice: number, limit: number): Promise<WarningRow[]> {
  const { rows } = await sql<WarningRow>`
    (select 'pilot' as kind, u.id, u.name, u.pilot_ends_on as day, false as never_contacted
      from businesses u where ${isPilotOver(today)} order by u.pilot_ends_on, u.id limit ${limit})
    union all
    (select 'renewal', u.id, u.name, u.renews_on, false
      from businesses u where ${renewsSoon(today, notice)} order by u.renews_on, u.id limit ${limit})
    union all
    (select 'no_contact', u.id, u.name, ${dayOf(lastContact)}, u.last_contact_at is null
      from businesses u where ${hasNoRecentContact(today, notice)} order by ${lastContact}, u.id limit ${limit})`.execute(
    db,
  )
  return rows
}

export const findDays = (db: Db, today: string, days: number) =>
  db
    .selectFrom('growth_days')
    .select(['day', 'joined', 'bookings', 'churned_7', 'churned_30', 'churned_90'])
    .where('day', '>', sql<string>`${day(today, -days)}`)
    .orderBy('day')
    .execute()

/** Number of partners at the end of each day. */
export async function countPartnersByDay(db: Db, today: string, days: number) {
  const { rows } = await sql<{ day: string; count: number }>`
    select d.day::date as day, (select count(*) from businesses u where u.created_at < ${startOf(sql`d.day::date + 1`)}
      and (u.archived_at is null or u.archived_at >= ${startOf(sql`d.day::date + 1`)}))::int as count
    from generate_series(${day(today, 1 - days)}, ${today}::date, interval '1 day') d (day) order by 1`.execute(db)
  return rows
}
