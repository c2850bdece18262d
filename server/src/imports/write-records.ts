import { importFields } from '@limber/contract/imports/import-fields.ts'
import type { ImportResource } from '@limber/contract/imports/import-kinds.ts'
import { type CsvCell, csvLine } from '@limber/contract/kit/csv.ts'
import type { Db } from '#platform/db/db.ts'
import type { ReadAll } from '#platform/sync/read-records.ts'
import { findZoneNames } from './zones.queries.ts'

/**
 * Fields that a file of ours leaves out: the name is there in parts, another Limber has other campaigns, and a file
 * without versions counts as newest. The account of a stretcher is found by its email, so that stretchers can come before
 * the customers whom they referred.
 */
const isLeftOut = (resource: ImportResource, path: string) =>
  path === 'updated_at' ||
  path === 'campaign_id' ||
  (path === 'name' && resource !== 'businesses') ||
  (path === 'customer' && resource === 'stretchers')

type Values = Readonly<Record<string, unknown>>

function valueAt(record: Values, path: string): unknown {
  const [name = '', inner] = path.split('.')
  const value = record[name]
  return inner === undefined ? value : (value as Values | null | undefined)?.[inner]
}

/** Each message of a ticket is a row. */
const rowsOf = (resource: ImportResource, record: Values): Values[] =>
  resource === 'tickets' ? (record.messages as Values[]).map((message) => ({ ...record, message })) : [record]

/** All records of a kind as lines of a file that Import takes as it is, in parts. */
export async function* writeRecords(
  db: Db,
  resource: ImportResource,
  read: ReadAll,
): AsyncGenerator<{ text: string; rows: number }> {
  const fields = importFields[resource].filter(({ path }) => !isLeftOut(resource, path))
  const zones = new Map((await findZoneNames(db)).map(({ id, name }) => [id, name]))
  const cellOf = (record: Values, path: string): CsvCell => {
    const value = valueAt(record, path)
    if (path === 'external_id') return (value ?? record.id) as CsvCell
    if (path === 'zone_id') return zones.get(value as number)
    if (value instanceof Date) return value.toISOString()
    return Array.isArray(value) ? value.join('; ') : (value as CsvCell)
  }
  yield { text: csvLine(fields.map(({ path }) => path)), rows: 0 }
  for await (const records of read(db)) {
    const rows = (records as readonly Values[]).flatMap((record) => rowsOf(resource, record))
    if (rows.length === 0) continue
    yield { text: rows.map((row) => csvLine(fields.map(({ path }) => cellOf(row, path)))).join(''), rows: rows.length }
  }
}
