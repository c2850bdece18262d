/** A place on the map. */
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
