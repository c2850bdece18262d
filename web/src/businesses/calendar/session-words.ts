import type { CalendarSession, StretcherProblem } from '@limber/contract/businesses/calendar/onsite-calendar.ts'
import { readBareMoment, zoneNameAt } from '@limber/contract/kit/zone-time.ts'
import { clockInZone, spanInZone } from '../words.ts'

export const problemWords: Record<StretcherProblem, string> = {
  in_training: 'In training',
  not_certified: 'Not certified',
  inactive: 'Inactive',
}

/** '09:00 to 13:00' by the clocks of its zone; with their name where others stand beside it or they change meanwhile. */
export function timesOf({ starts_at, ends_at, zone: { time_zone } }: CalendarSession, isNamed: boolean): string {
  const [from, to] = [readBareMoment(starts_at), readBareMoment(ends_at)]
  if (isNamed || zoneNameAt(from, time_zone) !== zoneNameAt(to, time_zone)) return spanInZone(from, to, time_zone)
  return `${clockInZone(from, time_zone)} to ${clockInZone(to, time_zone)}`
}
