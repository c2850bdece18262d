import type { Box } from '@limber/contract/businesses/zones/area.ts'
import type { GrowthMap, MapZone } from '@limber/contract/growth/map/map.ts'
import { ratioOf } from '@limber/contract/growth/overview/ratio.ts'

/** What the zones can be shaded by. */
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

/** Below 0.33 of the largest, below 0.66, above; when all are zero, the lowest. */
export const bandOf = (value: number, largest: number): Band =>
  largest <= 0 || value / largest < 0.33 ? 1 : value / largest < 0.66 ? 2 : 3

/** The least whole numbers of the second and the third band, for the legend. */
export const bandStarts = (largest: number) => [Math.ceil(largest * 0.33), Math.ceil(largest * 0.66)] as const

/** Circles grow with the users and stop at 12 pixels. */
export const outlierRadius = (users: number) => Math.min(12, 4 + 2 * Math.log2(Math.max(users, 1)))

const PADDING = 0.15
const clamp = (value: number, most: number) => Math.min(most, Math.max(-most, value))
/** Five decimals are a metre: more would only make every request another one. */
const round = (value: number) => Math.round(value * 1e5) / 1e5

/** The box of a view, 15 percent wider on each side, in the order of the wire. */
export function paddedBox({ south, west, north, east }: Box): string {
  const [high, wide] = [(north - south) * PADDING, (east - west) * PADDING]
  return [clamp(south - high, 90), clamp(west - wide, 180), clamp(north + high, 90), clamp(east + wide, 180)]
    .map(round)
    .join(',')
}

const WORLD = 512
const LETTER = 6.6

/**
 * The zoom from which on a label of so many letters has a place in an area so wide: half of it lies over the neighbours at
 * first, as a map shows one set of labels for a whole step of zoom. Thousands of labels that never find a place would
 * cost as much as those that do.
 */
export const labelZoom = (letters: number, { west, east }: Box) =>
  Math.log2((letters * LETTER * 360) / (WORLD * Math.max(east - west, 1e-6))) - 1

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

// Sums of dollars in whole ten-thousandths: a float would drift.
const sumDollars = <T>(list: readonly T[], of: (one: T) => number) =>
  sumOf(list, (one) => Math.round(of(one) * 10_000)) / 10_000

/** The zones in view added up; ratios of sums, nothing where there is nothing to divide by. */
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

/** The same of the range before, as far as it can be told. */
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
