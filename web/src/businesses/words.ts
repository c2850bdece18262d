import type { BlockState, LedgerEntry, SessionState } from '@limber/contract/businesses/blocks/block.ts'
import type { BusinessStatus } from '@limber/contract/businesses/business/business.ts'
import { type CandidateState, NOT_HELD_DAYS, type SessionDetail } from '@limber/contract/businesses/sessions/onsite.ts'
import { readBareMoment, zoneNameAt } from '@limber/contract/kit/zone-time.ts'
import type { Meaning } from '#ui/feedback/status.tsx'

export const statusMeaning: Record<BusinessStatus, Meaning> = {
  contacted: 'plain',
  pending: 'blue',
  active: 'green',
  inactive: 'amber',
}

export const statusWords: Record<BusinessStatus, string> = {
  contacted: 'Contacted',
  pending: '90-day pilot',
  active: 'Active',
  inactive: 'Inactive',
}

export const candidateWords: Record<CandidateState, readonly [Meaning, string]> = {
  free: ['green', 'Free'],
  busy: ['amber', 'Busy'],
  in_training: ['plain', 'In training'],
  not_certified: ['plain', 'Not certified'],
}

export const sessionWords: Record<SessionState, readonly [Meaning, string]> = {
  scheduled: ['teal', 'Scheduled'],
  in_progress: ['blue', 'In progress'],
  delivered: ['green', 'Delivered'],
  cancelled: ['plain', 'Cancelled'],
}

const DAY = 86_400_000

/** Can it still be said that a session which has begun did not take place? */
export const mayBeMissed = ({ state, starts_at }: Pick<SessionDetail, 'state' | 'starts_at'>, now: Date) =>
  (state === 'in_progress' || state === 'delivered') &&
  now.getTime() <= readBareMoment(starts_at).getTime() + NOT_HELD_DAYS * DAY

/** What became of a session; one that was cancelled once it had begun did not take place. */
export function outcomeOf({ state, starts_at, cancelled_at }: SessionDetail): string {
  const wasMissed = cancelled_at !== null && new Date(cancelled_at) >= readBareMoment(starts_at)
  return wasMissed ? 'Did not take place' : sessionWords[state][1]
}

export const blockWords: Record<BlockState, string> = {
  available: 'Unused',
  scheduled: 'Scheduled',
  delivered: 'Delivered',
  expired: 'Expired',
}

export const movementWords: Record<LedgerEntry['kind'], string> = {
  granted: 'Granted',
  withdrawn: 'Withdrawn',
  scheduled: 'Scheduled',
  moved: 'Rescheduled',
  reassigned: 'Stretcher changed',
  returned: 'Returned',
}

/** '4 h in 20-minute slots'. */
export const blockText = (hours: number, slot: number) => `${hours} h in ${slot}-minute slots`

/** How many people booked the slots of a session; one may have several. */
export const peopleOf = ({ slot_list }: Pick<SessionDetail, 'slot_list'>) =>
  new Set(slot_list.flatMap(({ participant }) => participant?.email ?? [])).size

const clock = (zone: string) =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone })
const dated = (zone: string, form: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...form, timeZone: zone })

const short = { weekday: 'short', day: 'numeric', month: 'short' } as const

/** 'Wed 18 Nov', with its year when it is not this one. */
export function dayInZone(at: Date, zone: string, now: Date): string {
  const year = dated(zone, { year: 'numeric' })
  const isOther = year.format(at) !== year.format(now)
  return dated(zone, isOther ? { ...short, year: 'numeric' } : short)
    .format(at)
    .replace(',', '')
}

/** '09:00' by the clocks of a zone. */
export const clockInZone = (at: Date, zone: string) => clock(zone).format(at)

/** 'Wed 18 Nov, 13:30'. */
export const startInZone = (at: Date, zone: string, now: Date) =>
  `${dayInZone(at, zone, now)}, ${clockInZone(at, zone)}`

/** 'Wed 18, 13:30', as the suggested starts of the next two weeks are written. */
export const soonInZone = (at: Date, zone: string) =>
  `${dated(zone, { weekday: 'short', day: 'numeric' }).format(at).replace(',', '')}, ${clockInZone(at, zone)}`

/** '09:00 to 13:00 PST'; both names when the clocks change meanwhile. */
export function spanInZone(from: Date, to: Date, zone: string): string {
  const [before, after] = [zoneNameAt(from, zone), zoneNameAt(to, zone)]
  const start = before === after ? clockInZone(from, zone) : `${clockInZone(from, zone)} ${before}`
  return `${start} to ${clockInZone(to, zone)} ${after}`
}

/** 'Wed 18 Nov, 09:00 to 13:00 PST' from the bare moments of a reply. */
export function sessionInZone({ starts_at, ends_at }: { starts_at: string; ends_at: string }, zone: string, now: Date) {
  const [from, to] = [readBareMoment(starts_at), readBareMoment(ends_at)]
  return `${dayInZone(from, zone, now)}, ${spanInZone(from, to, zone)}`
}
