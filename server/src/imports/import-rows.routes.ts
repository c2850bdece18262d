import { Readable } from 'node:stream'
import { downloadRejected, type ImportRow, listImportRows } from '@limber/contract/imports/import.ts'
import { BYTE_ORDER_MARK } from '@limber/contract/kit/csv.ts'
import { paginateUpTo } from '@limber/contract/kit/page.ts'
import { downloadCsv, recordExport } from '#platform/exports/export.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { findRows, type PlanRow } from './import-rows.queries.ts'
import { openImport } from './may-import.ts'
import { readRefused } from './refused-rows.ts'

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

  serve(downloadRejected, async (context) => {
    const { reply, services } = context
    const row = await openImport(downloadRejected, context)
    if (row.file_key === null || (await services.storage.size(row.file_key)) === undefined)
      throw refuse(downloadRejected, 'no_file')
    downloadCsv(reply, `${row.file_name.replace(/\.\w+$/, '').replace(/[^\w.-]/g, '-')}-rejected`)
    async function* lines() {
      let count = -1
      try {
        yield BYTE_ORDER_MARK
        for await (const line of readRefused(services, row, ['rejected', 'changed_since'])) {
          count++
          yield line
        }
      } finally {
        await recordExport(downloadRejected, context, `rejected-rows-${row.id}`, Math.max(0, count))
      }
    }
    return Readable.from(lines(), { objectMode: false, highWaterMark: 64 * 1024 })
  }),
]
