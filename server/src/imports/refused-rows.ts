import type { RowState } from '@limber/contract/imports/import-values.ts'
import { csvLine, textOfCell } from '@limber/contract/kit/csv.ts'
import type { Db } from '#platform/db/db.ts'
import type { Storage } from '#platform/storage/storage.ts'
import { readTable } from './file/read-table.ts'
import { openFile } from './import-files.ts'
import { findRefused } from './import-rows.queries.ts'
import type { ImportRecord } from './imports.queries.ts'

/**
 * The lines of the file that were not imported, with a column that says why. The file is read again, so that no cell has to
 * be kept elsewhere.
 */
export async function* readRefused(
  { db, storage }: { db: Db; storage: Storage },
  row: ImportRecord,
  states: readonly RowState[],
): AsyncGenerator<string> {
  let refused: Awaited<ReturnType<typeof findRefused>> = []
  let headers: string[] | undefined
  for await (const { line, cells } of readTable(await openFile(storage, row), row.encoding)) {
    if (!headers) {
      headers = cells
      yield csvLine([...headers, 'Reason'])
      continue
    }
    if (refused.length === 0) {
      refused = await findRefused(db, row.id, states, line - 1, 1000)
      if (refused.length === 0) break
    }
    if (refused[0]?.line !== line) continue
    const { detail, reason } = refused.shift() ?? {}
    yield csvLine([...headers.map((_, at) => textOfCell(cells[at] ?? '')), detail ?? reason])
  }
}
