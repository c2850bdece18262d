import { boxOf, isInArea, type Position, pointOf, type ZoneGeometry } from '@limber/contract/businesses/zones/area.ts'
import { MAX_CORNERS } from '@limber/contract/businesses/zones/zone.ts'

type Ring = readonly Position[]
type Edge = readonly [Position, Position]

const edgesOf = (ring: Ring): Edge[] => ring.slice(1).map((to, index) => [ring[index] ?? to, to])
const isSame = (a: Position, b: Position) => a[0] === b[0] && a[1] === b[1]

/** The side of a line a point is on: positive left, negative right, 0 on the line. */
const side = ([ax, ay]: Position, [bx, by]: Position, [px, py]: Position) =>
  Math.sign((bx - ax) * (py - ay) - (by - ay) * (px - ax))

const isWithin = ([ax, ay]: Position, [bx, by]: Position, [px, py]: Position) =>
  Math.min(ax, bx) <= px && px <= Math.max(ax, bx) && Math.min(ay, by) <= py && py <= Math.max(ay, by)

/** Whether the bounding boxes of two edges are apart, which rules out most pairs quickly. */
const isApart = ([a, b]: Edge, [c, d]: Edge) =>
  Math.max(a[0], b[0]) < Math.min(c[0], d[0]) ||
  Math.max(c[0], d[0]) < Math.min(a[0], b[0]) ||
  Math.max(a[1], b[1]) < Math.min(c[1], d[1]) ||
  Math.max(c[1], d[1]) < Math.min(a[1], b[1])

/** Whether two edges cross; touching ends do not count. */
function isCrossing([a, b]: Edge, [c, d]: Edge): boolean {
  if (isApart([a, b], [c, d])) return false
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
}

/** Whether two edges share a point. */
function sharesPoint([a, b]: Edge, [c, d]: Edge): boolean {
  if (isApart([a, b], [c, d])) return false
  if (isCrossing([a, b], [c, d])) return true
  const lies = (p: Position, q: Position, at: Position) => side(p, q, at) === 0 && isWithin(p, q, at)
  return lies(a, b, c) || lies(a, b, d) || lies(c, d, a) || lies(c, d, b)
}

/** Whether a ring meets itself anywhere except where consecutive edges join. */
function crossesItself(ring: Ring): boolean {
  const edges = edgesOf(ring)
  for (const [i, one] of edges.entries())
    for (let j = i + 1; j < edges.length; j++) {
      const other = edges[j]
      if (!other) continue
      const isNext = j === i + 1 || (i === 0 && j === edges.length - 1)
      if (isNext ? turnsBack(one, other) : sharesPoint(one, other)) return true
    }
  return false
}

/** Whether an edge runs back over the previous one. */
function turnsBack([a, b]: Edge, [c, d]: Edge): boolean {
  const [start, shared, end] = isSame(b, c) ? [a, b, d] : isSame(a, d) ? [b, a, c] : [a, b, d]
  return side(start, shared, end) === 0 && (isWithin(start, shared, end) || isWithin(shared, end, start))
}

const areaOf = (ring: Ring) => edgesOf(ring).reduce((sum, [[ax, ay], [bx, by]]) => sum + (ax * by - bx * ay), 0) / 2

/** Closes rings whose last corner is not the first. */
export const closeRings = ({ type, coordinates }: ZoneGeometry): ZoneGeometry => ({
  type,
  coordinates: coordinates.map((ring) => {
    const [first, last] = [ring[0], ring.at(-1)]
    return first && last && !isSame(first, last) ? [...ring, first] : ring
  }),
})

/** Why an area is refused, as text; undefined when it is valid. Expects closed rings. */
export function polygonProblem({ coordinates }: ZoneGeometry): string | undefined {
  const corners = coordinates.reduce((sum, ring) => sum + ring.length, 0)
  if (corners > MAX_CORNERS) return `The area has more than ${MAX_CORNERS} corners. Simplify it first.`
  for (const [index, ring] of coordinates.entries()) {
    const name = index === 0 ? 'The outline' : `Hole ${index}`
    if (ring.some(([x, y]) => Math.abs(x) > 180 || Math.abs(y) > 90))
      return `${name} has a corner outside the valid range. GeoJSON lists longitude first, then latitude.`
    if (ring.length < 4) return `${name} needs at least three corners.`
    if (ring.some((corner, at) => at > 0 && isSame(corner, ring[at - 1] ?? corner)))
      return `${name} has the same corner twice in a row.`
    if (crossesItself(ring)) return `${name} crosses itself.`
    if (areaOf(ring) === 0) return `${name} encloses no area.`
  }
  const [outline = [], ...holes] = coordinates
  if (boxOf({ type: 'Polygon', coordinates }).east - boxOf({ type: 'Polygon', coordinates }).west > 180)
    return 'The outline spans more than half the globe. An area cannot cross the date line.'
  const outer: ZoneGeometry = { type: 'Polygon', coordinates: [outline] }
  for (const [index, hole] of holes.entries())
    if (!hole.every((corner) => isInArea(pointOf(corner), outer))) return `Hole ${index + 1} is outside the outline.`
  return undefined
}

/** Whether two areas overlap. Touching borders do not count. */
export function isOverlapping(a: ZoneGeometry, b: ZoneGeometry): boolean {
  const [one = [], other = []] = [a.coordinates[0], b.coordinates[0]]
  const others = edgesOf(other)
  if (edgesOf(one).some((edge) => others.some((another) => isCrossing(edge, another)))) return true
  const inside = (ring: Ring, area: ZoneGeometry) => ring.some((corner) => isStrictlyInside(corner, ring, area))
  return inside(one, b) || inside(other, a)
}

/** Whether a corner, moved slightly toward the middle of its ring, is in the other area and not only on its border. */
function isStrictlyInside(corner: Position, ring: Ring, area: ZoneGeometry): boolean {
  const middle = ring.slice(1).reduce(([x, y], [px, py]) => [x + px, y + py] as const, [0, 0] as const)
  const count = ring.length - 1
  const at = pointOf([
    corner[0] + (middle[0] / count - corner[0]) * 1e-3,
    corner[1] + (middle[1] / count - corner[1]) * 1e-3,
  ])
  return isInArea(at, area) && isInArea(at, { type: 'Polygon', coordinates: [ring] })
}

const EARTH = 6371.0088
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** The area in square kilometers on the globe, without holes. */
export function squareKilometers({ coordinates }: ZoneGeometry): number {
  const sizes = coordinates.map((ring) => {
    const sum = edgesOf(ring).reduce(
      (total, [[ax, ay], [bx, by]]) => total + radians(bx - ax) * (2 + Math.sin(radians(ay)) + Math.sin(radians(by))),
      0,
    )
    return Math.abs((sum * EARTH * EARTH) / 2)
  })
  return sizes.reduce((total, size, index) => (index === 0 ? size : total - size), 0)
}
