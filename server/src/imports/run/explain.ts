import { type ImportField, importFields } from '@limber/contract/imports/import-fields.ts'
import type { ImportResource } from '@limber/contract/imports/import-kinds.ts'
import type { ItemError } from '@limber/contract/kit/batch.ts'
import { foldCase } from '@limber/contract/kit/values.ts'
import type { PlanRow } from '../import-rows.queries.ts'
import type { MatchedColumn } from '../match-columns.ts'

/** The field of an error: its own path, or the one that it is part of. */
function fieldOf(resource: ImportResource, path: string): ImportField | undefined {
  const fields = importFields[resource]
  const named = path.replace(/^messages\.\d+\./, 'message.')
  return (
    fields.find((field) => field.path === named) ??
    fields.find((field) => field.path.split('.').at(-1) === named || field.path.startsWith(`${named}.`)) ??
    (named === 'messages' ? fields.find((field) => field.path === 'message.content') : undefined)
  )
}

/** Names of fields inside a text, as people know them. */
const withLabels = (resource: ImportResource, text: string) =>
  text.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (word) => fieldOf(resource, word)?.label ?? word.replaceAll('_', ' '))

const plainTexts: readonly [pattern: RegExp, text: (found: RegExpExecArray) => string][] = [
  [
    /^Invalid option: expected one of (.*)$/,
    ([, list = '']) => `must be one of ${list.replaceAll('"', '').split('|').join(', ')}`,
  ],
  [/^Too big: expected string to have <=(\d+) characters$/, ([, max]) => `is longer than ${max} characters`],
  [/^Too big: expected \w+ to be <=(-?\d+)$/, ([, max]) => `must be at most ${max}`],
  [/^Too small: expected \w+ to be >=(-?\d+)$/, ([, min]) => `must be at least ${min}`],
  [/^Too small: expected string to have/, () => 'is too short'],
  [/^Invalid (input|email format)/, () => 'is not valid'],
]

function plainText(text: string): string {
  for (const [pattern, say] of plainTexts) {
    const found = pattern.exec(text)
    if (found) return say(found)
  }
  return text
}

const isSentence = (text: string) => /^[A-Z]/.test(text)
const ended = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Groups whose texts name records, and would otherwise differ from row to row. */
const groups: Readonly<Record<string, string>> = {
  already_linked: 'The record has another external ID',
  duplicate: 'A record with the same contact exists',
  merged: 'The record was merged',
}

export type Reason = Pick<PlanRow, 'reason' | 'detail' | 'field' | 'value'>

/** Why a row is not taken: in a few words to group by, in full, and the cell that is wrong. */
export function explain(
  resource: ImportResource,
  errors: readonly ItemError[],
  columns: readonly MatchedColumn[],
  cells: readonly string[],
): Reason {
  const told = errors.map((error) => {
    const label = fieldOf(resource, error.path)?.label
    const text = withLabels(resource, plainText(error.text))
    return { error, label, text: label && !isSentence(text) ? `${label} ${text}` : text }
  })
  const [first] = told
  if (!first) return { reason: null, detail: null, field: null, value: null }
  const { error, label = null, text } = first
  const column = columns.find(({ field }) => field.label === label)
  const unknown = error.code === 'missing_reference' && label ? `${label} is unknown` : undefined
  return {
    reason: (unknown ?? groups[error.code] ?? text).replace(/\.$/, '').slice(0, 200),
    detail: told
      .map((each) => ended(each.text))
      .join(' ')
      .slice(0, 1000),
    field: label,
    value: column ? (cells[column.place] ?? '').trim().slice(0, 200) || null : null,
  }
}

/** Whom or what a row is about, and the address by which an erasure finds it. */
export function identify(item: Readonly<Record<string, unknown>>): Pick<PlanRow, 'subject' | 'contact'> {
  const text = (name: string) => (typeof item[name] === 'string' ? String(item[name]).trim() : '')
  const contact = ['email', 'customer_email', 'admin_email', 'worker_email'].map(text).find((found) => found !== '')
  const name = [text('first_name'), text('last_name')].filter((part) => part !== '').join(' ')
  const subject = [name, text('name'), text('subject'), contact ?? '', text('external_id')].find((each) => each !== '')
  return {
    subject: subject?.slice(0, 200) ?? null,
    contact: contact === undefined ? null : foldCase(contact).slice(0, 254),
  }
}
