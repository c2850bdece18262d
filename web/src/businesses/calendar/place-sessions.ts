import type { CalendarSession } from '@limber/contract/businesses/calendar/onsite-calendar.ts'
import { zoneNameAt } from '@limber/contract/kit/formats/dates.ts'
import { dayIn, readBareMoment, wallTime } from '@limber/contract/kit/zone-time.ts'
import type { Span } from './lay-out.ts'

const MINUTE = 60_000
const WHOLE_DAY = 24 * 60
/** The minimum height: a session that starts right before midnight must stay readable and clickable. */
const MIN_MINUTES = 45

/** The hours that are always visible. */
const FIRST_HOUR = 6
const LAST_HOUR = 22

export interface Placed extends Span {
  session: CalendarSession
}

/**
 * The position of a session on its day, in minutes in its time zone. A session past midnight ends with the day. Across a
 * daylight saving change, the height follows the local time, not the duration.
 */
export function placeOf(session: CalendarSession): Placed {
  const midnight = Date.parse(`${session.day}T00:00:00Z`)
  const minuteOf = (text: string) => (wallTime(readBareMoment(text), session.zone.time_zone) - midnight) / MINUTE
  const start = minuteOf(session.starts_at)
  const to = Math.min(WHOLE_DAY, Math.max(minuteOf(session.ends_at), start + MIN_MINUTES))
  return { session, from: Math.min(start, to - MIN_MINUTES), to }
}

/** The visible hours: 6 AM to 10 PM, and more where a session is outside. */
export function hoursOf(spans: readonly Span[]): { first: number; last: number } {
  return {
    first: Math.min(FIRST_HOUR, ...spans.map(({ from }) => Math.floor(from / 60))),
    last: Math.max(LAST_HOUR, ...spans.map(({ to }) => Math.ceil(to / 60))),
  }
}

export interface NowLine {
  day: string
  /** The minute of the day. */
  minute: number
  /** The abbreviations of the time zones on this line, such as PST. */
  name: string
}

/** The current time in each time zone. Zones that agree share a line. */
export function nowLines(timeZones: readonly string[], now: Date): NowLine[] {
  const lines = new Map<string, NowLine>()
  for (const zone of timeZones) {
    const day = dayIn(zone, now)
    const minute = Math.floor((wallTime(now, zone) - Date.parse(`${day}T00:00:00Z`)) / MINUTE)
    const key = `${day} ${minute}`
    const [name, known] = [zoneNameAt(now, zone), lines.get(key)]
    const names = known?.name.split(', ') ?? []
    lines.set(key, { day, minute, name: [...names.filter((one) => one !== name), name].join(', ') })
  }
  return [...lines.values()]
}

/** The distinct time zones of some sessions. */
export const zonesOf = (sessions: readonly CalendarSession[]): string[] => [
  ...new Set(sessions.map(({ zone }) => zone.time_zone)),
]

/** The time zone abbreviations of some sessions, such as 'PDT, PST' in a week of a daylight saving change. */
export const clockNames = (sessions: readonly CalendarSession[]): string =>
  [...new Set(sessions.map(({ starts_at, zone }) => zoneNameAt(readBareMoment(starts_at), zone.time_zone)))].join(', ')
