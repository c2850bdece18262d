/** A point on the map. This file defines every coordinate order once. */
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

/** A bounding box on the map. */
export interface Box {
  west: number
  south: number
  east: number
  north: number
}

export const pointOf = ([longitude, latitude]: Position): Point => ({ latitude, longitude })
export const positionOf = ({ latitude, longitude }: Point): Position => [longitude, latitude]

/** The bounding box of a single point. */
export const boxAt = ({ latitude, longitude }: Point): Box => ({
  west: longitude,
  south: latitude,
  east: longitude,
  north: latitude,
})

/** The smallest bounding box around an area. */
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

/** Counts the edges that a ray to the east crosses. Half-open edges assign a shared border to one side only. */
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

/** Whether the point is in the outer ring and in no hole. The server and the map share this rule. */
export function isInArea(point: Point, geometry: ZoneGeometry): boolean {
  const [outer, ...holes] = geometry.coordinates
  return outer !== undefined && isInRing(point, outer) && !holes.some((hole) => isInRing(point, hole))
}
