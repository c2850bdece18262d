import { type OnsiteSession, slotsOf } from '@limber/contract/businesses/blocks/block.ts'
import type {
  Clash,
  listSoonSessions,
  SessionDetail,
  SessionSlot,
} from '@limber/contract/businesses/sessions/onsite.ts'
import type { ReplyOf } from '@limber/contract/kit/call.ts'
import { formatTimeRange } from '@limber/contract/kit/formats/dates.ts'
import { dayIn } from '@limber/contract/kit/zone-time.ts'
import { MINUTE, shift } from '#platform/clock.ts'
import { bareMoment, presentSession } from '../blocks/block.present.ts'
import { stateOfBlock } from '../blocks/block.rules.ts'
import type { FullSession, ParticipantRow, SoonSession } from './onsite.queries.ts'
import type { Busy } from './onsite.rules.ts'

const HOUR = 60 * MINUTE

type SessionSize = Pick<FullSession, 'starts_at' | 'ends_at' | 'block_hours' | 'slot_length_minutes'>

/** Hours and slots of a session, also after its block was deleted. */
function sizeOf({ starts_at, ends_at, block_hours, slot_length_minutes }: SessionSize) {
  const hours = block_hours ?? Math.round((ends_at.getTime() - starts_at.getTime()) / HOUR)
  return { hours, slot: slot_length_minutes ?? 15 }
}

/** Number of slots in a session. */
export function slotsOfSession(session: SessionSize): number {
  const { hours, slot } = sizeOf(session)
  return slotsOf(hours, slot)
}

export function presentFullSession(session: FullSession, now: Date): OnsiteSession {
  return presentSession(session, slotsOfSession(session), now)
}

export const presentClash = ({ kind, starts_at, ends_at, business }: Busy): Clash => ({
  kind,
  starts_at: bareMoment(starts_at),
  ends_at: bareMoment(ends_at),
  business,
})

export function presentDetail(session: FullSession, participants: readonly ParticipantRow[], now: Date): SessionDetail {
  const { hours, slot } = sizeOf(session)
  const bySlot = new Map(participants.map((one) => [one.slot, one]))
  const slot_list = Array.from({ length: slotsOf(hours, slot) }, (_, index): SessionSlot => {
    const starts = shift(session.starts_at, index * slot * MINUTE)
    const taken = bySlot.get(index)
    return {
      starts_at: bareMoment(starts),
      ends_at: bareMoment(shift(starts, slot * MINUTE)),
      participant: taken ? { name: taken.name, email: taken.email, rating: taken.rating } : null,
    }
  })
  const { used_at, expires_on, ends_at } = session
  return {
    ...presentFullSession(session, now),
    business_name: session.business_name,
    admin_email: session.admin_email,
    stretcher_email: session.stretcher_email,
    internal_label: session.internal_label ?? '',
    block_hours: hours,
    slot_length_minutes: slot,
    block_state:
      session.block_id === null
        ? null
        : stateOfBlock({ used_at, expires_on, ends_at }, now, dayIn(session.time_zone, now)),
    time_zone: session.time_zone,
    zone_name: session.zone_name,
    location: session.location,
    cancelled_at: session.cancelled_at?.toISOString() ?? null,
    cancel_reason: session.cancel_reason,
    slot_list,
  }
}

export const presentSoon = ({
  starts_at,
  ends_at,
  time_zone,
  ...session
}: SoonSession): ReplyOf<typeof listSoonSessions>['sessions'][number] => ({
  ...session,
  time: formatTimeRange(starts_at, ends_at, { zone: time_zone }),
})
