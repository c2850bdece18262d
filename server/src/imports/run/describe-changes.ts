import type { ImportRow } from '@limber/contract/imports/import.ts'
import { importFields } from '@limber/contract/imports/import-fields.ts'
import type { ImportResource } from '@limber/contract/imports/import-kinds.ts'
import { isSameValue } from '#platform/sync/columns.queries.ts'

/** Columns that are not named like the field of the API. */
const columnNames: Readonly<Record<string, string>> = {
  'address.line': 'address_line',
  customer: 'customer_id',
  stretcher: 'stretcher_id',
  booking: 'booking_id',
  type: 'transaction_type',
  'referred_by.customer': 'referred_by_customer_id',
  'referred_by.worker_email': 'referred_by_worker_id',
}

const print = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  const text = value instanceof Date ? value.toISOString() : typeof value === 'string' ? value : JSON.stringify(value)
  return text.slice(0, 200)
}

/** What an update changes, for people: only fields that a file can have. */
export function describeChanges(
  resource: ImportResource,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): ImportRow['changes'] {
  return importFields[resource].flatMap(({ path, label }) => {
    const column = columnNames[path] ?? path.split('.').at(-1) ?? path
    if (!(column in before) || isSameValue(before[column], after[column])) return []
    return [{ label, before: print(before[column]), after: print(after[column]) }]
  })
}
