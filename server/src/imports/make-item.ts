import { createHash } from 'node:crypto'
import type { DateOrder, ImportField } from '@limber/contract/imports/import-fields.ts'
import type { ImportResource } from '@limber/contract/imports/import-kinds.ts'
import type { ItemError } from '@limber/contract/kit/batch.ts'
import { textOfCell } from '@limber/contract/kit/csv.ts'
import { foldCase } from '@limber/contract/kit/values.ts'
import { itemError } from '#platform/sync/item-errors.ts'
import { dayOfCell, momentOfCell } from './file/read-date.ts'
import type { TableRow } from './file/read-table.ts'
import type { FileMap } from './file-map.ts'
import { isSinceJoined } from './match-columns.ts'

/** An item of the API, as a row of a file says it. */
export type RowItem = Record<string, unknown> & { external_id: string }

const yes = new Set(['yes', 'y', 'true', '1', 'x'])
const no = new Set(['no', 'n', 'false', '0'])

/** A value, or what is wrong with the cell. */
type Converted = { value: unknown } | { fault: string }

const kinds: Record<
  ImportField['kind'],
  (text: string, field: ImportField, given: { order: DateOrder | undefined; zones: FileMap['zones'] }) => Converted
> = {
  text: (text) => ({ value: text }),
  name: (text) => ({ value: text }),
  email: (text) => ({ value: text }),
  phone: (text) => {
    const digits = text.replace(/[\s().-]/g, '')
    if (/^\d{10}$/.test(digits)) return { value: `+1${digits}` }
    return { value: /^1\d{10}$/.test(digits) ? `+${digits}` : digits }
  },
  written_phone: (text) => ({ value: text }),
  moment: (text, _field, { order }) => {
    const value = momentOfCell(text, order)
    return value === undefined ? { fault: 'is not a date' } : { value }
  },
  day: (text, _field, { order }) => {
    const value = dayOfCell(text, order)
    return value === undefined ? { fault: 'is not a date' } : { value }
  },
  integer: (text) => {
    const plain = text.replace(/(?<=\d),(?=\d{3}\b)/g, '').replace(/\.0+$/, '')
    return /^-?\d{1,15}$/.test(plain) ? { value: Number(plain) } : { fault: 'is not a whole number' }
  },
  number: (text) => (/^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? { value: Number(text) } : { fault: 'is not a number' }),
  money: (text) => {
    // Accountants write negative amounts in parentheses.
    const inner = /^\((.*)\)$/.exec(text)?.[1]
    const plain = (inner ?? text).replace(/[$\s]/g, '').replace(/(?<=\d),(?=\d{3}\b)/g, '')
    return { value: inner === undefined ? plain : `-${plain}` }
  },
  flag: (text) => {
    const word = text.toLowerCase()
    if (yes.has(word)) return { value: true }
    return no.has(word) ? { value: false } : { fault: 'must be yes or no' }
  },
  choice: (text, { words = {} }) => ({ value: words[text.toLowerCase()] ?? text.toLowerCase().replaceAll(' ', '_') }),
  zone: (text, _field, { zones }) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : zones.get(foldCase(text))
    return value === undefined ? { fault: 'is not the name of a zone' } : { value }
  },
  list: (text) => ({ value: text.split(/[;|]/).flatMap((each) => each.trim() || []) }),
}

/** Last name first when a comma stands between them; else the last word is the last name. */
function splitName(text: string): { first_name: string; last_name: string } {
  const [last, first] = text.split(',').map((part) => part.trim())
  if (first) return { first_name: first, last_name: last ?? '' }
  const words = text.split(/\s+/)
  return { first_name: words.slice(0, -1).join(' ') || text, last_name: words.length > 1 ? (words.at(-1) ?? '') : '-' }
}

function put(item: Record<string, unknown>, path: string, value: unknown) {
  const [name = '', inner] = path.split('.')
  if (inner === undefined) item[name] = value
  else item[name] = { ...(item[name] as object | undefined), [inner]: value }
}

/** Exports put an apostrophe before text that a spreadsheet would run as a formula. */
const textOf = (cell = '') => textOfCell(cell.trim())

/** Makes an item of a row. An empty cell leaves its field as it is. */
export function makeItem(
  resource: ImportResource,
  row: TableRow,
  { columns, orderOf, zones }: FileMap,
): { item: RowItem; errors: ItemError[] } {
  const item: Record<string, unknown> = {}
  const errors: ItemError[] = []
  for (const column of columns) {
    const { field } = column
    const text = textOf(row.cells[column.place])
    if (text === '') continue
    const since = isSinceJoined(field) ? dayOfYes(text.toLowerCase(), item.joined_at) : undefined
    if (since === null) continue
    const converted = since ? { value: since } : kinds[field.kind](text, field, { order: orderOf(column), zones })
    if ('fault' in converted) errors.push(itemError(field.path, 'invalid', converted.fault))
    else if (field.kind === 'name') Object.assign(item, { ...splitName(text), ...item })
    else put(item, field.path, converted.value)
  }
  if (resource === 'tickets') gatherMessage(item)
  return { item: { ...item, external_id: idOf(item, row) }, errors }
}

/** Some files say only yes or no. Then it was when the customer joined; null when it was not. */
function dayOfYes(word: string, joinedAt: unknown): string | null | undefined {
  if (no.has(word)) return null
  return yes.has(word) && typeof joinedAt === 'string' ? joinedAt : undefined
}

/** The message of a ticket's row. It is the customer's, sent when the ticket was created, unless the row says otherwise. */
function gatherMessage(item: Record<string, unknown>) {
  const { message, ...rest } = item
  for (const name of Object.keys(item)) delete item[name]
  Object.assign(item, rest, { silent: true })
  if (message)
    item.messages = [
      { from_customer: true, ...(rest.created_at !== undefined && { created_at: rest.created_at }), ...message },
    ]
}

/** Without an id in the file, the email or the content of the row stands for it, so that the same row is found again. */
function idOf(item: Record<string, unknown>, row: TableRow): string {
  if (typeof item.external_id === 'string') return item.external_id
  if (typeof item.email === 'string' && item.business === undefined) return foldCase(item.email)
  return `row-${createHash('sha256').update(JSON.stringify(row.cells)).digest('hex').slice(0, 32)}`
}
