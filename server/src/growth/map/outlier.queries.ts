import type { Point } from '@limber/contract/businesses/zones/area.ts'
import { sql } from 'kysely'
import type { ZoneArea } from '#businesses/public.ts'
import type { Db, Tables } from '#platform/db/db.ts'
import { isOutside, isUser } from '../figures/measure.queries.ts'

interface OutsideCity extends Point {
  /** The lowercase name that identifies the city. */
  key: string
  city: string
  users: number
}

const outsiders = sql`customers c where ${isUser} and ${isOutside} and c.city is not null`

/** Users outside every zone by city, with the average of their locations. The most common spelling is the city's name. */
export async function countOutsideCities(db: Db): Promise<OutsideCity[]> {
  const { rows } = await sql<OutsideCity>`
    select lower(c.city) as key, mode() within group (order by c.city) as city, avg(c.latitude) as latitude,
      avg(c.longitude) as longitude, count(*)::int as users
    from ${outsiders} group by 1`.execute(db)
  return rows
}

/** For each city, the home nearest to the average location. It is outside every zone. */
export async function findCentralHomes(db: Db, cities: readonly OutsideCity[]): Promise<Map<string, Point>> {
  const { rows } = await sql<Point & { key: string }>`
    select m.key, h.latitude, h.longitude
    from unnest(${cities.map(({ key }) => key)}::text[], ${cities.map(({ latitude }) => latitude)}::float8[],
      ${cities.map(({ longitude }) => longitude)}::float8[]) m (key, latitude, longitude)
    cross join lateral (select c.latitude, c.longitude from ${outsiders} and lower(c.city) = m.key
      order by (c.latitude - m.latitude) ^ 2 + (c.longitude - m.longitude) ^ 2, c.id limit 1) h`.execute(db)
  return new Map(rows.map(({ key, ...home }) => [key, home]))
}

export const findZoneAreas = (db: Db): Promise<ZoneArea[]> =>
  db.selectFrom('zones').select(['id', 'geometry', 'west', 'south', 'east', 'north']).execute()

export async function putOutliers(db: Db, outliers: readonly Tables['growth_outliers'][]) {
  await sql`delete from growth_outliers`.execute(db)
  await sql`
    insert into growth_outliers (city, latitude, longitude, users)
    select * from unnest(${outliers.map(({ city }) => city)}::text[], ${outliers.map(({ latitude }) => latitude)}::float8[],
      ${outliers.map(({ longitude }) => longitude)}::float8[], ${outliers.map(({ users }) => users)}::int[])`.execute(
    db,
  )
}
