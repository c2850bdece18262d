import { personalOf } from '@limber/contract/kit/fields.ts'
import { leadFields } from '@limber/contract/marketing/leads/lead.ts'
import { contactFields } from '@limber/contract/support/customers/account.ts'
import type { AuditSubject } from './audit-areas.ts'

/** Somebody who can ask to be erased. */
export interface Person {
  first_name?: string | null
  last_name?: string | null
  email?: string | null
  phone?: string | null
}

const people: ReadonlySet<AuditSubject> = new Set(['business_email', 'certification', 'customer', 'lead', 'stretcher'])

// What a person or a record of theirs is called, and what somebody wrote about them.
const identifying: ReadonlySet<string> = new Set([
  ...['name', ...personalOf(leadFields), ...personalOf(contactFields), 'date_of_birth'],
  ...['reason', 'lost_reason', 'revoke_reason'],
])

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const plain = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => !identifying.has(field)))

interface Values {
  subject?: AuditSubject
  before?: unknown
  after?: unknown
}

/**
 * The values of an audit row without what identifies a person, as the log can never be changed and people can ask to be
 * erased. Which of those fields changed is kept.
 */
export function valuesWithoutPerson({ subject, before, after }: Values): { before: unknown; after: unknown } {
  if (subject === undefined || !people.has(subject)) return { before, after }
  const changed =
    isFields(before) && isFields(after)
      ? [...identifying].filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
      : []
  const later = isFields(after) ? { ...plain(after), ...(changed.length > 0 && { changed }) } : after
  return { before: isFields(before) ? plain(before) : before, after: later }
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

function patternsOf({ first_name, last_name, email, phone }: Person): string[] {
  // Of a name of several words, each.
  const names = `${first_name ?? ''} ${last_name ?? ''}`.split(/[^\p{L}\p{N}'’]+/u).filter((word) => word.length > 1)
  const digits = phone?.replace(/\D/g, '').slice(-10) ?? ''
  const number = digits.length < 7 ? [] : [`\\+?[0-9 ().\\-]{0,6}${[...digits].join('[ ().\\-]{0,2}')}`]
  return [...names, ...(email ? [email] : [])].map(escaped).concat(number)
}

// Of anybody. A bare row of digits may be anything: a number is told by its plus or its bracket.
const NUMBER = '[+(]\\d(?:[ ().\\-]{0,2}\\d){9,14}'
const ADDRESS = '[^\\s@<>"(),;:]{1,64}@[\\w.\\-]{1,190}'

/** A text without any email address or phone number, and without the names of these people, however they are written. */
export function textWithoutPeople(text: string, people: readonly Person[]): string {
  const patterns = [ADDRESS, NUMBER, ...people.flatMap(patternsOf)]
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])(?:${patterns.join('|')})(?![\\p{L}\\p{N}])`, 'giu'), '•••')
}
