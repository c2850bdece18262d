import { isDeepStrictEqual } from 'node:util'
import {
  type HistoryChange,
  type HistoryValue,
  restoreValue,
  undoChange,
} from '@limber/contract/access/history/history.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { formatDay, formatMoment } from '@limber/contract/kit/formats/dates.ts'
import { formatMoney } from '@limber/contract/kit/formats/money.ts'
import { formatInteger, formatList, formatPhone, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import {
  type ActionFacts,
  CHANGED,
  type HistoryField,
  type Opposite,
  type RecordHistory,
  type RecordNow,
  type Restore,
} from '#platform/audit/history.ts'
import type { Caller } from '#platform/http/routes.ts'
import { mayCall } from '#platform/security/guard-request.ts'
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

/** What an action changed, with personal values. */
export const factsOf = ({ before, after, was, is }: ChangeRow): ActionFacts => ({
  before: { ...(isFields(before) ? before : {}), ...was },
  after: { ...(isFields(after) ? after : {}), ...is },
})

/** The fields that a row changed, of those that the kind of record shows. */
export function changesOf(row: ChangeRow, fields: readonly HistoryField[]): FieldChange[] {
  const { before: earlier, after: later } = factsOf(row)
  const { after } = row
  const names: readonly unknown[] = isFields(after) && Array.isArray(after.changed) ? after.changed : []
  return fields.flatMap((field): FieldChange[] => {
    const [from, to] = [earlier[field.name], later[field.name]]
    const isKnown = field.name in earlier && field.name in later
    if (!isKnown) return names.includes(field.name) ? [{ field, from: null, to: null, isKnown }] : []
    return isSame(from, to) ? [] : [{ field, from, to, isKnown }]
  })
}

/** Names of the records that values refer to, by field and id. */
export type Names = ReadonlyMap<HistoryField, ReadonlyMap<number, string>>

/** The ids whose names a field needs. */
export const idsOf = (field: HistoryField, changes: readonly FieldChange[]): number[] => {
  const values = changes.filter((change) => change.field === field).flatMap(({ from, to }) => [from, to])
  return [...new Set(values.filter((id) => typeof id === 'number'))]
}

/** What the words of a value depend on. */
interface Known {
  names: Names
  now: Date
  zone: string | undefined
}

/** A value in words. Null when there is none, or when it is too large for a line. */
export function wordsOf(value: unknown, field: HistoryField, known: Known): string | null {
  const { names, now, zone } = known
  if (isMissing(value) || field.isTooLarge) return null
  if (Array.isArray(value)) return listOf(value, field, known)
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number')
    return names.get(field)?.get(value) ?? (field.names ? `#${value}` : formatInteger(value))
  if (typeof value !== 'string') return null
  if (field.choiceLabels) return field.choiceLabels[value] ?? value
  if (field.kind === 'phone') return formatPhone(value)
  if (field.kind === 'day') return formatDay(value.slice(0, 10))
  if (field.kind === 'moment') return formatMoment(new Date(value), { now, ...(zone && { zone }) })
  return field.kind === 'money' ? formatMoney(value) : value
}

function listOf(values: readonly unknown[], field: HistoryField, known: Known): string | null {
  const words = values.map((one) => wordsOf(one, field, known))
  return words.every((one) => one !== null) && words.length > 0 ? formatList(words) : null
}

const MAX_PARTS = 6

const stored = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))

/** A restored value is compared as it is stored. */
export const isSame = (one: unknown, other: unknown) =>
  isDeepStrictEqual(stored(one), stored(other)) || (isMissing(one) && isMissing(other))

/** The call that restores the value before a change; undefined when it cannot be restored now. */
export function restoreOf(
  { field, from, isKnown }: FieldChange,
  { restores }: RecordHistory,
  { values, erasedAt }: RecordNow,
): Restore | undefined {
  const now = values[field.name]
  if (!isKnown || erasedAt || isSame(from, now)) return undefined
  return restores.find(({ fields, fits }) => fields.includes(field.name) && (fits?.(from, now) ?? true))
}

