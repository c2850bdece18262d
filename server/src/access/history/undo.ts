import { type restoreValue, undoChange } from '@limber/contract/access/history/history.ts'
import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { numericId, type RecordHistory, type RecordNow, SINGLE_ID, type TakeBack } from '#platform/audit/history.ts'
import { type Db, isRefusedByRule } from '#platform/db/db.ts'
import { refuse, refuseBy } from '#platform/http/refusal.ts'
import type { Context, Route } from '#platform/http/routes.ts'
import { checkMayCall, runCall } from '#platform/http/run-call.ts'
import { changesOf, factsOf, isSame, oppositeOf, restoreOf } from './history.present.ts'
import { checkRules, type RecordChange } from './history.queries.ts'

type UndoContext = Context<typeof undoChange>
type FindRoute = (call: CallDefinition) => Route

/**
 * Runs what undoes something. A rule of the database may refuse it, because something else came since: then nothing of it
 * is written. Rules that are checked at the end of a transaction are checked here.
 */
export async function obeyingRules(
  db: Db,
  call: typeof undoChange | typeof restoreValue,
  run: () => Promise<unknown>,
): Promise<void> {
  try {
    await run()
    await checkRules(db)
  } catch (error) {
    if (isRefusedByRule(error)) throw refuseBy(call, 'in_the_way')
    throw error
  }
}

async function readRecord({ db }: UndoContext, { read }: RecordHistory, id: string): Promise<RecordNow> {
  const record = await read(db, id)
  if (!record) throw refuse(undoChange, 'changed')
  return record
}

async function takeBack(context: UndoContext, { call, takeBack: run }: TakeBack, row: RecordChange) {
  checkMayCall(context as unknown as Context, call)
  if (!(await run(context, numericId(row.subject_id ?? ''), factsOf(row), row.worker_id)))
    throw refuse(undoChange, 'changed')
}

/** Undoes one change, with the calls of its area. Refuses when the record is no longer as the change left it. */
export async function undoRow(context: UndoContext, findRoute: FindRoute, row: RecordChange, history: RecordHistory) {
  const recovery = history.recoveries?.[row.action]
  if (recovery) return takeBack(context, recovery, row)
  const id = row.subject_id ?? SINGLE_ID
  const record = await readRecord(context, history, id)
  if (history.opposites?.[row.action]) {
    const opposite = oppositeOf(row, history, record)
    if (!opposite) throw refuse(undoChange, 'changed')
    if ('takeBack' in opposite) return takeBack(context, opposite, row)
    await runCall(context, findRoute(opposite.call), opposite.input(id, factsOf(row), record.values))
    return
  }
  const changes = changesOf(row, history.fields)
  if (changes.length === 0 || record.erasedAt) throw refuse(undoChange, 'not_undoable')
  if (changes.some(({ field, to, isKnown }) => !isKnown || !isSame(to, record.values[field.name])))
    throw refuse(undoChange, 'changed')
  for (const [restore, fields] of Map.groupBy(changes, (change) => restoreOf(change, history, record))) {
    if (!restore) throw refuse(undoChange, 'not_undoable')
    const values = Object.fromEntries(fields.map(({ field, from }) => [field.name, from ?? null]))
    const { values: present } = await readRecord(context, history, id)
    await runCall(context, findRoute(restore.call), restore.input(id, values, present))
  }
}
