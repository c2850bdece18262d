import { companyDay, companyZone } from '../company.ts'
import { daysBetween } from '../days.ts'
import { dayIn, inputFromMoment, momentsFromInput, wallTime } from '../zone-time.ts'

// Hard-coded, so that the server and all browsers agree: locale data differ, for example in `Sep` and `Sept`.
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

const MINUTE = 60_000
const HOUR = 60 * MINUTE

export const INVALID_DATE = 'Invalid Date'

interface DayForm {
  /** Leaves out the current year, for screens. Stored or sent text always includes the year. */
  now?: Date | undefined
  hasWeekday?: boolean
}

interface TimeForm {
  /** Default: the company's time zone. */
  zone?: string
  /** Names the zone even when it is the company's: for readers outside the company. */
  isZoneNamed?: boolean
  hasSeconds?: boolean
}

type MomentForm = DayForm & TimeForm

const read = (day: string) => new Date(`${day}T00:00:00Z`)

// Date would turn February 30 into a day in March.
const isReal = (day: string, date: Date) => !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)

/** `Tue` for a calendar day, `YYYY-MM-DD`. */
export const formatWeekday = (day: string) => WEEKDAYS[read(day).getUTCDay()] ?? INVALID_DATE

/** `Nov 17, 2026`; `Nov 17` in the current year; `Tue, Nov 17` with the weekday. */
export function formatDay(day: string, { now, hasWeekday = false }: DayForm = {}): string {
  const date = read(day)
  if (!isReal(day, date)) return INVALID_DATE
  const year = now && companyDay(now).startsWith(day.slice(0, 4)) ? '' : `, ${date.getUTCFullYear()}`
  return `${hasWeekday ? `${formatWeekday(day)}, ` : ''}${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}${year}`
}

/** `Nov 17 – 23, 2026`, `Sep 28 – Oct 11, 2026`, `Dec 28, 2026 – Jan 3, 2027`. */
export function formatDayRange(from: string, to: string, { now }: Pick<DayForm, 'now'> = {}): string {
  const end = formatDay(to, { now })
  if (from === to) return end
  if (from.slice(0, 4) !== to.slice(0, 4)) return `${formatDay(from)} – ${formatDay(to)}`
  const start = formatDay(from).replace(/, \d{4}$/, '')
  return from.slice(0, 7) === to.slice(0, 7) ? `${start} – ${end.replace(/^\w+ /, '')}` : `${start} – ${end}`
}

const namers = new Map<string, Intl.DateTimeFormat>()

/** The short name of a zone's time at a moment: `PST` in winter, `PDT` in summer. */
export function zoneNameAt(at: Date, zone: string): string {
  const namer = namers.get(zone) ?? new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'short' })
  namers.set(zone, namer)
  const parts = namer.formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone
}

/** In the repeated hour in the fall, only the zone name makes the time unambiguous. */
const isRepeatedHour = (at: Date, zone: string) => momentsFromInput(inputFromMoment(at, zone), zone)?.length === 2

const two = (value: number) => String(value).padStart(2, '0')

/** `9:00 AM` for an hour and a minute of the day. */
export const formatClock = (hour: number, minute: number) =>
  `${hour % 12 || 12}:${two(minute)} ${hour % 24 < 12 ? 'AM' : 'PM'}`

/** `9 AM` for the axis of a day. */
export const formatHour = (hour: number) => formatClock(hour, 0).replace(':00', '')

/** `9:00 AM` for `09:00`. */
export function formatClockText(text: string): string {
  const [hour = Number.NaN, minute = Number.NaN] = text.split(':').map(Number)
  return Number.isNaN(hour + minute) ? text : formatClock(hour, minute)
}

function clockOf(at: Date, zone: string, hasSeconds: boolean): string {
  const wall = new Date(wallTime(at, zone))
  const text = formatClock(wall.getUTCHours(), wall.getUTCMinutes())
  return hasSeconds ? text.replace(' ', () => `:${two(wall.getUTCSeconds())} `) : text
}

/** `9:00 AM`; with the zone name if it is not the company's zone, or if the hour is repeated. */
export function formatTime(
  at: Date,
  { zone = companyZone(), isZoneNamed = false, hasSeconds = false }: TimeForm = {},
): string {
  const isNamed = isZoneNamed || zone !== companyZone() || isRepeatedHour(at, zone)
  return `${clockOf(at, zone, hasSeconds)}${isNamed ? ` ${zoneNameAt(at, zone)}` : ''}`
}

/** `9:00 AM – 1:00 PM`, `9:00 AM – 1:00 PM EST`; both zone names when the clocks change in between. */
export function formatTimeRange(from: Date, to: Date, form: TimeForm = {}): string {
  const zone = form.zone ?? companyZone()
  const isChanging = zoneNameAt(from, zone) !== zoneNameAt(to, zone)
  const start = isChanging ? formatTime(from, { zone, isZoneNamed: true }) : clockOf(from, zone, false)
  const isNamed = isChanging || isRepeatedHour(from, zone)
  return `${start} – ${formatTime(to, isNamed ? { zone, isZoneNamed: true } : form)}`
}

/** `Nov 17, 2026, 9:41 AM`. */
export const formatMoment = (at: Date, form: MomentForm = {}) =>
  `${formatDay(dayIn(form.zone ?? companyZone(), at), form)}, ${formatTime(at, form)}`

/** `Tue, Nov 17, 9:00 AM – 1:00 PM`; includes the second day when it differs. */
export function formatMomentRange(from: Date, to: Date, form: MomentForm = {}): string {
  const [first, last] = [from, to].map((at) => dayIn(form.zone ?? companyZone(), at)) as [string, string]
  if (first !== last) return `${formatMoment(from, form)} – ${formatMoment(to, form)}`
  return `${formatDay(first, form)}, ${formatTimeRange(from, to, form)}`
}

/** To the second, with the zone and in UTC as in logs: `Nov 14, 2026, 9:41:09 AM PST (17:41:09 UTC)`. */
export const formatExact = (at: Date) =>
  `${formatMoment(at, { isZoneNamed: true, hasSeconds: true })} (${at.toISOString().slice(11, 19)} UTC)`

/** Minutes or hours since a moment of today or last night; undefined for older ones. */
function elapsed(at: Date, now: Date): string | undefined {
  const age = now.getTime() - at.getTime()
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`
  const isToday = companyDay(at) === companyDay(now)
  return isToday || age < 12 * HOUR ? `${Math.floor(age / HOUR)} h` : undefined
}

/** `just now`, `5 min ago`, `3 h ago`, `yesterday`; the moment itself for everything else. */
export function formatRelative(at: Date, now: Date): string {
  const age = now.getTime() - at.getTime()
  // A page may ask a few seconds before its clock ticks.
  if (age < -MINUTE) return formatMoment(at, { now })
  if (age < MINUTE) return 'just now'
  const since = elapsed(at, now)
  if (since) return `${since} ago`
  return daysBetween(companyDay(at), companyDay(now)) === 1 ? 'yesterday' : formatMoment(at, { now })
}

/** How old, for the edge of a row: `now`, `6 min`, `3 h`, `Yesterday`, `Fri`, `Nov 14`. */
export function formatAge(at: Date, now: Date): string {
  const age = now.getTime() - at.getTime()
  const day = companyDay(at)
  if (age < -MINUTE) return formatDay(day, { now })
  if (age < MINUTE) return 'now'
  const days = daysBetween(day, companyDay(now))
  return elapsed(at, now) ?? (days === 1 ? 'Yesterday' : days < 7 ? formatWeekday(day) : formatDay(day, { now }))
}
