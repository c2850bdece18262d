import type { Box } from '@limber/contract/businesses/zones/area.ts'
import type { GrowthMap, MapZone } from '@limber/contract/growth/map/map.ts'
import { ratioOf } from '@limber/contract/growth/overview/ratio.ts'

/** The figures that can shade the zones. */
export const shades = {
  users: { label: 'Users', of: ({ metrics }: MapZone) => metrics.users },
  activeUsers: { label: 'Active Users', of: ({ metrics }: MapZone) => metrics.activeUsers },
  churnedUsers: { label: 'Churned Users', of: ({ metrics }: MapZone) => metrics.churnedUsers },
  sessions: { label: 'Compl. Sess.', of: ({ metrics }: MapZone) => metrics.sessions },
  revenue: { label: 'Revenue', of: ({ metrics }: MapZone) => Math.round(metrics.revenue) },
  stretchers: { label: 'Stretchers', of: ({ metrics }: MapZone) => metrics.stretchers },
} as const
export type Shade = keyof typeof shades
export const shadeNames = Object.keys(shades) as [Shade, ...Shade[]]

export type Band = 1 | 2 | 3

/** Band 1 below 0.33 of the largest value, band 2 below 0.66, band 3 above. All zeros are band 1. */
export const bandOf = (value: number, largest: number): Band =>
  largest <= 0 || value / largest < 0.33 ? 1 : value / largest < 0.66 ? 2 : 3

/** The smallest whole numbers of the second and third band, for the legend. */
export const bandStarts = (largest: number) => [Math.ceil(largest * 0.33), Math.ceil(largest * 0.66)] as const

/** Circles grow with the number of users, up to 12 pixels. */
export const outlierRadius = (users: number) => Math.min(12, 4 + 2 * Math.log2(Math.max(users, 1)))

const PADDING = 0.15
const clamp = (value: number, limit: number) => Math.min(limit, Math.max(-limit, value))
/** Five decimals are about a meter. More would make every request different and defeat the cache. */
const round = (value: number) => Math.round(value * 1e5) / 1e5

/** The bounding box of a view, padded by 15 percent on each side, in wire order. */
export function paddedBox({ south, west, north, east }: Box): string {
  const [high, wide] = [(north - south) * PADDING, (east - west) * PADDING]
  return [clamp(south - high, 90), clamp(west - wide, 180), clamp(north + high, 90), clamp(east + wide, 180)]
    .map(round)
    .join(',')
}

const WORLD_PIXELS = 512
const LETTER_PIXELS = 6.6

/** Zoom 9 here equals zoom 10 in other map libraries. */
const START = { center: [-117.4, 33.95] as [number, number], zoom: 9 }

/** The view with which the map of a company starts. */
export const startView = (place: { longitude: number; latitude: number } | null) =>
  place ? `${place.latitude},${place.longitude},${START.zoom}` : ''

/** A view from its text `lat,lng,zoom`; the first view when it is none. */
export function readView(text: string) {
  const [lat, lng, zoom] = text.split(',').map(Number)
  const isView = [lat, lng, zoom].every((part) => Number.isFinite(part)) && Math.abs(lat ?? 99) <= 85
  return isView ? { center: [lng ?? 0, lat ?? 0] as [number, number], zoom: zoom ?? START.zoom } : START
}

const RADIANS = Math.PI / 180

/** The padded bounding box that a map of this size will show, so that its figures need not wait for the map. */
export function boxOfView(view: string, width: number, height: number): string {
  const { center, zoom } = readView(view)
  const [lng, lat] = center
  // Fractions of the world, which is a square in Mercator's projection.
  const [high, wide] = [height, width].map((pixels) => pixels / (WORLD_PIXELS * 2 ** zoom)) as [number, number]
  const y = 0.5 - Math.log(Math.tan(Math.PI / 4 + (lat * RADIANS) / 2)) / (2 * Math.PI)
  const latitude = (at: number) => Math.atan(Math.sinh(Math.PI * (1 - 2 * at))) / RADIANS
  return paddedBox({
    south: latitude(y + high / 2),
    west: lng - wide * 180,
    north: latitude(y - high / 2),
    east: lng + wide * 180,
  })
}

