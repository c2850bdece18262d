import { setImmediate } from 'node:timers/promises'
import type { ImportCounts } from '@limber/contract/imports/import.ts'
import { runWork } from '#platform/db/work.ts'
import { removeRefs, removeRefsOf } from '#platform/sync/external-refs.queries.ts'
import { lockVersions } from '#platform/sync/resources.ts'
import { countsOf } from '../import.present.ts'
import type { ImportRecord } from '../imports.queries.ts'
import { actorOf, type ImportServices, type ImportTarget, quiet } from './import-target.ts'
import { countReasons, endRun, findAppliedRows, type Run, savePlace, saveUndone } from './run.queries.ts'

const BATCH = 250

type AppliedRow = Awaited<ReturnType<typeof findAppliedRows>>[number]

/**
 * Removes what an import created and restores what it changed, the last row first. A record that changed since, or that
 * others refer to, stays and is named.
 */
export async function undoRows(
  services: ImportServices,
  { writer, topics }: ImportTarget,
  row: ImportRecord,
  run: Run,
) {
  const { undo, resource } = writer
  if (!undo) throw new Error(`${resource} cannot be undone`)
  const counts: ImportCounts = countsOf(row)
  let { done } = row
  for (;;) {
    const rows = await findAppliedRows(services.db, row.id, BATCH)
    if (rows.length === 0) break
    const next = await runWork(services, actorOf(row), async (work) => {
      const { db } = work
      const acting = row.tells_people ? work : quiet(work)
      const versions = await lockVersions(
        db,
        resource,
        rows.flatMap(({ record_id }) => record_id ?? []),
      )
      const kept = new Map<AppliedRow, string>()
      for (const each of rows) {
        const version = versions.get(each.record_id ?? 0)
        if (version === undefined) kept.set(each, 'The record was deleted after the import.')
        else if (version !== each.after_version && version !== 0) kept.set(each, 'The record changed after the import.')
      }
      const open = rows.filter((each) => !kept.has(each))
      const created = open.filter(({ state }) => state === 'create')
      const updated = open.filter(({ state }) => state === 'update')
      const befores = updated.flatMap(({ record_id, before }) =>
        before && record_id !== null ? { ...before, id: record_id } : [],
      )
      const restored = befores.length > 0 ? await undo.restore?.(acting, befores) : undefined
      // A record that is restored may have named one that is removed.
      const removed = await undo.remove(acting, idsOf(created))
      for (const each of open) {
        const why = removed.get(each.record_id ?? 0) ?? restored?.get(each.record_id ?? 0)
        if (why !== undefined) kept.set(each, why)
      }
      const undone = open.filter((each) => !kept.has(each))
      await removeRefsOf(db, resource, idsOf(undone.filter(({ state }) => state === 'create')))
      await removeRefs(
        db,
        row.source,
        resource,
        undone.flatMap(({ attached_as }) => attached_as ?? []),
      )
      await saveUndone(
        db,
        row.id,
        rows.map((each) => {
          const detail = kept.get(each) ?? null
          return { line: each.line, outcome: detail === null ? 'undone' : 'kept', detail }
        }),
      )
      const after = { ...counts, undone: counts.undone + undone.length, kept: counts.kept + kept.size }
      await savePlace(db, run, { done: done + rows.length, counts: after })
      work.publish('imports', { id: row.id })
      return after
    })
    Object.assign(counts, next)
    done += rows.length
    await setImmediate()
  }
  await runWork(services, actorOf(row), async ({ db, now, publish, audit }) => {
    await endRun(db, run, { state: 'undone', undone_at: now, reasons: await countReasons(db, row.id) })
    const { undone, kept } = counts
    audit({ action: 'rows_undone', subject: 'import', subjectId: row.id, after: { undone, kept } })
    publish('imports', { id: row.id })
    for (const topic of topics) publish(topic)
  })
}

const idsOf = (rows: readonly AppliedRow[]) => rows.flatMap(({ record_id }) => record_id ?? [])
