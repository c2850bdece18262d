import type { Import, ImportCounts, ImportDetail } from '@limber/contract/imports/import.ts'
import type { Db } from '#platform/db/db.ts'
import { findSameFile, type ImportRecord } from './imports.queries.ts'

const none: ImportCounts = {
  create: 0,
  update: 0,
  unchanged: 0,
  skipped: 0,
  rejected: 0,
  changed_since: 0,
  created: 0,
  updated: 0,
  undone: 0,
  kept: 0,
  values: 0,
}

export const countsOf = ({ counts }: Pick<ImportRecord, 'counts'>): ImportCounts => ({ ...none, ...counts })

/** Whether there is something to undo, and still time. */
export const canUndo = (row: ImportRecord, now: Date) =>
  row.undo_until !== null && row.undo_until > now && ['applied', 'canceled', 'failed'].includes(row.state)

export const presentImport = (row: ImportRecord, now: Date): Import => ({
  id: row.id,
  resource: row.resource,
  source: row.source,
  state: row.state,
  file: {
    name: row.file_name,
    bytes: row.file_bytes,
    rows: row.row_count,
    encoding: row.encoding,
    delimiter: row.delimiter,
    is_kept: row.file_key !== null,
  },
  progress: { done: row.done, total: row.total },
  counts: countsOf(row),
  error: row.error,
  tells_people: row.tells_people,
  created_by: row.worker_name,
  created_at: row.created_at.toISOString(),
  started_at: row.started_at?.toISOString() ?? null,
  checked_at: row.checked_at?.toISOString() ?? null,
  applied_at: row.applied_at?.toISOString() ?? null,
  undone_at: row.undone_at?.toISOString() ?? null,
  undo_until: canUndo(row, now) ? (row.undo_until?.toISOString() ?? null) : null,
})

export async function presentDetail(db: Db, row: ImportRecord, now: Date): Promise<ImportDetail> {
  const same = await findSameFile(db, row)
  return {
    ...presentImport(row, now),
    columns: row.columns,
    dates: row.dates,
    reasons: row.reasons,
    same_file: same ? { ...same, created_at: same.created_at.toISOString() } : null,
  }
}
