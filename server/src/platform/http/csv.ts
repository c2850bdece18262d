import { Readable } from 'node:stream'
import { BYTE_ORDER_MARK, type CsvCell, csvLine } from '@limber/contract/kit/csv.ts'
import type { ReplyFacts } from './routes.ts'

const BATCH = 2000

interface Table<R> {
  file: string
  columns: readonly string[]
  cells(row: R): readonly CsvCell[]
  /** The next rows after an id. */
  next(after: number, limit: number): Promise<R[]>
}

/** Streams a table of any length as CSV, in batches. */
export function streamCsv<R extends { id: number }>(reply: ReplyFacts, { file, columns, cells, next }: Table<R>) {
  reply.header('content-type', 'text/csv; charset=utf-8')
  reply.header('content-disposition', `attachment; filename="${file}"`)
  reply.header('cache-control', 'no-store')
  async function* lines() {
    yield BYTE_ORDER_MARK + csvLine(columns)
    for (let after = 0; ; ) {
      const rows = await next(after, BATCH)
      const last = rows.at(-1)
      if (!last) return
      yield rows.map((row) => csvLine(cells(row))).join('')
      after = last.id
    }
  }
  return Readable.from(lines())
}
