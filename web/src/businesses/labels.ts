import type { BlockState, LedgerEntry, SessionState } from '@limber/contract/businesses/blocks/block.ts'
import type { BusinessStatus } from '@limber/contract/businesses/business/business.ts'
import { type CandidateState, NOT_HELD_DAYS, type SessionDetail } from '@limber/contract/businesses/sessions/onsite.ts'
import { formatMoment, formatMomentRange } from '@limber/contract/kit/formats/dates.ts'
import { readBareMoment } from '@limber/contract/kit/zone-time.ts'
import type { Meaning } from '#ui/feedback/status.tsx'

export const statusMeaning: Record<BusinessStatus, Meaning> = {
  contacted: 'plain',
  pending: 'blue',
  active: 'green',
  inactive: 'amber',
}

export const statusLabels: Record<BusinessStatus, string> = {
  contacted: 'Contacted',
  pending: '90-day pilot',
  active: 'Active',
  inactive: 'Inactive',
}

export const candidateLabels: Record<CandidateState, readonly [Meaning, string]> = {
  free: ['green', 'Free'],
  busy: ['amber', 'Busy'],
  in_training: ['plain', 'In training'],
  not_certified: ['plain', 'Not certified'],
}

export const sessionLabels: Record<SessionState, readonly [Meaning, string]> = {
  scheduled: ['teal', 'Scheduled'],
  in_progress: ['blue', 'In progress'],
  delivered: ['green', 'Delivered'],
  cancelled: ['plain', 'Canceled'],
}

const DAY = 86_400_000

/** Whether a started session can still be marked as not held. */
export const canMarkNotHeld = ({ state, starts_at }: Pick<SessionDetail, 'state' | 'starts_at'>, now: Date) =>
  (state === 'in_progress' || state === 'delivered') &&
  now.getTime() <= readBareMoment(starts_at).getTime() + NOT_HELD_DAYS * DAY

/** The outcome of a session. One canceled after its start was not held. */
export function outcomeOf({ state, starts_at, cancelled_at }: SessionDetail): string {
  const wasNotHeld = cancelled_at !== null && new Date(cancelled_at) >= readBareMoment(starts_at)
  return wasNotHeld ? 'Not held' : sessionLabels[state][1]
}

export const blockLabels: Record<BlockState, string> = {
  available: 'Unused',
  scheduled: 'Scheduled',
  delivered: 'Delivered',
  expired: 'Expired',
}

export const entryLabels: Record<LedgerEntry['kind'], string> = {
  granted: 'Granted',
  withdrawn: 'Deleted',
  scheduled: 'Scheduled',
  moved: 'Rescheduled',
  reassigned: 'Stretcher changed',
  returned: 'Returned',
}

/** '4 h in 20-minute slots'. */
export const blockText = (hours: number, slot: number) => `${hours} h in ${slot}-minute slots`

/** Number of participants of a session. One person can have several slots. */
export const peopleOf = ({ slot_list }: Pick<SessionDetail, 'slot_list'>) =>
  new Set(slot_list.flatMap(({ participant }) => participant?.email ?? [])).size

/** `Wed, Nov 18, 9:00 AM – 1:00 PM` from the bare moments of a reply. */
export const sessionInZone = (
  { starts_at, ends_at }: { starts_at: string; ends_at: string },
  zone: string,
  now: Date,
) => formatMomentRange(readBareMoment(starts_at), readBareMoment(ends_at), { zone, now, hasWeekday: true })

/** `Wed, Nov 18, 1:30 PM`. */
export const startInZone = (at: Date, zone: string, now: Date) => formatMoment(at, { zone, now, hasWeekday: true })
