import { type Box, isInArea, isInBox, type Point, type ZoneGeometry } from '@limber/contract/businesses/zones/area.ts'

export interface ZoneArea extends Box {
  id: number
  geometry: ZoneGeometry
}

/** Parses `south,west,north,east`, the wire order; undefined when it is not a valid bounding box. */
export function parseBox(text: string): Box | undefined {
  const parts = text.split(',')
  if (parts.length !== 4 || parts.some((part) => !/^-?\d{1,3}(\.\d{1,15})?$/.test(part))) return undefined
  const [south = 0, west = 0, north = 0, east = 0] = parts.map(Number)
  const isInWorld = south >= -90 && north <= 90 && west >= -180 && east <= 180
  return isInWorld && south <= north && west <= east ? { west, south, east, north } : undefined
}

/** Prints a bounding box in wire order. */
export const printBox = ({ south, west, north, east }: Box) => [south, west, north, east].join(',')

/** The zone that contains a point. Where zones overlap, the smallest id wins, so that the result is always the same. */
export function findZone<Z extends ZoneArea>(point: Point, zones: Iterable<Z>): Z | undefined {
  let found: Z | undefined
  for (const zone of zones) {
    if (found && found.id < zone.id) continue
    if (isInBox(point, zone) && isInArea(point, zone.geometry)) found = zone
  }
  return found
}
