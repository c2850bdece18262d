import type { Readable } from 'node:stream'
import type { ColumnMap, DateOrder } from '@limber/contract/imports/import-fields.ts'
import type { ImportResource } from '@limber/contract/imports/import-kinds.ts'
import { type ItemError, type ItemResult, MAX_BATCH_ITEMS } from '@limber/contract/kit/batch.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { LiveTopic } from '@limber/contract/kit/live.ts'
import { runWork, type Work } from '#platform/db/work.ts'
import type { Services } from '#platform/services.ts'
import { type BatchWriter, runBatch } from '#platform/sync/run-batch.ts'
import { detectEncoding, type Encoding, UnreadableFile } from './file/decode-file.ts'
import { readHeaders } from './file/inspect-file.ts'
import { DateForms } from './file/read-date.ts'
import { readTable, type TableRow } from './file/read-table.ts'
import { makeItem, type RowItem } from './make-item.ts'
import { type MatchedColumn, matchByName, matchColumns } from './match-columns.ts'

export interface ImportRequest {
  resource: ImportResource
  /** Opens the file from its beginning; it is read three times. */
  open(): Readable
  map?: ColumnMap | undefined
  /** The order of day and month, when the file leaves it open. */
  dates?: DateOrder | undefined
  source: string
  isDryRun: boolean
}

/** How the batches of one kind of record are written. */
export interface ImportTarget {
  // biome-ignore lint/suspicious/noExplicitAny: a writer's items are whatever its own schema makes of them
  writer: BatchWriter<any>
  topics: readonly LiveTopic[]
}

export interface ImportCounts {
  created: number
  updated: number
  unchanged: number
  skipped: number
  rejected: number
}

/** A row that was not taken, and why. */
export interface RefusedRow {
  headers: readonly string[]
  row: TableRow
  reason: string
}

interface Entry {
  row: TableRow
  item: RowItem
}

/**
 * Imports a file by the rules of the API, in batches. With `isDryRun` every batch is rolled back, so that the counts are
 * those of a real import.
 */
export async function runImport(
  services: Pick<Services, 'db' | 'clock' | 'keyring'>,
  target: ImportTarget,
  request: ImportRequest,
  onRefused: (refused: RefusedRow) => Promise<void>,
): Promise<ImportCounts> {
  const { resource } = request
  const encoding = await detectEncoding(request.open())
  const { headers, columns, orders } = await inspect(request, encoding)
  const counts: ImportCounts = { created: 0, updated: 0, unchanged: 0, skipped: 0, rejected: 0 }
  const refuseRow = (row: TableRow, status: 'skipped' | 'rejected', reason: string) => {
    counts[status]++
    return onRefused({ headers, row, reason })
  }
  const lines = new Map<string, number>()
  let entries: Entry[] = []
  const send = async () => {
    if (entries.length === 0) return
    const results = await writeBatch(services, target, request, entries, lines)
    for (const [at, { row }] of entries.entries()) {
      const { status, errors = [] } = results[at] as ItemResult
      if (status === 'rejected') await refuseRow(row, 'rejected', describe(errors))
      else if (status === 'stale') await refuseRow(row, 'skipped', 'A newer version was already accepted.')
      else counts[status]++
    }
    entries = []
  }
  let isHead = true
  for await (const row of readTable(request.open(), encoding)) {
    if (isHead) {
      isHead = false
      continue
    }
    const { item, errors } = makeItem(resource, row, columns, (column) => orders.get(column))
    if (errors.length > 0) {
      await refuseRow(row, 'rejected', describe(errors))
      continue
    }
    const last = entries.at(-1)
    if (resource === 'tickets' && last?.item.external_id === item.external_id) {
      last.item.messages = [...messagesOf(last.item), ...messagesOf(item)]
      continue
    }
    const twin = findTwin(lines, item, row.line)
    if (twin) await refuseRow(row, 'skipped', twin)
    else entries.push({ row, item })
    if (entries.length === MAX_BATCH_ITEMS) await send()
  }
  await send()
  return counts
}

const messagesOf = (item: RowItem) => (item.messages as unknown[] | undefined) ?? []

