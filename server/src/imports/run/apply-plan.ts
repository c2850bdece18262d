import { setImmediate } from 'node:timers/promises'
import type { ImportCounts } from '@limber/contract/imports/import.ts'
import { IMPORT_DAYS } from '@limber/contract/imports/import-values.ts'
import type { ItemError, ItemResult } from '@limber/contract/kit/batch.ts'
import { DAY, shift } from '#platform/clock.ts'
import { runWork, type Work } from '#platform/db/work.ts'
import type { BatchItem, ItemOutcome } from '#platform/sync/batch-writer.ts'
import { itemError, reject } from '#platform/sync/item-errors.ts'
import { changeNumber, findRecords, lockVersions } from '#platform/sync/resources.ts'
import { runBatch } from '#platform/sync/run-batch.ts'
import { mapOf } from '../file-map.ts'
import { countsOf } from '../import.present.ts'
import { openFile } from '../import-files.ts'
import type { ImportRecord } from '../imports.queries.ts'
import type { MatchedColumn } from '../match-columns.ts'
import { BATCH } from './check-file.ts'
import { explain } from './explain.ts'
import { actorOf, type ImportServices, type ImportTarget, quiet } from './import-target.ts'
import { type FileItem, readItems } from './read-items.ts'
import {
  type AppliedRow,
  countReasons,
  endRun,
  findOpenRows,
  type OpenRow,
  type Run,
  saveApplied,
  savePlace,
} from './run.queries.ts'

const CHANGED = 'changed_since'
const changedSince = itemError('', CHANGED, 'The record changed after the check.')
const createdSince = itemError('', CHANGED, 'Such a record was created after the check.')

interface Planned {
  row: OpenRow
  item: FileItem
}

/** The writer, which writes an item only if it still does to its record what the check planned. */
function guarded(
  writer: ImportTarget['writer'],
  plans: ReadonlyMap<string, OpenRow>,
  befores: Map<number, { id: number } & object>,
): ImportTarget['writer'] {
  return {
    ...writer,
    async write(items: readonly BatchItem<unknown>[], work: Work): Promise<readonly ItemOutcome[]> {
      const { db } = work
      const known = items.flatMap(({ recordId }) => recordId ?? [])
      const current = await findRecords(db, writer.resource, known)
      const versions = await lockVersions(db, writer.resource, [...current.values()])
      const moved = items.map((item): ItemError | undefined => {
        const plan = plans.get(item.externalId)
        if (item.recordId === null) return plan?.state === 'create' ? undefined : changedSince
        if (plan?.state === 'create') return createdSince
        const id = current.get(item.recordId)
        const isSame = id !== undefined && id === plan?.record_id && versions.get(id) === plan.version
        return isSame ? undefined : changedSince
      })
      const others = items.filter((_, at) => !moved[at])
      const ids = others.flatMap(({ recordId }) => current.get(recordId ?? 0) ?? [])
      for (const row of ids.length > 0 ? ((await writer.undo?.find(db, ids)) ?? []) : []) befores.set(row.id, row)
      const outcomes = (others.length > 0 ? await writer.write(others, work) : []).values()
      return moved.map((error) => (error ? reject(error) : (outcomes.next().value as ItemOutcome)))
    },
  }
}

const customerOf = (resource: ImportRecord['resource'], id: number, before: object | undefined) => {
  if (resource === 'customers') return id
  return before && 'customer_id' in before && typeof before.customer_id === 'number' ? before.customer_id : null
}

function appliedRow(
  { resource }: ImportRecord,
  columns: readonly MatchedColumn[],
  { row, item }: Planned,
  { status, id, matched_by, errors = [] }: ItemResult,
  { version, before }: { version: number; before: object | undefined },
): AppliedRow {
  const { line } = row
  if ((status === 'created' || status === 'updated' || status === 'unchanged') && typeof id === 'number')
    return {
      line,
      state: row.state,
      outcome: 'applied',
      record_id: id,
      after_version: version,
      attached_as: matched_by === undefined ? null : item.item.external_id,
      before: row.state === 'update' ? ((before as Record<string, unknown> | undefined) ?? null) : null,
      customer_id: customerOf(resource, id, before),
      reason: null,
      detail: null,
      field: null,
      value: null,
    }
  const why = status === 'stale' ? [itemError('', 'stale', 'A newer version was imported after the check.')] : errors
  return {
    line,
    state: CHANGED,
    outcome: null,
    record_id: row.record_id,
    after_version: null,
    attached_as: null,
    before: null,
    customer_id: resource === 'customers' ? row.record_id : null,
    ...explain(resource, why, columns, item.row.cells),
  }
}

