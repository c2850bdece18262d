import { personalOf } from '@limber/contract/kit/fields.ts'
import { leadFields } from '@limber/contract/marketing/leads/lead.ts'
import { contactFields } from '@limber/contract/support/customers/account.ts'
import type { AuditSubject } from './audit-areas.ts'

/** A person who can ask to be erased. */
export interface Person {
  first_name?: string | null
  last_name?: string | null
  email?: string | null
  phone?: string | null
}

const people: ReadonlySet<AuditSubject> = new Set(['business_email', 'certification', 'customer', 'lead', 'stretcher'])

/** People whose erasure also forgets the values of their history. */
const withHistory: ReadonlySet<AuditSubject> = new Set(['certification', 'customer', 'lead', 'stretcher'])

// Names of people and their records, and free text about them.
const identifying: ReadonlySet<string> = new Set([
  ...['name', ...personalOf(leadFields), ...personalOf(contactFields), 'date_of_birth'],
  ...['reason', 'lost_reason', 'revoke_reason'],
])

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const plain = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => !identifying.has(field)))

/** Values that are too long for the audit log, such as the content of a lesson. */
export interface LongValues {
  before: Fields
  after: Fields
}

interface Values {
  subject?: AuditSubject
  before?: unknown
  after?: unknown
  long?: LongValues
}

interface Split {
  before: unknown
  after: unknown
  /** Values that are kept beside the log: personal ones until the person is erased, and long ones. */
  kept?: { before: Fields; after: Fields }
}

const differing = ({ before, after }: LongValues) =>
  Object.keys(before).filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))

/** The values of an audit row without long ones. The names of those that changed stay. */
function splitLong({ before, after }: Values, long: LongValues): Split {
  const changed = differing(long)
  if (changed.length === 0) return { before, after }
  const pick = (fields: Fields) => Object.fromEntries(changed.map((field) => [field, fields[field] ?? null]))
  const later = { ...(isFields(after) ? after : {}), changed }
  return { before, after: later, kept: { before: pick(long.before), after: pick(long.after) } }
}

/**
 * The values of an audit row without personal data, because the log is append-only and people can ask to be erased. The
 * names of changed personal fields stay; their values are kept apart.
 */
export function splitPersonal(values: Values): Split {
  const { subject, before, after, long } = values
  if (long) return splitLong(values, long)
  if (subject === undefined || !people.has(subject)) return { before, after }
  const changed =
    isFields(before) && isFields(after)
      ? [...identifying].filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
      : []
  const later = isFields(after) ? { ...plain(after), ...(changed.length > 0 && { changed }) } : after
  const rest = { before: isFields(before) ? plain(before) : before, after: later }
  if (changed.length === 0 || !isFields(before) || !isFields(after) || !withHistory.has(subject)) return rest
  const pick = (fields: Fields) => Object.fromEntries(changed.map((field) => [field, fields[field] ?? null]))
  return { ...rest, kept: { before: pick(before), after: pick(after) } }
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

function patternsOf({ first_name, last_name, email, phone }: Person): string[] {
  // Each word of a name.
  const names = `${first_name ?? ''} ${last_name ?? ''}`.split(/[^\p{L}\p{N}'’]+/u).filter((word) => word.length > 1)
  const digits = phone?.replace(/\D/g, '').slice(-10) ?? ''
  const number = digits.length < 7 ? [] : [`\\+?[0-9 ().\\-]{0,6}${[...digits].join('[ ().\\-]{0,2}')}`]
  return [...names, ...(email ? [email] : [])].map(escaped).concat(number)
}

// Phone numbers and emails of anyone. Bare digits may be anything; phone numbers start with a plus or a parenthesis.
const NUMBER = '[+(]\\d(?:[ ().\\-]{0,2}\\d){9,14}'
const ADDRESS = '[^\\s@<>"(),;:]{1,64}@[\\w.\\-]{1,190}'

/** Removes all email addresses and phone numbers, and the names of these people, from a text. */
export function textWithoutPeople(text: string, people: readonly Person[]): string {
  const patterns = [ADDRESS, NUMBER, ...people.flatMap(patternsOf)]
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])(?:${patterns.join('|')})(?![\\p{L}\\p{N}])`, 'giu'), '•••')
}
