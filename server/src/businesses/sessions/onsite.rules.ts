import { type CandidateState, NOT_HELD_DAYS } from '@limber/contract/businesses/sessions/onsite.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { dayIn, wallTime } from '@limber/contract/kit/zone-time.ts'
import { isExpired } from '../blocks/block.rules.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Suggested starts are on half hours, and their sessions are between these hours in the zone's time zone. */
const GRID = 30 * MINUTE
const OPENS = 7 * HOUR
const CLOSES = 21 * HOUR

/** How far ahead to search for starts. */
export const SEARCH_WINDOW = 14 * DAY
/** Start times have five-minute steps: "10:05" has not passed until 10:10. */
const STEP = 5 * MINUTE
/** How far in the future a session can start. */
export const MAX_AHEAD = 2 * 366 * DAY

/** Whether a start is too late for a new session. */
export const hasPassed = (startsAt: Date, now: Date) => startsAt.getTime() + STEP <= now.getTime()

/** Why a session cannot be marked as not held; undefined when it can. */
export function notHeldProblem(startsAt: Date, now: Date): 'not_begun' | 'too_late' | undefined {
  if (startsAt > now) return 'not_begun'
  return startsAt.getTime() + NOT_HELD_DAYS * DAY < now.getTime() ? 'too_late' : undefined
}

/** A booked time span of a stretcher; the end is exclusive. */
export interface Busy {
  stretcher_id: number
  kind: 'booking' | 'onsite'
  starts_at: Date
  ends_at: Date
  business: string | null
}

/** The first overlap with a session. Touching spans do not overlap. */
export const findClash = (busy: readonly Busy[], startsAt: Date, endsAt: Date): Busy | undefined =>
  busy.find((one) => one.starts_at < endsAt && one.ends_at > startsAt)

function isWithinHours(start: Date, end: Date, zone: string): boolean {
  const open = wallTime(start, zone) % DAY
  const close = wallTime(end, zone) % DAY
  return open >= OPENS && close <= CLOSES && close > open && dayIn(zone, start) === dayIn(zone, end)
}

/** The next half hour in the zone's time zone, or the time itself when it is on one. */
function nextOnGrid(at: Date, zone: string): Date {
  const past = wallTime(at, zone) % GRID
  return past === 0 ? at : new Date(at.getTime() + GRID - past)
}

interface Search {
  after: Date
  /** The latest possible start. */
  latest: Date
  hours: number
  zone: string
  count: number
  /** The last day of the block in the zone's time zone, and of the stretcher's certifications in the company's. */
  blockUntil: string | null
  readyUntil: string | null
}

/** The next starts for a session of this length that overlap nothing and would not be refused. */
export function findStarts(busy: readonly Busy[], search: Search): Date[] {
  const { after, latest, hours, zone, count, blockUntil, readyUntil } = search
  const found: Date[] = []
  const until = Math.min(after.getTime() + SEARCH_WINDOW, latest.getTime())
  let at = nextOnGrid(new Date(after.getTime() + 1000), zone)
  while (found.length < count && at.getTime() < until) {
    const end = new Date(at.getTime() + hours * HOUR)
    const clash = findClash(busy, at, end)
    if (!clash && isWithinHours(at, end, zone)) {
      // Expired blocks and certifications stay expired, so no later start can work.
      if (isExpired(blockUntil, dayIn(zone, at)) || isExpired(readyUntil, companyDay(at))) break
      found.push(at)
    }
    // Continue after the overlap, otherwise one step later.
    at = nextOnGrid(clash ? new Date(Math.max(clash.ends_at.getTime(), at.getTime() + 1000)) : shift(at, GRID), zone)
  }
  return found
}

const shift = (at: Date, ms: number) => new Date(at.getTime() + ms)

const ranks: Record<CandidateState, number> = { free: 0, busy: 1, in_training: 2, not_certified: 3 }

/** Free stretchers first, then busy, in training and not certified; each by name. */
export const rank = <C extends { name: string; state: CandidateState }>(candidates: readonly C[]): C[] =>
  candidates.toSorted((a, b) => ranks[a.state] - ranks[b.state] || a.name.localeCompare(b.name, 'en'))

/** The earliest starts of all stretchers, without duplicates. */
export function earliest<S extends { starts_at: string }>(starts: readonly S[], count: number): S[] {
  const seen = new Set<string>()
  return starts
    .toSorted((a, b) => a.starts_at.localeCompare(b.starts_at))
    .filter(({ starts_at }) => !seen.has(starts_at) && seen.add(starts_at))
    .slice(0, count)
}

/** Why a stretcher cannot take sessions, as text. */
export const whyNotReady = {
  in_training: 'training is not completed yet',
  not_certified: 'a certification is missing or expired',
  inactive: 'the account is no longer active',
} as const
