import type { Position, ZoneGeometry } from '@limber/contract/businesses/zones/area.ts'

/** A center and a radius in kilometers. */
export interface ZoneCenter {
  latitude: number
  longitude: number
  reach: number
}

interface PlanePoint {
  x: number
  y: number
}

interface Disc extends PlanePoint {
  reach: number
}

const KM_PER_DEGREE = 111.32
const ORIGIN = { latitude: 33.95, longitude: -117.3 }
const LONGITUDE_SCALE = Math.cos((ORIGIN.latitude * Math.PI) / 180)
const ARC_STEP = (27 * Math.PI) / 180
/** About one bend per this many kilometers of border. */
const BEND_STEP = 2.2

/**
 * Areas around the centers that share borders and never overlap: the cells of a power diagram, cut to the circle of each
 * center, then distorted by one smooth field. Where two circles meet, the border ends at the same point on both.
 */
export function drawZoneShapes(centers: readonly ZoneCenter[]): ZoneGeometry[] {
  const discs = centers.map(({ latitude, longitude, reach }) => ({ ...flatten([longitude, latitude]), reach }))
  return discs.map((disc) => {
    const cell = discs.reduce((rest, other) => (other === disc ? rest : keepNearer(rest, disc, other)), square(disc))
    const ring = cutToCircle(cell, disc).map((point) => position(bend(point)))
    return { type: 'Polygon', coordinates: [closed(ring)] }
  })
}

const flatten = ([longitude, latitude]: Position): PlanePoint => ({
  x: (longitude - ORIGIN.longitude) * KM_PER_DEGREE * LONGITUDE_SCALE,
  y: (latitude - ORIGIN.latitude) * KM_PER_DEGREE,
})

/** Five decimals are about one meter. */
const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5

const position = ({ x, y }: PlanePoint): Position => [
  round(ORIGIN.longitude + x / KM_PER_DEGREE / LONGITUDE_SCALE),
  round(ORIGIN.latitude + y / KM_PER_DEGREE),
]

const closed = (ring: Position[]): Position[] => {
  const distinct = ring.filter((at, index) => {
    const before = ring.at(index - 1)
    return before === undefined || before[0] !== at[0] || before[1] !== at[1]
  })
  return distinct[0] ? [...distinct, distinct[0]] : []
}

/** Makes borders look natural. The slope of the field stays below one, so borders never cross. */
const bend = ({ x, y }: PlanePoint): PlanePoint => ({
  x: x + 0.62 * Math.sin(y / 1.9 + 0.7) + 0.35 * Math.sin(x / 2.3 + y / 1.4),
  y: y + 0.58 * Math.sin(x / 2.1 + 1.9) + 0.33 * Math.sin(y / 2.4 - x / 1.5),
})

const square = ({ x, y, reach }: Disc): PlanePoint[] => {
  const half = reach * 2
  return [
    { x: x - half, y: y - half },
    { x: x + half, y: y - half },
    { x: x + half, y: y + half },
    { x: x - half, y: y + half },
  ]
}

const distance = (a: PlanePoint, b: PlanePoint) => Math.hypot(a.x - b.x, a.y - b.y)
const power = (point: PlanePoint, disc: Disc) => distance(point, disc) ** 2 - disc.reach ** 2
const along = (a: PlanePoint, b: PlanePoint, part: number): PlanePoint => ({
  x: a.x + (b.x - a.x) * part,
  y: a.y + (b.y - a.y) * part,
})

/** The part of a convex area that is closer (by power distance) to one disc than to another. */
function keepNearer(area: PlanePoint[], disc: Disc, other: Disc): PlanePoint[] {
  const excess = (point: PlanePoint) => power(point, disc) - power(point, other)
  return area.flatMap((to, index) => {
    const from = area.at(index - 1) ?? to
    const [before, after] = [excess(from), excess(to)]
    const crossing = before < 0 !== after < 0 ? [along(from, to, before / (before - after))] : []
    return after < 0 ? [...crossing, to] : crossing
  })
}

/** Cuts a convex area to a circle. Shared borders get bends, the outer edge becomes uneven. */
function cutToCircle(area: PlanePoint[], disc: Disc): PlanePoint[] {
  const pieces = area.flatMap((to, index) => {
    const piece = withinCircle(area.at(index - 1) ?? to, to, disc)
    return piece ? [piece] : []
  })
  if (pieces.length === 0) return rim(disc, 0, 2 * Math.PI)
  return pieces.flatMap(([from, to], index) => {
    const next = pieces[(index + 1) % pieces.length]?.[0] ?? from
    const rest = distance(to, next) < 1e-6 ? [] : [to, ...rim(disc, angle(to, disc), angle(next, disc))]
    return [...bends(from, to), ...rest]
  })
}

/** The points of a border without its end. They are the same from both sides. */
function bends(from: PlanePoint, to: PlanePoint): PlanePoint[] {
  const parts = Math.max(1, Math.min(3, Math.round(distance(from, to) / BEND_STEP)))
  return Array.from({ length: parts }, (_, part) => along(from, to, part / parts))
}

const angle = (point: PlanePoint, middle: PlanePoint) => Math.atan2(point.y - middle.y, point.x - middle.x)

/** Points strictly between two angles, moved inward by uneven amounts. */
function rim(disc: Disc, from: number, to: number): PlanePoint[] {
  const span = to > from ? to - from : to - from + 2 * Math.PI
  const steps = Math.max(1, Math.round(span / ARC_STEP))
  const points: PlanePoint[] = []
  for (let step = 1; step < steps || (span >= 2 * Math.PI - 1e-9 && step <= steps); step++) {
    const at = from + (span * step) / steps
    const reach = disc.reach * (0.9 + 0.1 * Math.sin(at * 5 + disc.x))
    points.push({ x: disc.x + reach * Math.cos(at), y: disc.y + reach * Math.sin(at) })
  }
  return points
}

/** The part of a border inside the circle. */
function withinCircle(from: PlanePoint, to: PlanePoint, disc: Disc): [PlanePoint, PlanePoint] | undefined {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const a = dx * dx + dy * dy
  const b = 2 * (dx * (from.x - disc.x) + dy * (from.y - disc.y))
  const root = b * b - 4 * a * power(from, disc)
  if (a === 0 || root <= 0) return undefined
  const [enter, leave] = [Math.max(0, (-b - Math.sqrt(root)) / (2 * a)), Math.min(1, (-b + Math.sqrt(root)) / (2 * a))]
  return enter < leave ? [along(from, to, enter), along(from, to, leave)] : undefined
}
