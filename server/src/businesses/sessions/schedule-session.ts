import type {
  activateBlock,
  changeStretcher,
  listCandidates,
  rescheduleSession,
} from '@limber/contract/businesses/sessions/onsite.ts'
import { formatDay, formatTimeRange } from '@limber/contract/kit/formats/dates.ts'
import { Instant } from '@limber/contract/kit/values.ts'
import { dayIn } from '@limber/contract/kit/zone-time.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { findSessionStretchers, type SessionStretcher } from '#stretchers/public.ts'
import type { BlockRecord } from '../blocks/block.queries.ts'
import { isLapsed } from '../blocks/block.rules.ts'
import type { BusinessRecord } from '../business/business.queries.ts'
import { findBusy, type HeldSession, lockStretchers } from './onsite.queries.ts'
import { findClash, hasPassed, MAX_AHEAD, whyNotReady } from './onsite.rules.ts'

type Scheduling = typeof activateBlock | typeof rescheduleSession | typeof changeStretcher
type Starting = typeof activateBlock | typeof rescheduleSession

/** A moment from the wire, or the refusal in the words for one that cannot be read. */
export function readMoment(call: Starting | typeof listCandidates, text: string): Date {
  if (!Instant.safeParse(text).success) throw refuse(call, 'bad_date')
  return new Date(text)
}

/** A start that has not passed, and lies not further ahead than anybody plans. */
export function readStart(call: Starting, text: string, now: Date): Date {
  const startsAt = readMoment(call, text)
  if (hasPassed(startsAt, now)) throw refuse(call, 'in_the_past')
  if (startsAt.getTime() > now.getTime() + MAX_AHEAD) throw refuse(call, 'too_far')
  return startsAt
}

/** Refuses a start on a day on which the block no longer holds. */
export function checkLastDay(call: Starting, expiresOn: string | null, startsAt: Date, zone: string) {
  if (expiresOn !== null && isLapsed(expiresOn, dayIn(zone, startsAt)))
    throw refuse(call, 'block_expired', { words: { day: formatDay(expiresOn) } })
}

/** The stretcher, who may take sessions on that day; anybody else is refused with the reason. */
export async function pickStretcher(call: Scheduling, db: Db, id: number, startsAt: Date): Promise<SessionStretcher> {
  const [stretcher] = await findSessionStretchers(db, { id, at: startsAt })
  if (!stretcher) throw refuse(call, 'no_stretcher')
  const { name, readiness } = stretcher
  if (readiness !== 'ready') throw refuse(call, 'not_ready', { words: { name, why: whyNotReady[readiness] } })
  return stretcher
}

/** The block that a session uses, as it came along with it; none once it was withdrawn. */
export function blockOf(session: HeldSession): BlockRecord | undefined {
  const { block_id, business_id, block_hours, slot_length_minutes, internal_label, block_version } = session
  if (block_id === null || block_hours === null || slot_length_minutes === null) return undefined
  const { expires_on, used_at } = session
  return {
    id: block_id,
    business_id,
    block_hours,
    slot_length_minutes,
    internal_label: internal_label ?? '',
    expires_on,
    used_at,
    version: block_version ?? 1,
  }
}

/** All that is said about a session which has no time yet: nothing of it needs to be read again. */
export function newSession(block: BlockRecord, business: BusinessRecord, stretcher: SessionStretcher) {
  const { block_hours, slot_length_minutes, internal_label, expires_on, used_at } = block
  const { admin_email, rep_name, location, zone_id, zone_name, time_zone } = business
  return {
    business_id: business.id,
    block_id: block.id,
    stretcher_name: stretcher.name,
    stretcher_email: stretcher.email,
    cancelled_at: null,
    cancel_reason: null,
    taken_slots: 0,
    block_hours,
    slot_length_minutes,
    internal_label,
    expires_on,
    used_at,
    block_version: block.version,
    business_name: business.name,
    admin_email,
    rep_name,
    location,
    zone_id,
    zone_name,
    time_zone,
  }
}

interface Visit {
  stretcher: { id: number; name: string }
  startsAt: Date
  endsAt: Date
  /** Its session does not stand in its own way. */
  blockId: number
  /** Whoever else must wait meanwhile. */
  alsoLock?: number
}

interface Place {
  zone_id: number
  time_zone: string
}

/** Takes the time of a stretcher of the zone: from here to the end of the transaction nobody else can. */
export async function takeTime(call: Scheduling, db: Db, { zone_id, time_zone }: Place, visit: Visit) {
  const { stretcher, startsAt, endsAt, blockId, alsoLock } = visit
  const zones = await lockStretchers(db, alsoLock === undefined ? [stretcher.id] : [stretcher.id, alsoLock])
  // Only now: while one waits for them, they may go to another zone.
  if (zones.get(stretcher.id) !== zone_id) throw refuse(call, 'other_zone', { words: { name: stretcher.name } })
  const busy = await findBusy(db, [stretcher.id], { from: startsAt, to: endsAt, exceptBlock: blockId })
  const clash = findClash(busy, startsAt, endsAt)
  if (!clash) return
  const when = formatTimeRange(clash.starts_at, clash.ends_at, { zone: time_zone })
  throw refuse(call, 'busy', { words: { name: stretcher.name, when } })
}
