import { Readable } from 'node:stream'
import type { ReplyFacts } from './routes.ts'

// A spreadsheet runs a cell that begins like a formula, also in full-width letters; a mark in front makes it plain text.
const formula = /^[=+\-@\t\r\0\uff1d\uff0b\uff0d\uff20]/

/** One cell of CSV. Numbers stand as they are; text that looks like a formula is disarmed. */
export function csvCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = formula.test(value) && !/^-?\d+(\.\d+)?$/.test(value) ? `'${value}` : value
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** One line of CSV. */
const csvLine = (cells: readonly (string | number | null)[]) => `${cells.map(csvCell).join(',')}\r\n`

const PORTION = 2000
// Without it a spreadsheet takes the file for its country's old alphabet, and Raúl for RaÃºl.
const BYTE_ORDER_MARK = '\uFEFF'

interface Table<R> {
  file: string
  columns: readonly string[]
  cells(row: R): readonly (string | number | null)[]
  /** The next rows after an id. */
  next(after: number, limit: number): Promise<R[]>
}

/** Streams a table as CSV, a portion at a time, whatever its length. */
export function streamCsv<R extends { id: number }>(reply: ReplyFacts, { file, columns, cells, next }: Table<R>) {
  reply.header('content-type', 'text/csv; charset=utf-8')
  reply.header('content-disposition', `attachment; filename="${file}"`)
  reply.header('cache-control', 'no-store')
  async function* lines() {
    yield BYTE_ORDER_MARK + csvLine(columns)
    for (let after = 0; ; ) {
      const rows = await next(after, PORTION)
      const last = rows.at(-1)
      if (!last) return
      yield rows.map((row) => csvLine(cells(row))).join('')
      after = last.id
    }
  }
  return Readable.from(lines())
}
