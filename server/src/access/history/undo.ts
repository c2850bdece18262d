import { undoChange } from '@limber/contract/access/history/history.ts'
import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { type RecordHistory, type RecordNow, SINGLE_ID } from '#platform/audit/history.ts'
import { refuse } from '#platform/http/refusal.ts'
import type { Context, Route } from '#platform/http/routes.ts'
import { runCall } from '#platform/http/run-call.ts'
import { changesOf, factsOf, isSame, oppositeOf, restoreOf } from './history.present.ts'
import type { RecordChange } from './history.queries.ts'

type UndoContext = Context<typeof undoChange>
type FindRoute = (call: CallDefinition) => Route

async function readRecord({ db }: UndoContext, { read }: RecordHistory, id: string): Promise<RecordNow> {
  const record = await read(db, id)
  if (!record) throw refuse(undoChange, 'changed')
  return record
}

/** Undoes one change, with the calls of its area. Refuses when the record is no longer as the change left it. */
export async function undoRow(context: UndoContext, findRoute: FindRoute, row: RecordChange, history: RecordHistory) {
  const id = row.subject_id ?? SINGLE_ID
  const record = await readRecord(context, history, id)
  if (history.opposites?.[row.action]) {
    const opposite = oppositeOf(row, history, record)
    if (!opposite) throw refuse(undoChange, 'changed')
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