/**
 * The zoom level at which a label of this length fits into an area of this width. At first half of it may cover the
 * neighbors, because a map shows one set of labels for a whole zoom step. Labels that never fit would cost as much as
 * those that do.
 */
export const labelZoom = (letters: number, { west, east }: Box) =>
  Math.log2((letters * LETTER_PIXELS * 360) / (WORLD_PIXELS * Math.max(east - west, 1e-6))) - 1

const sumOf = <T>(list: readonly T[], of: (one: T) => number) => list.reduce((sum, one) => sum + of(one), 0)
const divide = (part: number, by: number) => (by === 0 ? null : part / by)

interface Rated {
  avgRating: number | null
  ratings: number
}
const meanOf = (list: readonly Rated[]) =>
  divide(
    sumOf(list, ({ avgRating, ratings }) => (avgRating ?? 0) * ratings),
    sumOf(list, ({ ratings }) => ratings),
  )

export interface Totals {
  users: number
  activeUsers: number
  churnedUsers: number
  activePct: number | null
  sessions: number
  bookedSessions: number
  revenue: number
  payouts: number
  credits: number
  perSession: number | null
  perStretcher: number | null
  avgRating: number | null
}

// Adds dollars as whole ten-thousandths to avoid floating-point errors.
const sumDollars = <T>(list: readonly T[], of: (one: T) => number) =>
  sumOf(list, (one) => Math.round(of(one) * 10_000)) / 10_000

/** Totals of the zones in view. Ratios are ratios of the sums, null when the divisor is zero. */
export function totalsOf(zones: GrowthMap['zones']): Totals {
  const metrics = zones.map((zone) => zone.metrics)
  const users = sumOf(metrics, (one) => one.users)
  const activeUsers = sumOf(metrics, (one) => one.activeUsers)
  const sessions = sumOf(metrics, (one) => one.sessions)
  const bookedSessions = sumOf(metrics, (one) => one.bookedSessions)
  const credits = sumOf(metrics, (one) => one.availableCredits)
  const revenue = sumDollars(metrics, (one) => one.revenue)
  return {
    users,
    activeUsers,
    churnedUsers: sumOf(metrics, (one) => one.churnedUsers),
    activePct: ratioOf.activePct(activeUsers, users),
    sessions,
    bookedSessions,
    revenue,
    payouts: sumDollars(metrics, ({ payouts }) => sumOf(Object.values(payouts), ({ total }) => total)),
    credits,
    perSession: ratioOf.perSession(revenue, sessions, bookedSessions, credits),
    perStretcher: ratioOf.perStretcher(
      sessions,
      sumOf(metrics, (one) => one.stretchers),
    ),
    avgRating: meanOf(metrics),
  }
}

export type TotalsBefore = Omit<Totals, 'bookedSessions' | 'perSession'>

/** The same totals for the previous range, where they can be calculated. */
export function totalsBefore(zones: GrowthMap['zones']): TotalsBefore {
  const before = zones.map((zone) => zone.previous)
  const users = sumOf(before, (one) => one.users)
  const activeUsers = sumOf(before, (one) => one.activeUsers)
  const sessions = sumOf(before, (one) => one.sessions)
  return {
    users,
    activeUsers,
    churnedUsers: sumOf(before, (one) => one.churnedUsers),
    activePct: ratioOf.activePct(activeUsers, users),
    sessions,
    revenue: sumDollars(before, (one) => one.revenue),
    payouts: sumDollars(before, (one) => one.payouts),
    credits: sumOf(before, (one) => one.availableCredits),
    perStretcher: ratioOf.perStretcher(
      sessions,
      sumOf(before, (one) => one.stretchers),
    ),
    avgRating: meanOf(before),
  }
}
