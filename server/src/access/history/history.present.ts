import type { HistoryChange, HistoryValue } from '@limber/contract/access/history/history.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { formatDay, formatMoment } from '@limber/contract/kit/formats/dates.ts'
import { formatMoney } from '@limber/contract/kit/formats/money.ts'
import { formatInteger, formatList, formatPhone, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { CHANGED, type HistoryField, type RecordHistory } from '#platform/audit/history.ts'
import type { ChangeRow } from './history.queries.ts'

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isMissing = (value: unknown) => value === null || value === undefined || value === ''

/** A field that changed. Its values are missing when they were erased or never kept. */
export interface FieldChange {
  field: HistoryField
  from: unknown
  to: unknown
  isKnown: boolean
}

/** The fields that a row changed, of those that the kind of record shows. */
export function changesOf({ before, after, was, is }: ChangeRow, fields: readonly HistoryField[]): FieldChange[] {
  const [earlier, later] = [
    { ...(isFields(before) ? before : {}), ...was },
    { ...(isFields(after) ? after : {}), ...is },
  ]
  const names: readonly unknown[] = isFields(after) && Array.isArray(after.changed) ? after.changed : []
  return fields.flatMap((field): FieldChange[] => {
    const [from, to] = [earlier[field.name], later[field.name]]
    const isKnown = field.name in earlier && field.name in later
    if (!isKnown) return names.includes(field.name) ? [{ field, from: null, to: null, isKnown }] : []
    const isSame = JSON.stringify(from) === JSON.stringify(to) || (isMissing(from) && isMissing(to))
    return isSame ? [] : [{ field, from, to, isKnown }]
  })
}

/** Names of the records that values refer to, by field and id. */
export type Names = ReadonlyMap<HistoryField, ReadonlyMap<number, string>>

/** The ids whose names a field needs. */
export const idsOf = (field: HistoryField, changes: readonly FieldChange[]): number[] => {
  const values = changes.filter((change) => change.field === field).flatMap(({ from, to }) => [from, to])
  return [...new Set(values.filter((id) => typeof id === 'number'))]
}

/** A value in words. Null when there is none, or when it is too large for a line. */
export function wordsOf(value: unknown, field: HistoryField, names: Names, now: Date): string | null {
  if (isMissing(value)) return null
  if (Array.isArray(value)) return listOf(value, field, names, now)
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number')
    return names.get(field)?.get(value) ?? (field.names ? `#${value}` : formatInteger(value))
  if (typeof value !== 'string') return null
  if (field.choiceLabels) return field.choiceLabels[value] ?? value
  if (field.kind === 'phone') return formatPhone(value)
  if (field.kind === 'day') return formatDay(value.slice(0, 10))
  if (field.kind === 'moment') return formatMoment(new Date(value), { now })
  return field.kind === 'money' ? formatMoney(value) : value
}

function listOf(values: readonly unknown[], field: HistoryField, names: Names, now: Date): string | null {
  const words = values.map((one) => wordsOf(one, field, names, now))
  return words.every((one) => one !== null) && words.length > 0 ? formatList(words) : null
}

function presentValue(
  { field, from, to, isKnown }: FieldChange,
  names: Names,
  now: Date,
  erasedAt: Date | null,
): HistoryValue {
  const why = erasedAt ? `erased on ${formatDay(companyDay(erasedAt), { now })}` : 'value not kept'
  return {
    ...{ field: field.name, label: field.label },
    from: wordsOf(from, field, names, now),
    to: wordsOf(to, field, names, now),
    missing: isKnown ? null : why,
  }
}

function textOf(phrase: string, changes: readonly FieldChange[]): string {
  if (phrase !== CHANGED) return phrase
  const [only] = changes
  if (changes.length !== 1 || !only)
    return changes.length === 0 ? 'saved the record' : `changed ${pluralize(changes.length, 'detail')}`
  return `changed the ${only.field.label.toLowerCase()}`
}

interface Reader {
  workerId: number
  now: Date
}

/** One change as a sentence with its values. */
export function presentChange(
  row: ChangeRow,
  { fields, actions }: RecordHistory,
  names: Names,
  { workerId, now }: Reader,
  erasedAt: Date | null,
): HistoryChange {
  const changes = changesOf(row, fields)
  const kind = row.worker_id === null ? 'program' : row.worker_id === workerId ? 'you' : 'person'
  return {
    ...{ id: row.id, at: row.at.toISOString(), reason: row.reason },
    by: { kind, name: row.worker_name ?? (kind === 'program' ? 'Limber' : `Worker ${row.worker_id}`) },
    text: textOf(actions[row.action] ?? CHANGED, changes),
    values: changes.map((change) => presentValue(change, names, now, erasedAt)),
  }
}
