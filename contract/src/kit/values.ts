import { z } from 'zod'

/** Calls share the schema of the same two bounds, which makes the process start sooner. */
function shared<S>(create: (low: number, high: number) => S): (low: number, high: number) => S {
  const known = new Map<string, S>()
  return (low, high) => {
    const bounds = `${low} ${high}`
    const schema = known.get(bounds) ?? create(low, high)
    known.set(bounds, schema)
    return schema
  }
}

/** A record's id, as a JSON number. */
export const Id = z.int().positive().max(Number.MAX_SAFE_INTEGER)
export type Id = z.infer<typeof Id>

/** An id in a path or a query string. */
export const IdText = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'must be a whole number')
  .transform(Number)
  .pipe(Id)

/** An integer in a query string, between two bounds. */
export const IntegerText = shared((min, max) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max)),
)

const zoned = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-](\d{2}):(\d{2}))$/

function isInstant(text: string): boolean {
  const parts = zoned.exec(text)
  if (!parts) return false
  const [, year, month, day, hour, minute, second = 0, zoneHours = 0, zoneMinutes = 0] = parts
  if (Number(zoneHours) > 14 || Number(zoneMinutes) > 59) return false
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
  return isTime && isDay(Number(year), Number(month), Number(day))
}

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isDay(year: number, month: number, day: number): boolean {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const length = (LENGTHS[month - 1] ?? 0) + (month === 2 && isLeap ? 1 : 0)
  return year >= 1 && day >= 1 && day <= length
}

/** A moment in a request: ISO 8601 with a time zone. */
export const Instant = z
  .string()
  .max(40)
  .refine(isInstant, 'must be an ISO 8601 date and time with a time zone, such as 2026-05-01T09:30:00Z')
export type Instant = z.infer<typeof Instant>

/** A moment in a reply: ISO 8601 in UTC. */
export const Moment = z.iso.datetime()
export type Moment = z.infer<typeof Moment>

/** A UTC moment in a reply, for calls that leave out the zone marker. */
export const BareMoment = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?$/)

/** A calendar day, `YYYY-MM-DD`. */
export const Day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date such as 2026-05-01')
  .refine((text) => isDay(...(text.split('-').map(Number) as [number, number, number])), 'is not a valid date')
export type Day = z.infer<typeof Day>

/** Lowercases A to Z only. Some letters of other scripts lowercase to ASCII, and different addresses must not merge. */
export const foldCase = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

// Mail software treats these as names, comments or lists. With them, an address would look new to the suppression list
// and still reach the same person.
const beside = /[\s\p{Cc}<>()[\],;:\\"]/u

/** True for a single email address with nothing around it. */
// Check the length first: the pattern alone takes seconds on a hostile string.
export const isAddress = (text: string) =>
  text.length <= 254 && !beside.test(text) && /^[^@]+@[^@.]+(\.[^@.]+)+$/.test(text)

// Checked before trimming: a line break in an email header would start another header.
const line = z.string().refine((text) => !/[\r\n\0]/.test(text), 'must be one line')

/** An email address, trimmed, with its ASCII letters in lower case. */
export const Email = line
  .max(254, 'Invalid email format.')
  .transform((text) => foldCase(text.trim()))
  .refine(isAddress, 'Invalid email format.')
export type Email = z.infer<typeof Email>

// Text may contain tabs and line breaks, but no other control characters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

const bounded = (text: z.ZodString) =>
  shared((min, max) =>
    text
      .trim()
      .min(min, min === 1 ? 'is required' : `must be at least ${min} characters`)
      .max(max, `must be at most ${max} characters`)
      .refine((typed) => !control.test(typed), 'must not contain control characters'),
  )
const texts = bounded(z.string())
const lines = bounded(line)

/** Typed text of one or more lines: trimmed, bounded, without control characters. */
export const Text = (max: number, min = 1) => texts(min, max)

/** Typed text of one line, such as a name or a subject. */
export const Line = (max: number, min = 1) => lines(min, max)

/** A record's version. It rises with each change; a stale version is refused. */
export const Version = z.int().nonnegative()
