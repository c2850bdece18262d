import type { Point } from '@limber/contract/businesses/zones/area.ts'
import { findZone } from '#businesses/public.ts'
import type { Db } from '#platform/db/db.ts'
import { countOutsideCities, findCentralHomes, findZoneAreas, putOutliers } from '../map/outlier.queries.ts'
import { cityPoint } from '../map/outlier.rules.ts'

/**
 * Places each city with users outside every zone on the map. The average of scattered homes can be inside a zone, and so
 * can the city's own point when a zone covers its center. In that case one of the homes is the point.
 */
export async function fillOutliers(db: Db) {
  const zones = await findZoneAreas(db)
  const cities = await countOutsideCities(db)
  const points = new Map<string, Point>()
  for (const city of cities) {
    const point = cityPoint(city.key, city)
    if (point && !findZone(point, zones)) points.set(city.key, point)
  }
  const homes = await findCentralHomes(
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