/** The next items of the file that stand on these lines. */
async function takeItems(items: AsyncGenerator<FileItem>, rows: readonly OpenRow[]): Promise<Planned[]> {
  const taken: Planned[] = []
  for (const row of rows) {
    let next = await items.next()
    while (!next.done && next.value.row.line < row.line) next = await items.next()
    if (next.done || next.value.row.line !== row.line) throw new Error(`Line ${row.line} is not in the file`)
    taken.push({ row, item: next.value })
  }
  return taken
}

/** The plan of so many batches is read at once: finding its next rows takes as long as reading many. */
const BATCHES_READ = 4

/** Tell open screens of the records now and then: each of them asks again. */
const PUBLISH_EVERY = 20

/** Writes what the check planned, and nothing else. Each batch commits with its place, so an interrupted run goes on there. */
export async function applyPlan(services: ImportServices, target: ImportTarget, row: ImportRecord, run: Run) {
  const { writer, topics } = target
  const map = await mapOf(services.db, row)
  const counts: ImportCounts = countsOf(row)
  let { done, line_reached: line } = row
  const items = readItems(await openFile(services.storage, row), row, map, line)
  let open: OpenRow[] = []
  for (let batch = 1; ; batch++) {
    if (open.length === 0) open = await findOpenRows(services.db, row.id, line, BATCHES_READ * BATCH)
    const rows = open.splice(0, BATCH)
    const last = rows.at(-1)
    if (!last) break
    const planned = await takeItems(items, rows)
    const next = await runWork(services, actorOf(row), async (work) => {
      const { db } = work
      const befores = new Map<number, { id: number } & object>()
      const plans = new Map(planned.map(({ row: plan, item }) => [item.item.external_id, plan]))
      const content = planned.map(({ item: { item } }) =>
        row.resource === 'tickets' ? { ...item, silent: !row.tells_people } : item,
      )
      const acting = row.tells_people ? work : quiet(work)
      const { results } = await runBatch(guarded(writer, plans, befores), content, row.source, acting)
      const version = await changeNumber(db)
      const applied = planned.map((each, at) => {
        const result = results[at] as ItemResult
        return appliedRow(row, map.columns, each, result, { version, before: befores.get(Number(result.id)) })
      })
      const after = { ...counts }
      for (const { state, outcome } of applied) {
        if (outcome !== null) after[state === 'create' ? 'created' : 'updated']++
        else after.changed_since++
      }
      await saveApplied(db, row.id, applied)
      await savePlace(db, run, { done: done + rows.length, line_reached: last.line, counts: after })
      work.publish('imports', { id: row.id })
      if (batch % PUBLISH_EVERY === 0) for (const topic of topics) work.publish(topic)
      return after
    })
    Object.assign(counts, next)
    done += rows.length
    line = last.line
    await setImmediate()
  }
  await items.return(undefined)
  await runWork(services, actorOf(row), async ({ db, now, publish, audit }) => {
    const undo_until = shift(now, IMPORT_DAYS * DAY)
    const reasons = await countReasons(db, row.id)
    await endRun(db, run, { state: 'applied', applied_at: now, undo_until, reasons })
    const { created, updated, changed_since } = counts
    const reason = `${row.resource}: ${created} created, ${updated} updated`
    audit({
      action: 'rows_imported',
      subject: 'import',
      subjectId: row.id,
      reason,
      after: { created, updated, changed_since },
    })
    publish('imports', { id: row.id })
    for (const topic of topics) publish(topic)
  })
}
