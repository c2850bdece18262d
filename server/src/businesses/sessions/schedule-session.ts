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
import { isExpired } from '../blocks/block.rules.ts'
import type { BusinessRecord } from '../business/business.queries.ts'
import { type FullSession, findBusy, lockStretchers } from './onsite.queries.ts'
import { findClash, hasPassed, MAX_AHEAD, whyNotReady } from './onsite.rules.ts'

type ScheduleCall = typeof activateBlock | typeof rescheduleSession | typeof changeStretcher
type StartCall = typeof activateBlock | typeof rescheduleSession

/** Parses a time, or refuses it with the specified text. */
export function readMoment(call: StartCall | typeof listCandidates, text: string): Date {
  if (!Instant.safeParse(text).success) throw refuse(call, 'bad_date')
  return new Date(text)
}

/** Parses a start that has not passed and is not too far in the future. */
export function readStart(call: StartCall, text: string, now: Date): Date {
  const startsAt = readMoment(call, text)
  if (hasPassed(startsAt, now)) throw refuse(call, 'in_the_past')
  if (startsAt.getTime() > now.getTime() + MAX_AHEAD) throw refuse(call, 'too_far')
  return startsAt
}

/** Refuses a start after the last day of the block. */
export function checkLastDay(call: StartCall, expiresOn: string | null, startsAt: Date, zone: string) {
  if (expiresOn !== null && isExpired(expiresOn, dayIn(zone, startsAt)))
    throw refuse(call, 'block_expired', { values: { day: formatDay(expiresOn) } })
}

/** The stretcher, if ready for sessions on that day; otherwise refuses with the reason. */
export async function pickStretcher(call: ScheduleCall, db: Db, id: number, startsAt: Date): Promise<SessionStretcher> {
  const [stretcher] = await findSessionStretchers(db, { id, at: startsAt })
  if (!stretcher) throw refuse(call, 'no_stretcher')
  const { name, readiness } = stretcher
  if (readiness !== 'ready') throw refuse(call, 'not_ready', { values: { name, why: whyNotReady[readiness] } })
  return stretcher
}

/** The block of a session, from the joined columns; undefined after the block was deleted. */
export function blockOf(session: FullSession): BlockRecord | undefined {
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

/** All columns of a new session except its time, so that nothing must be read again. */
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

interface Reservation {
  stretcher: { id: number; name: string }
  startsAt: Date
  endsAt: Date
  /** Ignores the block's own session when checking for overlaps. */
  blockId: number
  /** Another stretcher to lock. */
  alsoLock?: number
}

interface Place {
  zone_id: number
  time_zone: string
}

/** Reserves the time of a stretcher of the zone until the transaction ends. */
export async function reserveTime(call: ScheduleCall, db: Db, { zone_id, time_zone }: Place, reservation: Reservation) {
  const { stretcher, startsAt, endsAt, blockId, alsoLock } = reservation
  const zones = await lockStretchers(db, alsoLock === undefined ? [stretcher.id] : [stretcher.id, alsoLock])
  // Check after locking: the stretcher may change zones while this waits for the lock.
  if (zones.get(stretcher.id) !== zone_id) throw refuse(call, 'other_zone', { values: { name: stretcher.name } })
  const busy = await findBusy(db, [stretcher.id], { from: startsAt, to: endsAt, exceptBlock: blockId })
  const clash = findClash(busy, startsAt, endsAt)
  if (!clash) return
  const when = formatTimeRange(clash.starts_at, clash.ends_at, { zone: time_zone })
  throw refuse(call, 'busy', { values: { name: stretcher.name, when } })
}
