import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { downloadRejected, type ImportRow, listImportRows } from '@limber/contract/imports/import.ts'
import { BYTE_ORDER_MARK, csvLine } from '@limber/contract/kit/csv.ts'
import { paginateUpTo } from '@limber/contract/kit/page.ts'
import { downloadCsv, recordExport } from '#platform/exports/export.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { readTable } from './file/read-table.ts'
import { findRefused, findRows, type PlanRow } from './import-rows.queries.ts'
import { openImport } from './may-import.ts'

export const presentRow = (row: PlanRow): ImportRow => ({
  line: row.line,
  state: row.state,
  outcome: row.outcome,
  subject: row.subject,
  record_id: row.record_id,
  reason: row.reason,
  detail: row.detail,
  field: row.field,
  value: row.value,
  changes: row.changes ?? [],
})

export const importRowRoutes = [
  serve(listImportRows, async (context) => {
    const { query, db } = context
    const { id } = await openImport(listImportRows, context)
    const { page, limit, state, outcome, reason } = query
    const found = await findRows(db, id, { state, outcome, reason }, { limit, offset: (page - 1) * limit })
    return { rows: found.rows.map(presentRow), pagination: paginateUpTo(page, limit, found.total) }
  }),

  /** Streams the file again and takes the lines that were refused, so that no cell of them has to be kept elsewhere. */
  serve(downloadRejected, async (context) => {
    const { db, reply, services } = context
    const row = await openImport(downloadRejected, context)
    const file = row.file_key === null ? undefined : await services.storage.get(row.file_key)
    if (!file) throw refuse(downloadRejected, 'no_file')
    downloadCsv(reply, `${row.file_name.replace(/\.\w+$/, '').replace(/[^\w.-]/g, '-')}-rejected`)
    async function* lines() {
      let count = 0
      try {
        let refused: Awaited<ReturnType<typeof findRefused>> = []
        let headers: string[] | undefined
        let isLast = false
        for await (const { line, cells } of readTable(file as Readable, row.encoding)) {
          if (!headers) {
            headers = cells
            yield BYTE_ORDER_MARK + csvLine([...headers, 'Reason'])
            continue
          }
          if (refused.length === 0 && !isLast) {
            refused = await findRefused(db, row.id, line - 1, 1000)
            isLast = refused.length === 0
            await setImmediate()
          }
          if (isLast) break
          if (refused[0]?.line !== line) continue
          const { detail, reason } = refused.shift() ?? {}
          count++
          yield csvLine([...headers.map((_, at) => cells[at]), detail ?? reason])
        }
      } finally {
        await recordExport(downloadRejected, context, `rejected-rows-${row.id}`, count)
      }
    }
    return Readable.from(lines(), { objectMode: false, highWaterMark: 64 * 1024 })
  }),
]
