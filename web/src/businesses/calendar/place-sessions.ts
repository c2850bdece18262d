import type { CalendarSession } from '@limber/contract/businesses/calendar/onsite-calendar.ts'
import { zoneNameAt } from '@limber/contract/kit/formats/dates.ts'
import { dayIn, readBareMoment, wallOf } from '@limber/contract/kit/zone-time.ts'
import type { Span } from './lay-out.ts'

const MINUTE = 60_000
const WHOLE_DAY = 24 * 60
/** What is drawn is never lower: a session that begins right before midnight can still be read and pressed. */
const SHORTEST = 45

/** The hours that are always shown. */
const FIRST = 6
const LAST = 22

export interface Placed extends Span {
  session: CalendarSession
}

/**
 * Where a session stands on its day, in minutes by the clocks of its zone. What goes on behind midnight ends with the
 * day. When the clocks change meanwhile, it is as high as they say, and not as long as it takes.
 */
export function placeOf(session: CalendarSession): Placed {
  const midnight = Date.parse(`${session.day}T00:00:00Z`)
  const minuteOf = (text: string) => (wallOf(readBareMoment(text), session.zone.time_zone) - midnight) / MINUTE
  const start = minuteOf(session.starts_at)
  const to = Math.min(WHOLE_DAY, Math.max(minuteOf(session.ends_at), start + SHORTEST))
  return { session, from: Math.min(start, to - SHORTEST), to }
}

/** The hours of the picture: from six to ten in the evening, and more where something lies outside. */
export function hoursOf(spans: readonly Span[]): { first: number; last: number } {
  return {
    first: Math.min(FIRST, ...spans.map(({ from }) => Math.floor(from / 60))),
    last: Math.max(LAST, ...spans.map(({ to }) => Math.ceil(to / 60))),
  }
}

export interface NowLine {
  day: string
  /** The minute of that day. */
  minute: number
  /** The zones whose clocks show it, as PST. */
  name: string
}

/** Where now is by the clocks of some time zones; those that agree share a line. */
export function nowLines(timeZones: readonly string[], now: Date): NowLine[] {
  const lines = new Map<string, NowLine>()
  for (const zone of timeZones) {
    const day = dayIn(zone, now)
    const minute = Math.floor((wallOf(now, zone) - Date.parse(`${day}T00:00:00Z`)) / MINUTE)
    const key = `${day} ${minute}`
    const [name, known] = [zoneNameAt(now, zone), lines.get(key)]
    const names = known?.name.split(', ') ?? []
    lines.set(key, { day, minute, name: [...names.filter((one) => one !== name), name].join(', ') })
  }
  return [...lines.values()]
}

/** The time zones of some sessions, each once. */
export const zonesOf = (sessions: readonly CalendarSession[]): string[] => [
  ...new Set(sessions.map(({ zone }) => zone.time_zone)),
]

/** What the clocks of some sessions are called, as 'PDT, PST' in a week in which they change. */
export const clockNames = (sessions: readonly CalendarSession[]): string =>
  [...new Set(sessions.map(({ starts_at, zone }) => zoneNameAt(readBareMoment(starts_at), zone.time_zone)))].join(', ')
