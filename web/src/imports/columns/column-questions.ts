import type { ImportColumn, ImportColumns, ImportDetail } from '@limber/contract/imports/import.ts'
import { type DateOrder, type ImportField, importFields } from '@limber/contract/imports/import-fields.ts'
import type { ImportResource } from '@limber/contract/imports/import-kinds.ts'
import { formatDay } from '@limber/contract/kit/formats/dates.ts'

/** The field of each column, by its header; null is not imported. */
export type Choices = Readonly<Record<string, string | null>>

/** What still has to be answered about a column. */
export type Question = { kind: 'dates' } | { kind: 'twice'; others: readonly string[] }

/** The choices to begin with: those of the last check, or what the map and the guess say. */
export function firstChoices(
  { columns: checked }: ImportDetail,
  { columns }: ImportColumns,
  isOtherMap: boolean,
): Choices {
  return Object.fromEntries(
    columns.map(({ header, field }) => [header, checked && !isOtherMap ? (checked[header] ?? null) : field]),
  )
}

export const fieldAt = (resource: ImportResource, path: string | null | undefined): ImportField | undefined =>
  importFields[resource].find((field) => field.path === path)

const isDate = (field: ImportField | undefined) => field?.kind === 'moment' || field?.kind === 'day'

/** Whether the order of day and month has to be known to read this column. */
export const needsOrder = ({ dates }: ImportColumn, field: ImportField | undefined) =>
  isDate(field) && dates?.order === 'unclear'

/** The open question of each column, by its header. */
export function findQuestions(
  resource: ImportResource,
  columns: readonly ImportColumn[],
  choices: Choices,
  dates: DateOrder | null,
): Map<string, Question> {
  const takenBy = Map.groupBy(
    columns.filter(({ header }) => choices[header]),
    ({ header }) => choices[header],
  )
  const questions = new Map<string, Question>()
  for (const column of columns) {
    const { header } = column
    const others = (takenBy.get(choices[header]) ?? []).filter((other) => other !== column)
    if (others.length > 0) questions.set(header, { kind: 'twice', others: others.map((other) => other.header) })
    else if (!dates && needsOrder(column, fieldAt(resource, choices[header]))) questions.set(header, { kind: 'dates' })
  }
  return questions
}

/** The columns to import, as they are sent. */
export const chosenColumns = (choices: Choices): Record<string, string> =>
  Object.fromEntries(
    Object.entries(choices).filter((entry): entry is [string, string] => entry[1] !== null && entry[0] !== ''),
  )

const WRITTEN = /(\d{1,2})\D(\d{1,2})\D(\d{4})/

/** A date such as 03/04/2025, read in one of the two orders. */
export function readAs(example: string, order: DateOrder): string {
  const [, first = '', second = '', year = ''] = WRITTEN.exec(example) ?? []
  if (!year) return order === 'mdy' ? 'Month first' : 'Day first'
  const [month, day] = order === 'mdy' ? [first, second] : [second, first]
  return formatDay(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
}

/** How the rows are recognized, as the footer says it. */
export function comparedBy(choices: Choices): string {
  const paths = new Set(Object.values(choices))
  const keys = [paths.has('external_id') && 'External ID', paths.has('email') && 'email'].filter(Boolean)
  return keys.length > 0 ? `Rows are compared by ${keys.join(', then by ')}.` : ''
}
