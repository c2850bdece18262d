/** A place on the map. Every order of numbers is spelled out once, in this file. */
export interface Point {
  latitude: number
  longitude: number
}

/** GeoJSON order: longitude first. */
export type Position = readonly [longitude: number, latitude: number]
type Ring = readonly Position[]

/** A zone's area as GeoJSON: the outer ring, then its holes. */
export interface ZoneGeometry {
  type: 'Polygon'
  coordinates: readonly Ring[]
}

/** A box on the map by its sides. */
export interface Box {
  west: number
  south: number
  east: number
  north: number
}

export const pointOf = ([longitude, latitude]: Position): Point => ({ latitude, longitude })
export const positionOf = ({ latitude, longitude }: Point): Position => [longitude, latitude]

/** The box of a single point. */
export const boxAt = ({ latitude, longitude }: Point): Box => ({
  west: longitude,
  south: latitude,
  east: longitude,
  north: latitude,
})

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

export const isInBox = ({ latitude, longitude }: Point, { west, south, east, north }: Box) =>
  longitude >= west && longitude <= east && latitude >= south && latitude <= north

/** Counts the ring's edges that a ray to the east crosses; half-open edges give a shared border to one side only. */
function isInRing({ latitude, longitude }: Point, ring: Ring): boolean {
  let isInside = false
  let before = ring.at(-1)
  for (const corner of ring) {
    if (before && before[1] > latitude !== corner[1] > latitude) {
      const crossing = corner[0] + ((latitude - corner[1]) / (before[1] - corner[1])) * (before[0] - corner[0])
      if (longitude < crossing) isInside = !isInside
    }
    before = corner
  }
  return isInside
}

/** The point lies in the outer ring and in no hole: one answer for the server that counts and the map that draws. */
export function isInArea(point: Point, geometry: ZoneGeometry): boolean {
  const [outer, ...holes] = geometry.coordinates
  return outer !== undefined && isInRing(point, outer) && !holes.some((hole) => isInRing(point, hole))
}
