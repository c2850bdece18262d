import type { Point } from '@limber/contract/businesses/zones/area.ts'
import cities from './cities.json' with { type: 'json' }

const pointsOf = new Map(
  Object.entries(cities as Record<string, number[][]>).map(([name, points]) => [
    name,
    points.map(([longitude = 0, latitude = 0]): Point => ({ latitude, longitude })),
  ]),
)

/** In degrees, about 50 km. A city with the same name farther away is a different one. */
const MAX_DISTANCE = 0.5

const distance = (a: Point, b: Point) => Math.hypot(a.latitude - b.latitude, a.longitude - b.longitude)

/** The location of the nearest city with this name; undefined when none is known or near. */
export function cityPoint(key: string, near: Point): Point | undefined {
  const [nearest] = (pointsOf.get(key) ?? []).toSorted((a, b) => distance(a, near) - distance(b, near))
  return nearest && distance(nearest, near) <= MAX_DISTANCE ? nearest : undefined
}
