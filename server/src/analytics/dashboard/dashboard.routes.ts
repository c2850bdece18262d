import { readDashboard } from '@limber/contract/analytics/dashboard/dashboard.ts'
import { listUsageFigure } from '@limber/contract/analytics/dashboard/usage-figure.ts'
import { listEvents, readEvent, type Timeframe } from '@limber/contract/analytics/events/event.ts'
import type { QueryOf } from '@limber/contract/kit/call.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type Route, serve } from '#platform/http/routes.ts'
import { SerializedReply } from '#platform/http/serialized-reply.ts'
import { presentEvent } from '../events/event.present.ts'
import { findEvent, findNewest } from '../events/event.queries.ts'
import { EventNames } from '../events/event-names.queries.ts'
import { findEventPage } from '../events/find-event-page.ts'
import { ALL_ACTIONS } from '../rollups/cell.rules.ts'
import { cacheByVersion } from './cache-by-version.ts'
import { countEvents, readRollups, readVersion } from './dashboard.queries.ts'
import { byCount, countsOf, figuresOf, responseTimesOf, trendsOf } from './dashboard.rules.ts'
import { companyTime } from './local-time.rules.ts'
import { findUsageFigure } from './usage-figure.ts'
import { type Span, type Window, windowOf } from './window.rules.ts'

const MAX_RECENT_EVENTS = 10
// Each timeframe with the filters in use; a reply is about 10 kB.
const MAX_CACHED_DASHBOARDS = 60
/** No action has this id, so an unknown type has no events. */
const NO_ACTION = -1

/** The filter `all` means no filter. */
export const readFilter = (filter: string) => (filter === 'all' ? '' : filter)

async function actionOf(db: Db, names: EventNames, type: string): Promise<number> {
  if (type === '') return ALL_ACTIONS
  if (names.idOf('action', type) === undefined) await names.refresh(db)
  return names.idOf('action', type) ?? NO_ACTION
}

const presentSpan = (timeframe: Timeframe, { daysFrom, to }: Span) => ({
  timeframe,
  from: new Date(daysFrom).toISOString(),
  to: new Date(to).toISOString(),
})

const instants = ({ current: { daysFrom, to } }: Window) => ({ from: new Date(daysFrom), to: new Date(to) })

interface DashboardRequest {
  events: Window
  performance: Window
  query: QueryOf<typeof readDashboard>
}

/** Everything the dashboard shows. */
async function computeDashboard(db: Db, names: EventNames, { events, performance, query }: DashboardRequest) {
  const { timeframeEvents, timeframePerformance } = query
  const type = readFilter(query.actionTypeFilter)
  const action = await actionOf(db, names, type)
  const withHours = timeframeEvents === 'week'
  const [rows, recent] = await Promise.all([
    readRollups(db, { events, performance, action, withHours }),
    findNewest(db, { ...instants(events), type, limit: MAX_RECENT_EVENTS }),
  ])
  const isKnown = (kind: 'action' | 'path') => (id: number) => names.has(kind, id)
  if (![...rows.actions.keys()].every(isKnown('action')) || ![...rows.times.cells.keys()].every(isKnown('path')))
    await names.refresh(db)
  const types = byCount(
    new Map([...rows.actions].map(([id, count]) => [names.nameOf('action', id) ?? String(id), count])),
  )
  return {
    ...figuresOf(rows.current),
    events_over_time: {
      timestamps: events.points.map((at) => new Date(at).toISOString()),
      total_events_over_time: countsOf(withHours ? rows.hours.current : rows.current, events.points),
      previous_total_events_over_time: countsOf(withHours ? rows.hours.previous : rows.previous, events.previousPoints),
    },
    actions: { by_type: type === '' ? types : types.filter((each) => each.type === type), types },
    performance: {
      response_times: responseTimesOf(rows.times, (id) => names.nameOf('path', id) ?? String(id)),
      paths: rows.times.cells.size,
      span: presentSpan(timeframePerformance, performance.current),
    },
    user_activity: { recent_events: recent.map(presentEvent) },
    previous: figuresOf(rows.previous),
    trends: trendsOf(rows.current, events.steps),
    span: presentSpan(timeframeEvents, events.current),
    zone: companyTime.zone,
  }
}

const MAY_LAG = { mayLag: true }

export function dashboardRoutes(): Route[] {
  const names = new EventNames()
  const keep = cacheByVersion<SerializedReply<Awaited<ReturnType<typeof computeDashboard>>>>(MAX_CACHED_DASHBOARDS)
  return [
    serve(
      readDashboard,
      async ({ query, db, now }) => {
        const events = windowOf(query.timeframeEvents, now, companyTime)
        const performance = windowOf(query.timeframePerformance, now, companyTime)
        // Includes the recent events, so that they match the figures.
        return keep(
          JSON.stringify([query, events.current, performance.current]),
          await readVersion(db),
          async () =>
            new SerializedReply(JSON.stringify(await computeDashboard(db, names, { events, performance, query }))),
        )
      },
      MAY_LAG,
    ),

    serve(
      listEvents,
      async ({ query: { timeframeEvents, actionTypeFilter, page, limit }, db, now }) => {
        const type = readFilter(actionTypeFilter)
        const action = await actionOf(db, names, type)
        const { current } = windowOf(timeframeEvents, now, companyTime)
        const [total, rows] = await Promise.all([
          countEvents(db, current, action),
          findEventPage(db, { span: current, type, action, limit, offset: (page - 1) * limit }),
        ])
        return { events: rows.map(presentEvent), pagination: paginate(page, limit, total) }
      },
      MAY_LAG,
    ),

    serve(
      listUsageFigure,
      async ({ params: { figure }, query: { timeframeEvents, actionTypeFilter, ...page }, db, now }) =>
        findUsageFigure(db, names, {
          figure,
          page,
          span: windowOf(timeframeEvents, now, companyTime).current,
          action: await actionOf(db, names, readFilter(actionTypeFilter)),
        }),
      MAY_LAG,
    ),

    serve(readEvent, async ({ params: { id }, db }) => {
      const row = await findEvent(db, id)
      if (!row) throw refuse(readEvent, 'unknown_event')
      return presentEvent(row)
    }),
  ]
}
