import { setImmediate } from 'node:timers/promises'
import type { ImportCounts } from '@limber/contract/imports/import.ts'
import type { ItemResult } from '@limber/contract/kit/batch.ts'
import type { Db } from '#platform/db/db.ts'
import { runWork } from '#platform/db/work.ts'
import type { BatchPlan } from '#platform/sync/batch-writer.ts'
import { planOnly } from '#platform/sync/columns.queries.ts'
import { findVersions } from '#platform/sync/resources.ts'
import { runBatch } from '#platform/sync/run-batch.ts'
import { mapOf } from '../file-map.ts'
import { openFile } from '../import-files.ts'
import { removeRows } from '../import-rows.queries.ts'
import type { ImportRecord } from '../imports.queries.ts'
import type { MatchedColumn } from '../match-columns.ts'
import { describeChanges } from './describe-changes.ts'
import { explain, identify } from './explain.ts'
import { Twins } from './find-twin.ts'
import { actorOf, type ImportServices, type ImportTarget, quiet } from './import-target.ts'
import { KeyTable } from './key-table.ts'
import { type FileItem, readItems } from './read-items.ts'
import { countReasons, endRun, insertRows, type NewRow, type Run, savePlace } from './run.queries.ts'

/** Rows that are planned and written together. Larger batches would keep other calls waiting. */
export const BATCH = 500

/** Ends the transaction of a plan, and brings out what it found. */
class Planned extends Error {
  readonly results: readonly PlannedItem[]
  constructor(results: readonly PlannedItem[]) {
    super('planned')
    this.results = results
  }
}

type Values = Record<string, unknown>

interface PlannedItem {
  result: ItemResult
  version: number | null
  before: Values | undefined
  after: Values | undefined
}

/**
 * What each item would do, by the rules of the writer, in a transaction that is rolled back. A writer that decides before
 * it writes skips the writing.
 */
async function planItems(
  services: ImportServices,
  { writer }: ImportTarget,
  row: ImportRecord,
  items: readonly FileItem[],
  plan: BatchPlan,
): Promise<readonly PlannedItem[]> {
  try {
    return await runWork(services, actorOf(row), async (work): Promise<never> => {
      const { db } = work
      const planned = writer.isPlannable ? planOnly(db) : undefined
      const content = items.map(({ item }) => item)
      const { results } = await runBatch(writer, content, row.source, quiet(work), { plan })
      const ids = updatedIds(results)
      const found = await findById(db, writer, ids)
      const versions = planned ? await findVersions(db, writer.resource, ids) : undefined
      throw new Planned(
        results.map((result) => {
          const id = Number(result.id)
          const after = planned ? (planned.updates.get(id) as Values | undefined) : found.get(id)
          return { result, version: versions?.get(id) ?? null, before: planned && found.get(id), after }
        }),
      )
    })
  } catch (error) {
    if (error instanceof Planned) return error.results
    throw error
  }
}

const updatedIds = (results: readonly ItemResult[]) =>
  results.flatMap(({ id, status }) => (status === 'updated' && typeof id === 'number' ? id : []))

async function findById(
  db: Db,
  { undo }: ImportTarget['writer'],
  ids: readonly number[],
): Promise<Map<number, Values>> {
  const rows = ids.length > 0 ? await undo?.find(db, ids) : undefined
  return new Map(rows?.map((each) => [each.id, each as Values]))
}

/** Adds what a transaction that wrote could no longer tell: the records as they are, and their versions. */
async function lookUp({ db }: ImportServices, { writer }: ImportTarget, planned: readonly PlannedItem[]) {
  if (writer.isPlannable) return planned
  const ids = updatedIds(planned.map(({ result }) => result))
  const versions = await findVersions(db, writer.resource, ids)
  const found = await findById(db, writer, ids)
  return planned.map((each) => {
    const id = Number(each.result.id)
    return { ...each, version: versions.get(id) ?? null, before: found.get(id) }
  })
}

