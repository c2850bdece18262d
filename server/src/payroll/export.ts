import { Readable } from 'node:stream'
import type { ReplyFacts } from '#platform/routes.ts'
import { csvLine } from './csv.rules.ts'

const PORTION = 2000

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
    yield csvLine(columns)
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
