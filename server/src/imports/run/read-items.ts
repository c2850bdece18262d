import type { Readable } from 'node:stream'
import type { ItemError } from '@limber/contract/kit/batch.ts'
import { readTable, type TableRow } from '../file/read-table.ts'
import type { FileMap } from '../file-map.ts'
import type { ImportRecord } from '../imports.queries.ts'
import { makeItem, type RowItem } from '../make-item.ts'

/** An item of the file: one row, or the rows of one ticket. */
export interface FileItem {
  row: TableRow
  item: RowItem
  /** What is wrong with its cells. */
  errors: ItemError[]
  /** How many rows it has. */
  rows: number
}

const messagesOf = (item: RowItem) => (item.messages as unknown[] | undefined) ?? []

/** The items of a file after a line, in order. Rows that follow each other with the ID of one ticket are its messages. */
export async function* readItems(
  file: Readable,
  { resource, encoding }: Pick<ImportRecord, 'resource' | 'encoding'>,
  map: FileMap,
  afterLine = 0,
): AsyncGenerator<FileItem> {
  let isHead = true
  let held: FileItem | undefined
  for await (const row of readTable(file, encoding)) {
    if (isHead || row.line <= afterLine) {
      isHead = false
      continue
    }
    const made: FileItem = { row, rows: 1, ...makeItem(resource, row, map) }
    if (resource !== 'tickets') {
      yield made
      continue
    }
    const isSame = held?.item.external_id === made.item.external_id && made.errors.length === 0
    if (held && isSame && held.errors.length === 0) {
      held.item.messages = [...messagesOf(held.item), ...messagesOf(made.item)]
      held.rows++
    } else {
      if (held) yield held
      held = made
    }
  }
  if (held) yield held
}
