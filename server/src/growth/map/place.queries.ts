import type { Box, ZoneGeometry } from '@limber/contract/businesses/zones/area.ts'
import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'

export type PlaceRow = Row<'growth_places'>
export interface MapZoneRow extends PlaceRow {
  id: number
  name: string
  geometry: ZoneGeometry
}

/** Far more zones than a map can show at once. */
const MAX_ZONES = 5000
const MAX_OUTLIERS = 500

const touches = ({ west, south, east, north }: Box) =>
  sql<boolean>`(z.west <= ${east} and z.east >= ${west} and z.south <= ${north} and z.north >= ${south})`

/** The zones that intersect the bounding box, with their stored figures. A zone created after the refresh has none. */
export const findMapZones = (db: Db, days: number, box: Box | undefined): Promise<MapZoneRow[]> =>
  db
    .selectFrom('zones as z')
    .innerJoin('growth_places as g', (join) => join.onRef('g.zone_id', '=', 'z.id').on('g.range_days', '=', days))
    .selectAll('g')
    .select(['z.id', 'z.name', 'z.geometry'])
    .where(box ? touches(box) : sql<boolean>`true`)
    .orderBy('g.users', 'desc')
    .orderBy('z.id')
    .limit(MAX_ZONES)
    .execute()

/** The ids of the zones that intersect the bounding box. */
export async function findZoneIds(db: Db, box: Box): Promise<number[]> {
  const rows = await db.selectFrom('zones as z').select('z.id').where(touches(box)).execute()
  return rows.map(({ id }) => id)
}

export const findPlace = (db: Db, days: number, zoneId: number) =>
  db
    .selectFrom('growth_places')
    .selectAll()
    .where('range_days', '=', days)
    .where('zone_id', '=', zoneId)
    .executeTakeFirst()

export const findZone = (db: Db, id: number) =>
  db
    .selectFrom('zones')
    .select(['id', 'name', 'west', 'south', 'east', 'north'])
    .where('id', '=', id)
    .executeTakeFirst()

/** The point on the map for a city outside every zone. */
export const findOutlier = (db: Db, city: string) =>
  db
    .selectFrom('growth_outliers')
    .select(['latitude', 'longitude'])
    .where(sql`lower(city)`, '=', city.toLowerCase())
    .executeTakeFirst()

export async function findOutliers(db: Db, box: Box | undefined) {
  let query = db.selectFrom('growth_outliers').select(['city', 'latitude', 'longitude', 'users'])
  if (box)
    query = query
      .where('latitude', '>=', box.south)
      .where('latitude', '<=', box.north)
      .where('longitude', '>=', box.west)
      .where('longitude', '<=', box.east)
  return query.orderBy('users', 'desc').orderBy('city').limit(MAX_OUTLIERS).execute()
}

/** Users outside every zone: they have an address but no zone. */
export async function countOutside(db: Db): Promise<number> {
  const row = await db
    .selectFrom('growth_places')
    .select('located')
    .where('zone_id', '=', 0)
    .where('range_days', '=', 30)
    .executeTakeFirst()
  return row?.located ?? 0
}