const states = {
  created: 'create',
  updated: 'update',
  unchanged: 'unchanged',
  stale: 'skipped',
  rejected: 'rejected',
} as const

const nothing = { reason: null, detail: null, field: null, value: null, record_id: null, version: null, changes: null }

function planRow(
  { resource }: ImportRecord,
  columns: readonly MatchedColumn[],
  { row, item }: FileItem,
  { result, version, before, after }: PlannedItem,
): NewRow {
  const state = states[result.status]
  const record_id = typeof result.id === 'number' && result.id > 0 && state !== 'create' ? result.id : null
  const reason =
    result.status === 'stale'
      ? { ...nothing, reason: 'A newer version was imported before', detail: 'A newer version was imported before.' }
      : explain(resource, result.errors ?? [], columns, row.cells)
  const changes = before && after ? describeChanges(resource, before, after) : null
  return {
    ...nothing,
    ...identify(item),
    line: row.line,
    state,
    ...reason,
    record_id,
    version,
    changes: changes && changes.length > 0 ? changes : null,
    customer_id: resource === 'customers' ? record_id : null,
  }
}

/** Plans every row of the file. A check that was interrupted starts again: it has written nothing but its plan. */
export async function checkFile(services: ImportServices, target: ImportTarget, row: ImportRecord, run: Run) {
  const map = await mapOf(services.db, row)
  const counts: Partial<ImportCounts> = { create: 0, update: 0, unchanged: 0, skipped: 0, rejected: 0, values: 0 }
  const twins = new Twins(row.resource === 'leads')
  const created = new KeyTable()
  const plan: BatchPlan = { created: { has: (id) => created.get(id) !== undefined, add: (id) => created.set(id, 1) } }
  let done = 0
  let items: FileItem[] = []
  let decided: NewRow[] = []
  let planning = Promise.resolve()
  await runWork(services, actorOf(row), async ({ db }) => {
    await savePlace(db, run, { done: 0, counts })
    await removeRows(db, row.id)
  })
  const planBatch = async (items: readonly FileItem[], decided: readonly NewRow[], done: number) => {
    const planned = items.length > 0 ? await planItems(services, target, row, items, plan) : []
    const found = await lookUp(services, target, planned)
    const rows = [...decided, ...items.map((item, at) => planRow(row, map.columns, item, found[at] as PlannedItem))]
    for (const { state, changes } of rows) {
      counts[state] = (counts[state] ?? 0) + 1
      counts.values = (counts.values ?? 0) + (changes?.length ?? 0)
    }
    await runWork(services, actorOf(row), async ({ db, publish }) => {
      await savePlace(db, run, { done, counts })
      await insertRows(db, row.id, rows)
      publish('imports', { id: row.id })
    })
    await setImmediate()
  }
  /** Plans a batch while the next one is read. */
  const flush = async () => {
    await planning
    planning = planBatch(items, decided, done)
    // Its error is thrown where it is awaited.
    planning.catch(() => {})
    items = []
    decided = []
  }
  for await (const each of readItems(await openFile(services.storage, row), row, map)) {
    done += each.rows
    const { row: at, item, errors } = each
    const refused = (state: 'rejected' | 'skipped', reason: Pick<NewRow, 'reason' | 'detail' | 'field' | 'value'>) =>
      decided.push({ ...nothing, ...identify(item), line: at.line, state, ...reason, customer_id: null })
    const twin = errors.length === 0 ? twins.find(item, at.line) : undefined
    if (errors.length > 0) refused('rejected', explain(row.resource, errors, map.columns, at.cells))
    else if (twin) refused('skipped', { reason: 'Repeats an earlier row', detail: twin, field: null, value: null })
    else items.push(each)
    if (items.length + decided.length >= BATCH) await flush()
  }
  await flush()
  await planning
  await runWork(services, actorOf(row), async ({ db, now, publish }) => {
    await endRun(db, run, { state: 'checked', checked_at: now, reasons: await countReasons(db, row.id) })
    publish('imports', { id: row.id })
  })
}
