import {
  applyImport,
  cancelImport,
  checkImport,
  deleteImport,
  listImports,
  previewUndo,
  readImport,
  readImportColumns,
  undoImport,
} from '@limber/contract/imports/import.ts'
import { IMPORT_DAYS, PASSKEY_ABOVE } from '@limber/contract/imports/import-values.ts'
import { formatMoment } from '@limber/contract/kit/formats/dates.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { DAY, shift } from '#platform/clock.ts'
import type { Work } from '#platform/db/work.ts'
import { refusals, refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { isSteppedUp } from '#platform/security/guard-request.ts'
import { UnreadableFile } from './file/decode-file.ts'
import { canUndo, countsOf, presentDetail, presentImport } from './import.present.ts'
import { describeColumns } from './import-columns.ts'
import { countOpenRows, removeRows } from './import-rows.queries.ts'
import { removeFileMessage, runMessage } from './imports.jobs.ts'
import { findImport, findImports, type ImportRecord, removeImport, setState, startState } from './imports.queries.ts'
import { type MatchedColumn, matchColumns } from './match-columns.ts'
import { allowedResources, openForUpdate, openImport } from './may-import.ts'
import { countUndo } from './run/run.queries.ts'

const running = ['checking', 'applying', 'undoing'] as const
const isRunning = ({ state }: ImportRecord) => running.some((each) => each === state)
const hasWritten = (row: ImportRecord) => row.undo_until !== null

async function show({ db, now }: Pick<Work, 'db' | 'now'>, id: number) {
  const row = await findImport(db, id)
  if (!row) throw new Error(`Import ${id} is gone`)
  return presentDetail(db, row, now)
}

/** The columns of the map, all of them known and each field taken once; refuses dates that can be read in two ways. */
function checkColumns(row: ImportRecord, columns: Record<string, string>, dates: string | null | undefined) {
  let matched: MatchedColumn[]
  try {
    matched = matchColumns(
      row.resource,
      row.profile.map(({ header }) => header),
      columns,
    )
  } catch (error) {
    if (error instanceof UnreadableFile) throw refuse(checkImport, 'bad_columns', { values: { text: error.message } })
    throw error
  }
  for (const { place, header, field } of matched) {
    const found = field.kind === 'moment' || field.kind === 'day' ? row.profile[place]?.dates : undefined
    if (found?.order === 'unclear' && !dates)
      throw refuse(checkImport, 'dates_unclear', { values: { column: header, example: found.example ?? '' } })
  }
}

export const importRoutes = [
  serve(listImports, async ({ query: { page, limit, resource, state }, worker, db, now }) => {
    const resources = allowedResources(worker).filter((each) => resource === undefined || each === resource)
    const { total, rows } = await findImports(db, { resources, state, limit, offset: (page - 1) * limit })
    return { imports: rows.map((row) => presentImport(row, now)), pagination: paginate(page, limit, total) }
  }),

  serve(readImport, async (context) => presentDetail(context.db, await openImport(readImport, context), context.now)),

  serve(readImportColumns, async (context) => {
    const row = await openImport(readImportColumns, context)
    const described = await describeColumns(context.db, context.services.storage, row, context.query.map)
    if (!described) throw refuse(readImportColumns, 'no_map')
    return described
  }),

  serve(checkImport, async (context) => {
    const { body, db, now, audit, publish, enqueue } = context
    const row = await openForUpdate(checkImport, context)
    if (isRunning(row) || hasWritten(row)) throw refuse(checkImport, 'busy', { values: { state: row.state } })
    if (row.file_key === null) throw refuse(checkImport, 'no_file')
    checkColumns(row, body.columns, body.dates)
    await removeRows(db, row.id)
    const { columns, dates = null, source } = body
    await startState(db, row.id, 'checking', { columns, dates, source, total: row.row_count }, now)
    enqueue(runMessage(row.id, now, 'Check an import'))
    audit({ action: 'import_checked', subject: 'import', subjectId: row.id, after: { resource: row.resource } })
    publish('imports', { id: row.id })
    return show(context, row.id)
  }),

  serve(applyImport, async (context) => {
    const { body, worker, db, now, audit, publish, enqueue } = context
    const row = await openForUpdate(applyImport, context)
    if (isRunning(row) || row.state === 'applied' || row.state === 'undone')
      throw refuse(applyImport, 'busy', { values: { state: row.state } })
    if (row.checked_at === null) throw refuse(applyImport, 'not_checked')
    if (row.file_key === null) throw refuse(applyImport, 'no_file')
    const total = await countOpenRows(db, row.id)
    if (total === 0) throw refuse(applyImport, 'nothing')
    if (total > PASSKEY_ABOVE && !isSteppedUp(worker, now)) throw refusals.stepUp()
    const undo_until = shift(now, IMPORT_DAYS * DAY)
    await startState(db, row.id, 'applying', { tells_people: body.tell_people, undo_until, total }, now)
    enqueue(runMessage(row.id, now, 'Apply an import'))
    const { resource } = row
    const after = { resource, rows: total, tells_people: body.tell_people }
    audit({ action: 'import_applied', subject: 'import', subjectId: row.id, after })
    publish('imports', { id: row.id })
    return show(context, row.id)
  }),

  serve(cancelImport, async (context) => {
    const { db, now, audit, publish } = context
    const row = await openForUpdate(cancelImport, context)
    if (row.state !== 'checking' && row.state !== 'applying') throw refuse(cancelImport, 'not_running')
    await setState(db, row.id, { state: 'canceled', ...(row.state === 'applying' && { applied_at: now }) })
    audit({ action: 'import_canceled', subject: 'import', subjectId: row.id })
    publish('imports', { id: row.id })
    return show(context, row.id)
  }),

  serve(previewUndo, async (context) => {
    const { id, resource } = await openImport(previewUndo, context)
    return countUndo(context.db, id, resource)
  }),

  serve(undoImport, async (context) => {
    const { db, now, audit, publish, enqueue } = context
    const row = await openForUpdate(undoImport, context)
    if (isRunning(row)) throw refuse(undoImport, 'busy', { values: { state: row.state } })
    const { created, updated, undone, kept } = countsOf(row)
    const total = created + updated - undone - kept
    if (row.undo_until === null || row.state === 'undone' || total <= 0) throw refuse(undoImport, 'nothing')
    if (!canUndo(row, now)) throw refuse(undoImport, 'too_late')
    await startState(db, row.id, 'undoing', { total }, now)
    enqueue(runMessage(row.id, now, 'Undo an import'))
    audit({ action: 'import_undone', subject: 'import', subjectId: row.id, after: { rows: total } })
    publish('imports', { id: row.id })
    return show(context, row.id)
  }),

  serve(deleteImport, async (context) => {
    const { db, now, audit, publish, enqueue } = context
    const row = await openForUpdate(deleteImport, context)
    if (isRunning(row)) throw refuse(deleteImport, 'busy', { values: { state: row.state } })
    if (canUndo(row, now) && row.undo_until)
      throw refuse(deleteImport, 'can_undo', { values: { until: formatMoment(row.undo_until) } })
    await removeImport(db, row.id)
    if (row.file_key !== null) enqueue(removeFileMessage(row.file_key))
    audit({ action: 'import_deleted', subject: 'import', subjectId: row.id, before: { resource: row.resource } })
    publish('imports', { id: row.id })
    return { id: row.id }
  }),
]
