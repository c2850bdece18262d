import type { Point } from '@limber/contract/businesses/zones/area.ts'
import { findZone } from '#businesses/public.ts'
import type { Db } from '#platform/db/db.ts'
import { countOutsideCities, findMiddleHomes, findZoneAreas, putOutliers } from '../map/outlier.queries.ts'
import { cityPoint } from '../map/outlier.rules.ts'

/**
 * The cities in which users live outside every zone, each where it lies. The middle of scattered users may fall within a
 * zone between them; so may the point of a city of which a zone holds the centre. Then one of their homes stands for it.
 */
export async function fillOutliers(db: Db) {
  const zones = await findZoneAreas(db)
  const cities = await countOutsideCities(db)
  const points = new Map<string, Point>()
  for (const city of cities) {
    const point = cityPoint(city.key, city)
    if (point && !findZone(point, zones)) points.set(city.key, point)
  }
  const homes = await findMiddleHomes(
    db,
    cities.filter(({ key }) => !points.has(key)),
  )
  await putOutliers(
    db,
    cities.flatMap(({ key, city, users }) => {
      const point = points.get(key) ?? homes.get(key)
      return point ? [{ city, users, latitude: point.latitude, longitude: point.longitude }] : []
    }),
  )
}
