import { codeOf } from '@limber/contract/access/permissions.ts'
import type { Timeframe } from '@limber/contract/analytics/events/event.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import {
  type ErrorGroup,
  handleErrorGroup,
  listErrors,
  listOccurrences,
  readErrorGroup,
  reopenErrorGroup,
} from '@limber/contract/tech/errors/error-log.ts'
import type { Db } from '#platform/db/db.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type Caller, serve } from '#platform/http/routes.ts'
import { presentGroup, presentOccurrence } from './error-log.present.ts'
import {
  findCounts,
  findGroup,
  findGroups,
  findOccurrences,
  hasGroup,
  lockGroup,
  markHandled,
  markOpen,
  type OccurrenceRow,
  sumGroups,
} from './error-log.queries.ts'
import { trendOf, windowOf } from './error-window.rules.ts'

async function readGroup(db: Db, id: number, now: Date, timeframe: Timeframe = 'week'): Promise<ErrorGroup> {
  const window = windowOf(timeframe, now)
  const row = await findGroup(db, id, window)
  if (!row) throw refuse(readErrorGroup, 'not_found')
  const counts = await findCounts(db, [id], window)
  return presentGroup(row, trendOf(window, counts.get(id) ?? []))
}

const maySeeCustomers = ({ permissions }: Caller) =>
  permissions.has(codeOf('users.overview')) || permissions.has(codeOf('users.directory'))

const cursorOf = ({ at, id }: OccurrenceRow) => `${at.getTime()}.${id}`

function readCursor(cursor: string | undefined) {
  const [at, id] = (cursor ?? '').split('.').map(Number)
  return at && id ? { at: new Date(at), id } : undefined
}

export const errorLogRoutes = [
  serve(listErrors, async ({ query, db, now }) => {
    const window = windowOf(query.timeframe, now)
    const [{ groups, found }, totals] = await Promise.all([
      findGroups(db, query, window),
      sumGroups(db, query.source, window),
    ])
    const ids = groups.map(({ id }) => id)
    const counts = await findCounts(db, ids, window)
    return {
      groups: groups.map((row) => presentGroup(row, trendOf(window, counts.get(row.id) ?? []))),
      pagination: paginate(query.page, query.limit, found),
      totals,
      span: { from: window.from.toISOString(), to: window.to.toISOString() },
    }
  }),

  serve(readErrorGroup, ({ params, query, db, now }) => readGroup(db, params.id, now, query.timeframe)),

  serve(listOccurrences, async ({ params, query, db, worker }) => {
    // One extra row tells whether there is a next page.
    const rows = await findOccurrences(db, params.id, { before: readCursor(query.before), limit: query.limit + 1 })
    if (rows.length === 0 && !(await hasGroup(db, params.id))) throw refuse(listOccurrences, 'not_found')
    const page = rows.slice(0, query.limit)
    const last = page.at(-1)
    const isOpen = maySeeCustomers(worker)
    return {
      occurrences: page.map((row) => presentOccurrence(row, isOpen)),
      next: last && rows.length > query.limit ? cursorOf(last) : null,
    }
  }),

  serve(handleErrorGroup, async ({ params: { id }, body, worker, db, now, audit, publish }) => {
    const show = () => readGroup(db, id, now)
    const { is_handled } = await loadForUpdate(handleErrorGroup, lockGroup(db, id), body.version, show)
    if (is_handled) throw refuse(handleErrorGroup, 'handled')
    await markHandled(db, id, { workerId: worker.workerId, note: body.note }, now)
    const change = { before: { state: 'open' }, after: { state: 'handled' }, reason: body.note }
    audit({ action: 'error_handled', subject: 'error', subjectId: id, ...change })
    publish('errors')
    return show()
  }),

  serve(reopenErrorGroup, async ({ params: { id }, body, db, now, audit, publish }) => {
    const show = () => readGroup(db, id, now)
    const { is_handled } = await loadForUpdate(reopenErrorGroup, lockGroup(db, id), body.version, show)
    if (!is_handled) throw refuse(reopenErrorGroup, 'open')
    await markOpen(db, id, now)
    const change = { before: { state: 'handled' }, after: { state: 'open' }, reason: body.note }
    audit({ action: 'error_reopened', subject: 'error', subjectId: id, ...change })
    publish('errors')
    return show()
  }),
]
