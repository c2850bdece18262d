import { type CandidateState, NOT_HELD_DAYS } from '@limber/contract/businesses/sessions/onsite.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { dayIn, wallOf } from '@limber/contract/kit/zone-time.ts'
import { isLapsed } from '../blocks/block.rules.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Suggested starts lie on half hours, and their sessions between these hours by the clocks of the zone. */
const GRID = 30 * MINUTE
const OPENS = 7 * HOUR
const CLOSES = 21 * HOUR

/** How far ahead starts are looked for. */
export const LOOK_AHEAD = 14 * DAY
/** Starts are given to five minutes: "10:05" means now until it is 10:10. */
const STEP = 5 * MINUTE
/** How far ahead a session may begin. */
export const MAX_AHEAD = 2 * 366 * DAY

/** Is a start over for a session that is still to be scheduled? */
export const hasPassed = (startsAt: Date, now: Date) => startsAt.getTime() + STEP <= now.getTime()

/** Why a session cannot be marked as one that did not take place, if so. */
export function whyHeld(startsAt: Date, now: Date): 'not_begun' | 'too_late' | undefined {
  if (startsAt > now) return 'not_begun'
  return startsAt.getTime() + NOT_HELD_DAYS * DAY < now.getTime() ? 'too_late' : undefined
}

/** Time that a stretcher has given away: from, up to but not including, to. */
export interface Busy {
  stretcher_id: number
  kind: 'booking' | 'onsite'
  starts_at: Date
  ends_at: Date
  business: string | null
}

/** What stands in the way of a session; what only touches it does not. */
export const findClash = (busy: readonly Busy[], startsAt: Date, endsAt: Date): Busy | undefined =>
  busy.find((one) => one.starts_at < endsAt && one.ends_at > startsAt)

function isWorkable(start: Date, end: Date, zone: string): boolean {
  const open = wallOf(start, zone) % DAY
  const close = wallOf(end, zone) % DAY
  return open >= OPENS && close <= CLOSES && close > open && dayIn(zone, start) === dayIn(zone, end)
}

/** The next half hour by the clocks of the zone; one that stands on it stays. */
function nextOnGrid(at: Date, zone: string): Date {
  const past = wallOf(at, zone) % GRID
  return past === 0 ? at : new Date(at.getTime() + GRID - past)
}

interface Search {
  after: Date
  /** No start is later. */
  latest: Date
  hours: number
  zone: string
  count: number
  /** The last day of the block by the clocks of the zone, and of the stretcher's certifications by the company's. */
  blockUntil: string | null
  readyUntil: string | null
}

/** The next starts after a moment at which a session of so many hours meets nothing and is refused for nothing. */
export function findStarts(busy: readonly Busy[], search: Search): Date[] {
  const { after, latest, hours, zone, count, blockUntil, readyUntil } = search
  const found: Date[] = []
  const until = Math.min(after.getTime() + LOOK_AHEAD, latest.getTime())
  let at = nextOnGrid(new Date(after.getTime() + 1000), zone)
  while (found.length < count && at.getTime() < until) {
    const end = new Date(at.getTime() + hours * HOUR)
    const clash = findClash(busy, at, end)
    if (!clash && isWorkable(at, end, zone)) {
      // What has ended does not begin again: no later start is good either.
      if (isLapsed(blockUntil, dayIn(zone, at)) || isLapsed(readyUntil, companyDay(at))) break
      found.push(at)
    }
    // Behind what is in the way, otherwise one step on.
    at = nextOnGrid(clash ? new Date(Math.max(clash.ends_at.getTime(), at.getTime() + 1000)) : shift(at, GRID), zone)
  }
  return found
}

const shift = (at: Date, ms: number) => new Date(at.getTime() + ms)

const ranks: Record<CandidateState, number> = { free: 0, busy: 1, in_training: 2, not_certified: 3 }

/** The free first, then the busy, those in training and those not certified; by name among equals. */
export const rank = <C extends { name: string; state: CandidateState }>(candidates: readonly C[]): C[] =>
  candidates.toSorted((a, b) => ranks[a.state] - ranks[b.state] || a.name.localeCompare(b.name, 'en'))

/** The earliest starts of anybody, each time once. */
export function earliest<S extends { starts_at: string }>(starts: readonly S[], count: number): S[] {
  const seen = new Set<string>()
  return starts
    .toSorted((a, b) => a.starts_at.localeCompare(b.starts_at))
    .filter(({ starts_at }) => !seen.has(starts_at) && seen.add(starts_at))
    .slice(0, count)
}

/** Why somebody cannot take sessions, in words. */
export const whyNotReady = {
  in_training: 'training has not ended yet',
  not_certified: 'the certificate is missing or has ended',
  inactive: 'the account is no longer active',
} as const
