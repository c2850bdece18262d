import { z } from 'zod'

/** A record's number. On the wire a JSON number; in a path or a query, digits. */
export const Id = z.int().positive().max(Number.MAX_SAFE_INTEGER)
export type Id = z.infer<typeof Id>

/** An Id inside a path or a query string. */
export const IdText = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'must be a whole number')
  .transform(Number)
  .pipe(Id)

/** A whole number inside a query string, between two bounds. */
export const IntegerText = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max))

const zoned = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

function isInstant(text: string): boolean {
  if (!zoned.test(text)) return false
  const [year, month, day] = text.split(/[-T]/).map(Number) as [number, number, number]
  const [hour, minute, second = 0] = text
    .slice(11)
    .split(/[:Z+.-]/)
    .map(Number) as [number, number, number?]
  const zone = /([+-])(\d{2}):(\d{2})$/.exec(text)
  if (zone && (Number(zone[2]) > 14 || Number(zone[3]) > 59)) return false
  return isDay(year, month, day) && hour < 24 && minute < 60 && second < 60
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day))
  date.setUTCFullYear(year)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1
}

/** A moment in a request: ISO 8601 and it names its zone. */
export const Instant = z
  .string()
  .max(40)
  .refine(isInstant, 'must be an ISO 8601 date and time with a time zone, such as 2026-05-01T09:30:00Z')
export type Instant = z.infer<typeof Instant>

/** A moment in a reply: ISO 8601 in UTC. */
export const Moment = z.iso.datetime()
export type Moment = z.infer<typeof Moment>

/** A moment in a reply of the calls that leave the zone marker out; it is UTC. */
export const BareMoment = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?$/)

/** A calendar day, `YYYY-MM-DD`. */
export const Day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date such as 2026-05-01')
  .refine((text) => isDay(...(text.split('-').map(Number) as [number, number, number])), 'is not a valid date')
export type Day = z.infer<typeof Day>

/** Folds A to Z only: other scripts have look-alikes that lower-case to ASCII, and addresses must not merge. */
export const foldCase = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

// A mail program reads names, comments and lists by these: around an address they would make it another text for the
// list of those who opted out, and the same person for the mail server.
const beside = /[\s\p{Cc}<>()[\],;:\\"]/u

/** Is the text one e-mail address, with nothing around it? */
// The length is checked before the pattern: the pattern alone takes seconds on a hostile string.
export const isAddress = (text: string) =>
  text.length <= 254 && !beside.test(text) && /^[^@]+@[^@.]+(\.[^@.]+)+$/.test(text)

// Looked for before anything is trimmed: a line break in the header of a mail would begin another header.
const line = z.string().refine((text) => !/[\r\n\0]/.test(text), 'must be one line')

/** An e-mail address, trimmed and folded to lower case in its ASCII letters. */
export const Email = line
  .max(254, 'Invalid email format.')
  .transform((text) => foldCase(text.trim()))
  .refine(isAddress, 'Invalid email format.')
export type Email = z.infer<typeof Email>

// Control characters other than tab and line breaks have no place in text that people read.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

const bounded = (text: z.ZodString, max: number, min: number) =>
  text
    .trim()
    .min(min, min === 1 ? 'is required' : `must be at least ${min} characters`)
    .max(max, `must be at most ${max} characters`)
    .refine((typed) => !control.test(typed), 'must not contain control characters')

/** A text a person typed, in one line or many: trimmed, bounded, without control characters. */
export const Text = (max: number, min = 1) => bounded(z.string(), max, min)

/** A name, a subject: a text of one line. */
export const Line = (max: number, min = 1) => bounded(line, max, min)

/** The number that rises with each change of a record; a stale one is refused. */
export const Version = z.int().nonnegative()
