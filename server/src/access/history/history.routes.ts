import {
  listHistory,
  MAX_CHANGES_COUNT,
  restoreValue,
  UNDO_REQUEST_MINUTES,
  undoChange,
} from '@limber/contract/access/history/history.ts'
import { codeOf } from '@limber/contract/access/permissions.ts'
import type { CallDefinition } from '@limber/contract/kit/call.ts'
import type { Area } from '#platform/area.ts'
import { permissionsFor } from '#platform/audit/audit-areas.ts'
import { type RecordHistory, type RecordNow, SINGLE_ID } from '#platform/audit/history.ts'
import { MINUTE, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { refusals, refuse } from '#platform/http/refusal.ts'
import { type Caller, type Route, serve } from '#platform/http/routes.ts'
import { runCall } from '#platform/http/run-call.ts'
import { changesOf, idsOf, type Names, nowInWords, presentChange, restoreOf } from './history.present.ts'
import {
  type ChangeFilter,
  type ChangeRow,
  findChange,
  findChanges,
  findChangesOfRequest,
  findNames,
} from './history.queries.ts'
import { obeyingRules, undoRow } from './undo.ts'

const cursorOf = ({ at, id }: ChangeRow) => `${at.getTime()}.${id}`

function readCursor(text: string | undefined) {
  const [at, id] = (text ?? '').split('.').map(Number)
  return at && id ? { at: new Date(at), id } : undefined
}

/** The actions that the reader may see: some belong to another area than their record. */
const visibleActions = ({ actions, subject }: RecordHistory, { permissions }: Caller) =>
  Object.keys(actions).filter((action) =>
    permissionsFor({ action, subject }).some((name) => permissions.has(codeOf(name))),
  )

const mayRead = (subject: string, { permissions }: Caller) =>
  permissionsFor({ action: '', subject }).some((name) => permissions.has(codeOf(name)))

/** Asks once for all names. */
async function namesOf(
  db: Db,
  { fields }: RecordHistory,
  { values }: RecordNow,
  rows: readonly ChangeRow[],
): Promise<Names> {
  const present = fields.map((field) => ({ field, from: values[field.name], to: null, isKnown: true }))
  const changes = [...present, ...rows.flatMap((row) => changesOf(row, fields))]
  const referring = fields.filter(({ names }) => names)
  const selects = referring.flatMap((field) => field.names?.(idsOf(field, changes)) ?? [])
  const found = Map.groupBy(await findNames(db, selects), ({ place }) => referring[place])
  return new Map(referring.map((field) => [field, new Map((found.get(field) ?? []).map(({ id, name }) => [id, name]))]))
}

/** What all areas register. It is a function because they are listed next to this one. */
type Areas = () => readonly Pick<Area, 'histories' | 'routes'>[]

const findHistory = (areas: Areas, kind: string) =>
  areas()
    .flatMap(({ histories }) => histories ?? [])
    .find(({ subject }) => subject === kind)

/** Finds the route of a call. The routes are made once, because making them makes what they share. */
function routeFinder(areas: Areas) {
  let routes: ReadonlyMap<CallDefinition, Route> | undefined
  return (call: CallDefinition): Route => {
    routes ??= new Map(areas().flatMap((area) => area.routes().map((route) => [route.call, route] as const)))
    const route = routes.get(call)
    if (!route) throw new Error(`${call.method} ${call.path} is not served`)
    return route
  }
}

export function historyRoutes(areas: Areas) {
  const findRoute = routeFinder(areas)
  return [
    serve(listHistory, async ({ params: { kind, id }, query, db, now, worker }) => {
      const history = findHistory(areas, kind)
      if (!history) throw new Error(`No area registers the history of ${kind}.`)
      if (!mayRead(kind, worker)) throw refusals.forbidden()
      const record = history.isSingle && id !== SINGLE_ID ? undefined : await history.read(db, id)
      if (!record) throw refuse(listHistory, 'not_found')
      const { by, limit } = query
      const filter: ChangeFilter = {
        subject: kind,
        subjectId: history.isSingle ? null : id,
        actions: visibleActions(history, worker),
        by,
      }
      // One more shows whether there is a next page.
      const page = { before: readCursor(query.before), limit: limit + 1, bound: MAX_CHANGES_COUNT + 1 }
      const { rows, count, since } = await findChanges(db, filter, page)
      const shown = rows.slice(0, limit)
      const names = await namesOf(db, history, record, shown)
      const reading = { history, record, names, now, caller: worker }
      const last = shown.at(-1)
      return {
        name: record.name,
        changes: shown.map((row) => presentChange(row, reading)),
        next: last && rows.length > limit ? cursorOf(last) : null,
        total: {
          count: Math.min(count, MAX_CHANGES_COUNT),
          isMore: count > MAX_CHANGES_COUNT,
          since: since?.toISOString() ?? null,
        },
      }
    }),

    serve(restoreValue, async (context) => {
      const { params, body, db, now, worker } = context
      const row = await findChange(db, params.id)
      const history = row && findHistory(areas, row.subject)
      if (!row || !history) throw refuse(restoreValue, 'not_found')
      if (!visibleActions(history, worker).includes(row.action)) throw refusals.forbidden()
      const id = row.subject_id ?? SINGLE_ID
      const record = await history.read(db, id)
      const change = changesOf(row, history.fields).find(({ field }) => field.name === body.field)
      if (!record || !change) throw refuse(restoreValue, 'not_found')
      const { field, from } = change
      const names = await namesOf(db, history, record, [row])
      const known = { names, now, zone: record.zone }
      if (nowInWords(record.values[field.name], field, known) !== body.now) throw refuse(restoreValue, 'changed')
      const restore = restoreOf(change, history, record)
      if (!restore) throw refuse(restoreValue, 'not_restorable')
      const input = restore.input(id, { [field.name]: from ?? null }, record.values)
      await obeyingRules(db, restoreValue, () => runCall(context, findRoute(restore.call), input))
      return { label: field.label, value: nowInWords(from, field, known) }
    }),

    serve(undoChange, async (context) => {
      const { body, db, now, worker } = context
      const rows =
        'change' in body
          ? [await findChange(db, body.change)].filter((row) => row !== undefined)
          : await findChangesOfRequest(db, {
              ...{ workerId: worker.workerId, request: body.request },
              since: shift(now, -UNDO_REQUEST_MINUTES * MINUTE),
            })
      if (rows.length === 0) throw refuse(undoChange, 'not_found')
      await obeyingRules(db, undoChange, async () => {
        for (const row of rows) {
          const history = findHistory(areas, row.subject)
          if (!history) throw refuse(undoChange, 'not_undoable')
          if (!visibleActions(history, worker).includes(row.action)) throw refusals.forbidden()
          await undoRow(context, findRoute, row, history)
        }
      })
      return { undone: rows.length }
    }),
  ]
}
