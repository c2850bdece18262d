import type { CalendarSession, StretcherProblem } from '@limber/contract/businesses/calendar/onsite-calendar.ts'
import { formatTime, formatTimeRange } from '@limber/contract/kit/formats/dates.ts'
import { readBareMoment } from '@limber/contract/kit/zone-time.ts'

export const problemLabels: Record<StretcherProblem, string> = {
  in_training: 'In training',
  not_certified: 'Not certified',
  inactive: 'Inactive',
}

/** `9:00 AM – 1:00 PM` in its time zone; with the abbreviation where others are visible. */
export const timesOf = ({ starts_at, ends_at, zone }: CalendarSession, isZoneNamed: boolean) =>
  formatTimeRange(readBareMoment(starts_at), readBareMoment(ends_at), { zone: zone.time_zone, isZoneNamed })

const HOUR = 3_600_000

/** `9:00 AM · 4 h`, which fits into a column. */
export function startOf({ starts_at, ends_at, zone }: CalendarSession, isZoneNamed: boolean): string {
  const [start, end] = [readBareMoment(starts_at), readBareMoment(ends_at)]
  const hours = Math.round(((end.getTime() - start.getTime()) / HOUR) * 100) / 100
  return `${formatTime(start, { zone: zone.time_zone, isZoneNamed })} · ${hours} h`
}
