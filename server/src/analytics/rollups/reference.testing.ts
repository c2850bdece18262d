import type { Dashboard } from '@limber/contract/analytics/dashboard/dashboard.ts'
import type { Timeframe } from '@limber/contract/analytics/events/event.ts'
import { companyTime } from '../dashboard/local-time.rules.ts'
import { windowOf } from '../dashboard/window.rules.ts'

/** An event as stored. */
export interface Raw {
  id: string
  created_at: Date
  user_id: number | null
  worker_id: number | null
  action_type: string
  event_outcome: string
  path: string
  response_time: number
}

const within = (rows: readonly Raw[], from: number, to: number) =>
  rows.filter(({ created_at }) => created_at.getTime() >= from && created_at.getTime() < to)

function figures(rows: readonly Raw[]) {
  const people = new Set(
    rows.map((row) => (row.user_id !== null ? `c${row.user_id}` : row.worker_id !== null ? `w${row.worker_id}` : '')),
  )
  people.delete('')
  const time = rows.reduce((sum, row) => sum + Math.round(row.response_time * 100), 0)
  const failed = rows.filter((row) => row.event_outcome === 'failure').length
  return {
    total_events: rows.length,
    unique_users: people.size,
    avg_response_time: rows.length === 0 ? 0 : Math.round(time / rows.length) / 100,
    error_rate: rows.length === 0 ? 0 : Math.round((failed / rows.length) * 10_000) / 100,
  }
}

const slices = (rows: readonly Raw[], marks: readonly number[], to: number) =>
  marks.map((from, place) => within(rows, from, Math.min(marks[place + 1] ?? to, to)))

function byType(rows: readonly Raw[]) {
  const groups = Map.groupBy(rows, (row) => row.action_type)
  return [...groups]
    .map(([type, of]) => ({ type, count: of.length }))
    .sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1))
}

function responseTimes(rows: readonly Raw[]) {
  return [...Map.groupBy(rows, (row) => row.path)]
    .map(([path, of]) => {
      const whole = of.map((row) => Math.floor((Math.round(row.response_time * 100) + 50) / 100)).sort((a, b) => a - b)
      const p95_ms = whole[Math.ceil((95 * whole.length) / 100) - 1] ?? 0
      return { path, avg_ms: figures(of).avg_response_time, p95_ms, events: of.length }
    })
    .sort((a, b) => b.avg_ms - a.avg_ms || (a.path < b.path ? -1 : 1))
}

/** Every dashboard figure, calculated row by row from the events. */
export function dashboardFromRaw(
  rows: readonly Raw[],
  now: Date,
  query: { timeframeEvents: Timeframe; timeframePerformance: Timeframe; actionTypeFilter: string },
): Omit<Dashboard, 'user_activity' | 'span' | 'zone' | 'performance'> & { response_times: unknown } {
  const window = windowOf(query.timeframeEvents, now, companyTime)
  const timing = windowOf(query.timeframePerformance, now, companyTime).current
  const chosen = rows.filter((row) => query.actionTypeFilter === '' || row.action_type === query.actionTypeFilter)
  const current = within(chosen, window.current.daysFrom, window.current.to)
  const previous = within(chosen, window.previous.daysFrom, window.previous.to)
  const steps = slices(current, window.steps, window.current.to).map(figures)
  return {
    ...figures(current),
    previous: figures(previous),
    events_over_time: {
      timestamps: window.points.map((at) => new Date(at).toISOString()),
      total_events_over_time: slices(current, window.points, window.current.to).map((part) => part.length),
      previous_total_events_over_time: slices(previous, window.previousPoints, window.previous.to).map(
        (part) => part.length,
      ),
    },
    actions: {
      by_type: byType(current),
      types: byType(within(rows, window.current.daysFrom, window.current.to)),
    },
    response_times: responseTimes(within(chosen, timing.daysFrom, timing.to)),
    trends: {
      total_events: steps.map((step) => step.total_events),
      unique_users: steps.map((step) => step.unique_users),
      avg_response_time: steps.map((step) => step.avg_response_time),
      error_rate: steps.map((step) => step.error_rate),
    },
  }
}
