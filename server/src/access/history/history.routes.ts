import { listHistory, MAX_CHANGES_COUNT } from '@limber/contract/access/history/history.ts'
import { codeOf } from '@limber/contract/access/permissions.ts'
import { permissionsFor } from '#platform/audit/audit-areas.ts'
import type { HistoryField, RecordHistory } from '#platform/audit/history.ts'
import type { Db } from '#platform/db/db.ts'
import { refusals, refuse } from '#platform/http/refusal.ts'
import { type Caller, serve } from '#platform/http/routes.ts'
import { changesOf, idsOf, type Names, presentChange } from './history.present.ts'
import { type ChangeFilter, type ChangeRow, findChanges, findNames } from './history.queries.ts'

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
async function namesOf(db: Db, fields: readonly HistoryField[], rows: readonly ChangeRow[]): Promise<Names> {
  const changes = rows.flatMap((row) => changesOf(row, fields))
  const referring = fields.filter(({ names }) => names)
  const selects = referring.flatMap((field) => field.names?.(idsOf(field, changes)) ?? [])
  const found = Map.groupBy(await findNames(db, selects), ({ place }) => referring[place])
  return new Map(referring.map((field) => [field, new Map((found.get(field) ?? []).map(({ id, name }) => [id, name]))]))
}

/** `kinds` is a function because the areas that provide them are listed next to this one. */
export const historyRoutes = (kinds: () => readonly RecordHistory[]) => [
  serve(listHistory, async ({ params: { kind, id }, query, db, now, worker }) => {
    const history = kinds().find(({ subject }) => subject === kind)
    if (!history) throw new Error(`No area registers the history of ${kind}.`)
    if (!mayRead(kind, worker)) throw refusals.forbidden()
    const record = await history.read(db, id)
    if (!record) throw refuse(listHistory, 'not_found')
    const { by, limit } = query
    const filter: ChangeFilter = { subject: kind, subjectId: id, actions: visibleActions(history, worker), by }
    // One more shows whether there is a next page.
    const page = { before: readCursor(query.before), limit: limit + 1, bound: MAX_CHANGES_COUNT + 1 }
    const { rows, count, since } = await findChanges(db, filter, page)
    const shown = rows.slice(0, limit)
    const names = await namesOf(db, history.fields, shown)
    const reader = { workerId: worker.workerId, now }
    const last = shown.at(-1)
    return {
      name: record.name,
      changes: shown.map((row) => presentChange(row, history, names, reader, record.erasedAt ?? null)),
      next: last && rows.length > limit ? cursorOf(last) : null,
      total: {
        count: Math.min(count, MAX_CHANGES_COUNT),
        isMore: count > MAX_CHANGES_COUNT,
        since: since?.toISOString() ?? null,
      },
    }
  }),
]
