import { type Box, isInArea, isInBox, type Point, type ZoneGeometry } from '@limber/contract/businesses/zones/area.ts'

export interface ZoneArea extends Box {
  id: number
  geometry: ZoneGeometry
}

/** Reads `south,west,north,east`, the order of the wire; nothing when it is not a box of this world. */
export function parseBox(text: string): Box | undefined {
  const parts = text.split(',')
  if (parts.length !== 4 || parts.some((part) => !/^-?\d{1,3}(\.\d{1,15})?$/.test(part))) return undefined
  const [south = 0, west = 0, north = 0, east = 0] = parts.map(Number)
  const isInWorld = south >= -90 && north <= 90 && west >= -180 && east <= 180
  return isInWorld && south <= north && west <= east ? { west, south, east, north } : undefined
}

/** Writes a box in the order of the wire. */
export const printBox = ({ south, west, north, east }: Box) => [south, west, north, east].join(',')

/** The zone that holds a point; of overlapping zones the one with the smallest id, so that everybody finds the same. */
export function findZone<Z extends ZoneArea>(point: Point, zones: Iterable<Z>): Z | undefined {
  let found: Z | undefined
  for (const zone of zones) {
    if (found && found.id < zone.id) continue
    if (isInBox(point, zone) && isInArea(point, zone.geometry)) found = zone
  }
  return found
}