/** Tells why a row repeats an earlier one of the file, and remembers it otherwise. */
function findTwin(lines: Map<string, number>, item: RowItem, line: number): string | undefined {
  const keys = [
    ['id', item.external_id],
    ['email', item.email],
  ].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value.toLowerCase()] as const] : []))
  for (const [name, value] of keys) {
    const earlier = lines.get(`${name} ${value}`)
    if (earlier !== undefined) return `Same ${name} as line ${formatInteger(earlier)}.`
  }
  for (const [name, value] of keys) lines.set(`${name} ${value}`, line)
  return undefined
}

const describe = (errors: readonly ItemError[]) =>
  errors.map(({ path, text }) => (path ? `${path}: ${text}` : text)).join('; ')

/** Reads the whole file once: finds its columns, and the order of day and month in its dates. */
async function inspect({ resource, open, map, dates }: ImportRequest, encoding: Encoding) {
  const finders = new Map<MatchedColumn, DateForms>()
  let headers: string[] | undefined
  let columns: MatchedColumn[] = []
  let rows = 0
  for await (const { cells } of readTable(open(), encoding)) {
    if (!headers) {
      headers = readHeaders(cells)
      columns = matchColumns(resource, headers, map?.columns ?? guess(resource, headers))
      const dated = columns.filter(({ field }) => field.kind === 'moment' || field.kind === 'day')
      for (const column of dated) finders.set(column, new DateForms())
      continue
    }
    rows++
    for (const [column, finder] of finders) finder.add((cells[column.place] ?? '').trim())
  }
  if (!headers || rows === 0) throw new UnreadableFile('The file has no rows below its headers.')
  const orders = new Map<MatchedColumn, DateOrder>()
  for (const [column, finder] of finders) {
    const order = dates ?? map?.dates ?? finder.order
    if (order === 'unclear')
      throw new UnreadableFile(
        `${column.header} has dates such as ${finder.example ?? 'these'} that can be read in two ways. Say which comes first: --dates mdy (month) or --dates dmy (day).`,
      )
    if (order) orders.set(column, order)
  }
  return { headers, columns, orders }
}

const guess = (resource: ImportResource, headers: readonly string[]) =>
  Object.fromEntries([...matchByName(resource, headers)].map(([header, { path }]) => [header, path]))

/** Ends the transaction of a dry run and brings out what it found. */
class DryRun extends Error {
  readonly results: readonly ItemResult[]
  constructor(results: readonly ItemResult[]) {
    super('dry run')
    this.results = results
  }
}

/** Nothing leaves the product because of an import: no email, text, webhook or pay. */
const silent = (work: Work): Work => ({ ...work, emit: () => {}, enqueue: () => {} })

async function writeBatch(
  services: Pick<Services, 'db' | 'clock' | 'keyring'>,
  { writer, topics }: ImportTarget,
  { resource, source, isDryRun }: ImportRequest,
  entries: readonly Entry[],
  planned: ReadonlyMap<string, number>,
): Promise<readonly ItemResult[]> {
  const items = entries.map(({ item }) => item)
  try {
    return await runWork(services, { call: 'limber import', source }, async (work) => {
      const { results, created, updated } = await runBatch(writer, items, source, silent(work))
      if (isDryRun) throw new DryRun(results)
      if (created + updated > 0) {
        for (const topic of topics) work.publish(topic)
        work.audit({ action: 'rows_imported', reason: `${resource}: ${created} created, ${updated} updated` })
      }
      return results
    })
  } catch (error) {
    if (error instanceof DryRun) return error.results.map((result) => trustEarlier(result, resource, planned))
    throw error
  }
}

/** In a dry run, a row may name an earlier row of the file that was rolled back with its batch. */
function trustEarlier(result: ItemResult, resource: ImportResource, planned: ReadonlyMap<string, number>): ItemResult {
  const isPlanned = (error: ItemError) =>
    error.code === 'missing_reference' &&
    error.resource === resource &&
    planned.has(`id ${error.external_id?.toLowerCase()}`)
  return result.errors?.every(isPlanned) ? { external_id: result.external_id, status: 'created' } : result
}