/** The opposite of an action; undefined when there is none, or when the record is no longer as the action left it. */
export function oppositeOf(row: ChangeRow, { opposites }: RecordHistory, record: RecordNow): Opposite | undefined {
  const opposite = opposites?.[row.action]
  return opposite && !record.erasedAt && opposite.fits(record.values, factsOf(row)) ? opposite : undefined
}

export interface Reading {
  history: RecordHistory
  record: RecordNow
  names: Names
  now: Date
  caller: Caller
}

/** Of two lists, what was removed and what was added. */
function differenceOf(from: unknown, to: unknown): [unknown, unknown] {
  if (!Array.isArray(from) || !Array.isArray(to)) return [from, to]
  const without = (these: readonly unknown[], others: readonly unknown[]) =>
    these.filter((one) => !others.some((other) => isSame(one, other)))
  return [without(from, to), without(to, from)]
}

/** The value, or its parts in words. */
const partsOf = (value: unknown, { parts }: HistoryField): unknown =>
  parts && !isMissing(value) ? parts(value) : value

/** The value that a record has now. Whoever restores an earlier one has seen it. */
export const nowInWords = (value: unknown, field: HistoryField, known: Known): string | null =>
  wordsOf(partsOf(value, field), field, known)

/** Null for more parts than a line holds. */
const shortly = (value: unknown, field: HistoryField, known: Known): string | null =>
  field.parts && Array.isArray(value) && value.length > MAX_PARTS ? null : wordsOf(value, field, known)

function presentValue(change: FieldChange, { history, record, names, now, caller }: Reading): HistoryValue {
  const { field, isKnown } = change
  const [from, to] = differenceOf(partsOf(change.from, field), partsOf(change.to, field))
  const { erasedAt } = record
  const why = erasedAt ? `erased on ${formatDay(companyDay(erasedAt), { now })}` : 'value not kept'
  const restore = restoreOf(change, history, record)
  const known = { names, now, zone: record.zone }
  const current = record.values[field.name]
  const [adds, removes] = differenceOf(partsOf(change.from, field), partsOf(current, field))
  return {
    ...{ field: field.name, label: field.label },
    from: shortly(from, field, known),
    to: shortly(to, field, known),
    missing: isKnown ? null : why,
    restore:
      restore && mayCall(caller, restore.call)
        ? {
            now: nowInWords(current, field, known),
            effect: restore.effects?.[field.name] ?? null,
            isLatest: isSame(current, change.to),
            list: Array.isArray(adds)
              ? { adds: shortly(adds, field, known), removes: shortly(removes, field, known) }
              : null,
          }
        : null,
  }
}

const RESTORED = `${restoreValue.method} ${restoreValue.path}`
const UNDONE = `${undoChange.method} ${undoChange.path}`

function textOf(row: ChangeRow, phrase: string, changes: readonly FieldChange[]): string {
  const [only] = changes
  if (changes.length === 1 && only && row.call === RESTORED) return `restored ${only.field.label}`
  if (phrase !== CHANGED) return phrase
  if (changes.length === 0 || !only) return 'saved the record'
  const what = changes.length === 1 ? only.field.label : pluralize(changes.length, 'detail')
  return row.call === UNDONE ? `undid the change of ${what}` : `changed ${what}`
}

/** One change as a sentence with its values. */
export function presentChange(row: ChangeRow, reading: Reading): HistoryChange {
  const { fields, actions } = reading.history
  const changes = changesOf(row, fields)
  const values = changes.map((change) => presentValue(change, reading))
  const opposite = oppositeOf(row, reading.history, reading.record)
  const kind = row.worker_id === null ? 'program' : row.worker_id === reading.caller.workerId ? 'you' : 'person'
  return {
    ...{ id: row.id, at: row.at.toISOString(), reason: row.reason },
    by: { kind, name: row.worker_name ?? (kind === 'program' ? 'Limber' : `Worker ${row.worker_id}`) },
    text: textOf(row, actions[row.action] ?? CHANGED, changes),
    values,
    undo:
      opposite && values.every(({ restore }) => !restore) && mayCall(reading.caller, opposite.call)
        ? { effect: opposite.effect ?? null }
        : null,
  }
}
