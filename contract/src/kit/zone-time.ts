/** What the clocks of a place show, in milliseconds as if it were UTC. */
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

/** Is it the name of a time zone that this machine knows? Bare offsets are not names. */
export function isTimeZone(name: string): boolean {
  if (!/^(UTC|[A-Za-z_]+(\/[A-Za-z0-9_+-]+)+)$/.test(name)) return false
  try {
    readerOf(name)
    return true
  } catch {
    return false
  }
}

/** How far the clocks of a zone are ahead of UTC, read from the locale data: slow. */
function readOffset(time: number, zone: string): number {
  const part: Record<string, number> = {}
  for (const { type, value } of readerOf(zone).formatToParts(time)) part[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(time / 1000) * 1000
}

// One reading a day is enough: clocks do not change and change back within one.
const midnights = new Map<string, number>()

function offsetAtMidnight(day: number, zone: string): number {
  const key = `${zone} ${day}`
  const offset = midnights.get(key) ?? readOffset(day * 24 * HOUR, zone)
  if (midnights.size > 10_000) midnights.clear()
  midnights.set(key, offset)
  return offset
}

/** What the clocks of a zone show at a moment. */
export function wallTime(at: Date, zone: string): Wall {
  const time = at.getTime()
  const day = Math.floor(time / (24 * HOUR))
  const offset = offsetAtMidnight(day, zone)
  return time + (offset === offsetAtMidnight(day + 1, zone) ? offset : readOffset(time, zone))
}

/** The day of a zone at a moment, `YYYY-MM-DD`. */
export const dayIn = (zone: string, at: Date) => new Date(wallTime(at, zone)).toISOString().slice(0, 10)

/** What a date-time field shows for a moment, `YYYY-MM-DDTHH:MM`. */
export const inputFromMoment = (at: Date, zone: string) => new Date(wallTime(at, zone)).toISOString().slice(0, 16)

/**
 * The moments at which the clocks of a zone show what a date-time field says: one as a rule, none in the hour that is
 * skipped in spring, two in the hour that comes twice in autumn, earlier first. Nothing for what is no date and time.
 */
export function momentsFromInput(field: string, zone: string): Date[] | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(field)) return undefined
  const wall = Date.parse(`${field}Z`)
  // A day or an hour that no calendar has comes back as another one.
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, field.length) !== field) return undefined
  // Clocks differ from UTC by less than a day, and change at most once around a moment.
  const offsets = [-26, 26].map((hours) => {
    const near = new Date(wall + hours * HOUR)
    return wallTime(near, zone) - near.getTime()
  })
  const found = [...new Set(offsets)].map((offset) => new Date(wall - offset))
  return found.filter((moment) => wallTime(moment, zone) === wall).sort((a, b) => a.getTime() - b.getTime())
}

/** A moment rounded up to the next five minutes by the clock; one that stands on them stays. */
export const roundUpToFive = (at: Date) => new Date(Math.ceil(at.getTime() / (5 * MINUTE)) * 5 * MINUTE)

/** Reads a moment of a reply that leaves the zone marker out. */
export const readBareMoment = (text: string) => new Date(`${text}Z`)

/** The zone of whoever looks. */
export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone
