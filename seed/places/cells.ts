import type { Position, ZoneGeometry } from '@limber/contract/businesses/zones/area.ts'

/** A middle and how far it reaches, in kilometres. */
export interface Seat {
  latitude: number
  longitude: number
  reach: number
}

interface Spot {
  x: number
  y: number
}

interface Disc extends Spot {
  reach: number
}

const KM_PER_DEGREE = 111.32
const MIDDLE = { latitude: 33.95, longitude: -117.3 }
const SQUEEZE = Math.cos((MIDDLE.latitude * Math.PI) / 180)
const ARC_STEP = (27 * Math.PI) / 180
/** Borders bend about this often, in kilometres. */
const BEND_STEP = 2.2

/**
 * Areas around the seats that share their borders and never overlap: the cells of a power diagram, cut to each seat's
 * circle, then bent by one smooth field. Where two circles meet, the border ends on both circles at the same spot.
 */
export function drawCells(seats: readonly Seat[]): ZoneGeometry[] {
  const discs = seats.map(({ latitude, longitude, reach }) => ({ ...flatten([longitude, latitude]), reach }))
  return discs.map((disc) => {
    const cell = discs.reduce((rest, other) => (other === disc ? rest : keepNearer(rest, disc, other)), square(disc))
    const ring = cutToCircle(cell, disc).map((spot) => position(bend(spot)))
    return { type: 'Polygon', coordinates: [closed(ring)] }
  })
}

const flatten = ([longitude, latitude]: Position): Spot => ({
  x: (longitude - MIDDLE.longitude) * KM_PER_DEGREE * SQUEEZE,
  y: (latitude - MIDDLE.latitude) * KM_PER_DEGREE,
})

/** Five decimals are about a metre. */
const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5

const position = ({ x, y }: Spot): Position => [
  round(MIDDLE.longitude + x / KM_PER_DEGREE / SQUEEZE),
  round(MIDDLE.latitude + y / KM_PER_DEGREE),
]

const closed = (ring: Position[]): Position[] => {
  const distinct = ring.filter((at, index) => {
    const before = ring.at(index - 1)
    return before === undefined || before[0] !== at[0] || before[1] !== at[1]
  })
  return distinct[0] ? [...distinct, distinct[0]] : []
}

/** Roads and rivers are not straight: a field whose slope stays below one bends borders without crossing them. */
const bend = ({ x, y }: Spot): Spot => ({
  x: x + 0.62 * Math.sin(y / 1.9 + 0.7) + 0.35 * Math.sin(x / 2.3 + y / 1.4),
  y: y + 0.58 * Math.sin(x / 2.1 + 1.9) + 0.33 * Math.sin(y / 2.4 - x / 1.5),
})

const square = ({ x, y, reach }: Disc): Spot[] => {
  const far = reach * 2
  return [
    { x: x - far, y: y - far },
    { x: x + far, y: y - far },
    { x: x + far, y: y + far },
    { x: x - far, y: y + far },
  ]
}

const distance = (a: Spot, b: Spot) => Math.hypot(a.x - b.x, a.y - b.y)
const power = (spot: Spot, disc: Disc) => distance(spot, disc) ** 2 - disc.reach ** 2
const along = (a: Spot, b: Spot, part: number): Spot => ({ x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part })

/** The part of a convex area that is nearer, by power, to one disc than to another. */
function keepNearer(area: Spot[], disc: Disc, other: Disc): Spot[] {
  const excess = (spot: Spot) => power(spot, disc) - power(spot, other)
  return area.flatMap((to, index) => {
    const from = area.at(index - 1) ?? to
    const [before, after] = [excess(from), excess(to)]
    const crossing = before < 0 !== after < 0 ? [along(from, to, before / (before - after))] : []
    return after < 0 ? [...crossing, to] : crossing
  })
}

/** A convex area within a circle: borders with neighbours get bends, open country a ragged rim. */
function cutToCircle(area: Spot[], disc: Disc): Spot[] {
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

/** A border's spots without its end; the same from either side. */
function bends(from: Spot, to: Spot): Spot[] {
  const parts = Math.max(1, Math.min(3, Math.round(distance(from, to) / BEND_STEP)))
  return Array.from({ length: parts }, (_, part) => along(from, to, part / parts))
}

const angle = (spot: Spot, middle: Spot) => Math.atan2(spot.y - middle.y, spot.x - middle.x)

/** Spots strictly between two angles, drawn in towards the middle by uneven amounts. */
function rim(disc: Disc, from: number, to: number): Spot[] {
  const span = to > from ? to - from : to - from + 2 * Math.PI
  const steps = Math.max(1, Math.round(span / ARC_STEP))
  const spots: Spot[] = []
  for (let step = 1; step < steps || (span >= 2 * Math.PI - 1e-9 && step <= steps); step++) {
    const at = from + (span * step) / steps
    const reach = disc.reach * (0.9 + 0.1 * Math.sin(at * 5 + disc.x))
    spots.push({ x: disc.x + reach * Math.cos(at), y: disc.y + reach * Math.sin(at) })
  }
  return spots
}

/** The part of a border inside the circle. */
function withinCircle(from: Spot, to: Spot, disc: Disc): [Spot, Spot] | undefined {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const a = dx * dx + dy * dy
  const b = 2 * (dx * (from.x - disc.x) + dy * (from.y - disc.y))
  const root = b * b - 4 * a * power(from, disc)
  if (a === 0 || root <= 0) return undefined
  const [enter, leave] = [Math.max(0, (-b - Math.sqrt(root)) / (2 * a)), Math.min(1, (-b + Math.sqrt(root)) / (2 * a))]
  return enter < leave ? [along(from, to, enter), along(from, to, leave)] : undefined
}
