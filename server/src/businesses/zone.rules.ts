import { isInArea, type Point, type Position, type ZoneGeometry } from '@limber/contract/businesses/area.ts'

export { isInArea, type Point, type Position, type ZoneGeometry }

/** A box on the map by its sides. */
export interface Box {
  west: number
  south: number
  east: number
  north: number
}

export interface ZoneArea extends Box {
  id: number
  geometry: ZoneGeometry
}

export const pointOf = ([longitude, latitude]: Position): Point => ({ latitude, longitude })
export const positionOf = ({ latitude, longitude }: Point): Position => [longitude, latitude]

/** The smallest box around an area. */
export function boxOf(geometry: ZoneGeometry): Box {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity }
  for (const [longitude, latitude] of geometry.coordinates[0] ?? []) {
    box.west = Math.min(box.west, longitude)
    box.east = Math.max(box.east, longitude)
    box.south = Math.min(box.south, latitude)
    box.north = Math.max(box.north, latitude)
  }
  return box
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

export const isInBox = ({ latitude, longitude }: Point, { west, south, east, north }: Box) =>
  longitude >= west && longitude <= east && latitude >= south && latitude <= north

/** The zone that holds a point; of overlapping zones the one with the smallest id, so that everybody finds the same. */
export function findZone<Z extends ZoneArea>(point: Point, zones: Iterable<Z>): Z | undefined {
  let found: Z | undefined
  for (const zone of zones) {
    if (found && found.id < zone.id) continue
    if (isInBox(point, zone) && isInArea(point, zone.geometry)) found = zone
  }
  return found
}
