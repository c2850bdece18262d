import type { Point } from '@limber/contract/businesses/zones/area.ts'
import cities from './cities.json' with { type: 'json' }

const pointsOf = new Map(
  Object.entries(cities as Record<string, number[][]>).map(([name, points]) => [
    name,
    points.map(([longitude = 0, latitude = 0]): Point => ({ latitude, longitude })),
  ]),
)

/** In degrees, about 50 km: a city of that name farther away from the people is another one. */
const FAR = 0.5

const distance = (a: Point, b: Point) => Math.hypot(a.latitude - b.latitude, a.longitude - b.longitude)

/** Where the city of this name lies that is nearest to a place; nothing when none is near or known. */
export function cityPoint(key: string, near: Point): Point | undefined {
  const [nearest] = (pointsOf.get(key) ?? []).toSorted((a, b) => distance(a, near) - distance(b, near))
  return nearest && distance(nearest, near) <= FAR ? nearest : undefined
}
