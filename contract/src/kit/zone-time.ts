/** Local wall-clock time, in milliseconds as if it were UTC. */
type Wall = number

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const readers = new Map<string, Intl.DateTimeFormat>()

function readerOf(zone: string): Intl.DateTimeFormat {
  const known = readers.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  readers.set(zone, made)
  return made
}

/** True for the name of a time zone that this machine knows. Bare offsets are not names. */
export function isTimeZone(name: string): boolean {
  if (!/^(UTC|[A-Za-z_]+(\/[A-Za-z0-9_+-]+)+)$/.test(name)) return false
  try {
    readerOf(name)
    return true
  } catch {
    return false
  }
}

/** The offset of a zone from UTC, read from the locale data. Slow. */
function readOffset(time: number, zone: string): number {
  const part: Record<string, number> = {}
  for (const { type, value } of readerOf(zone).formatToParts(time)) part[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1000) * 1000
}

// One lookup per day is enough: the offset never changes and changes back within a day.
const midnights = new Map<string, number>()

function offsetAtMidnight(day: number, zone: string): number {
  const key = `${zone} ${day}`
  const offset = midnights.get(key) ?? readOffset(day * 24 * HOUR, zone)
  if (midnights.size > 10_000) midnights.clear()
  midnights.set(key, offset)
  return offset
}

/** The wall-clock time of a zone at a moment. */
export function wallTime(at: Date, zone: string): Wall {
  const time = at.getTime()
  const day = Math.floor(time / (24 * HOUR))
  const offset = offsetAtMidnight(day, zone)
  return time + (offset === offsetAtMidnight(day + 1, zone) ? offset : readOffset(time, zone))
}

/** The calendar day of a zone at a moment, `YYYY-MM-DD`. */
export const dayIn = (zone: string, at: Date) => new Date(wallTime(at, zone)).toISOString().slice(0, 10)

/** The value of a `datetime-local` input for a moment, `YYYY-MM-DDTHH:MM`. */
export const inputFromMoment = (at: Date, zone: string) => new Date(wallTime(at, zone)).toISOString().slice(0, 16)

/**
 * The moments that match the value of a `datetime-local` input in a zone: usually one, none in the hour skipped in
 * spring, two in the hour repeated in the fall, earliest first. Undefined when the value is not a date and time.
 */
export function momentsFromInput(field: string, zone: string): Date[] | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(field)) return undefined
  const wall = Date.parse(`${field}Z`)
  // Date.parse turns impossible days and hours into other ones.
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, field.length) !== field) return undefined
  // Offsets are below 26 hours and change at most once in this range.
  const offsets = [-26, 26].map((hours) => {
    const near = new Date(wall + hours * HOUR)
    return wallTime(near, zone) - near.getTime()
  })
  const found = [...new Set(offsets)].map((offset) => new Date(wall - offset))
  return found.filter((moment) => wallTime(moment, zone) === wall).sort((a, b) => a.getTime() - b.getTime())
}

/** Rounds a moment up to the next five minutes of the clock. */
export const roundUpToFive = (at: Date) => new Date(Math.ceil(at.getTime() / (5 * MINUTE)) * 5 * MINUTE)

/** Parses a moment without a zone marker. It is UTC. */
export const readBareMoment = (text: string) => new Date(`${text}Z`)
