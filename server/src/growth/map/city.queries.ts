import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import {
  activitySpans,
  day,
  dayOf,
  isActiveOn,
  isChurnedOn,
  isCompleted,
  isOpen,
  isPaidInCity,
  isRevenue,
  isUser,
  isWithin,
  livesInCity,
  payments,
  windowOf,
  zoneOfPayment,
} from '../figures/measure.queries.ts'

/** A zone, or a city outside every zone. */
export type Place = { zoneId: number } | { city: string }

export interface CityFigures {
  users: number
  active: number
  churned: number
  credits: number
  sessions: number
  booked: number
  revenue: string
}

const livesIn = (place: Place): RawBuilder<boolean> =>
  'zoneId' in place ? sql`c.zone_id = ${place.zoneId}` : livesInCity(place.city)

/** The figures of one place on a day, counted from its rows. A session always has a zone. */
export async function countCity(db: Db, place: Place, today: string, days: number): Promise<CityFigures> {
  const range = windowOf(today, days)
  const [on, length] = [sql`${today}::date`, sql`${days}::int`]
  const isSessionHere = 'zoneId' in place ? sql`b.zone_id = ${place.zoneId}` : sql`false`
  const isPaidHere = 'zoneId' in place ? sql`${zoneOfPayment} = ${place.zoneId}` : isPaidInCity(place.city)
  const { rows } = await sql<CityFigures>`
    with people as materialized (
      select c.id, c.credits from customers c
      where ${isUser} and ${livesIn(place)} and ${dayOf(sql`c.joined_at`)} <= ${today}::date),
    spans as materialized (${activitySpans(
      { from: day(today, 1 - 2 * days), to: day(today) },
      sql`b.customer_id in (select id from people)`,
    )})
    select (select count(*) from people)::int as users, (select coalesce(sum(credits), 0) from people)::int as credits,
      (select count(*) from spans where ${isActiveOn(on, length)})::int as active,
      (select count(*) from spans where ${isChurnedOn(on, length)})::int as churned,
      (select count(*) from bookings b where ${isSessionHere} and ${isCompleted} and ${isWithin(sql`b.starts_at`, range)})::int as sessions,
      (select count(*) from bookings b where ${isSessionHere} and ${isOpen} and ${isWithin(sql`b.created_at`, range)})::int as booked,
      (select coalesce(sum(t.amount), 0)::numeric(18, 4) from ${payments}
        where ${isRevenue} and ${isPaidHere} and ${isWithin(sql`t.created_at`, range)})::text as revenue`.execute(db)
  const [row] = rows
  if (!row) throw new Error('A count has one row')
  return row
}

/** The zone with that name, if there is one. */
export const findZoneNamed = (db: Db, name: string) =>
  db.selectFrom('zones').select('id').where(sql<boolean>`lower(name) = lower(${name})`).executeTakeFirst()
