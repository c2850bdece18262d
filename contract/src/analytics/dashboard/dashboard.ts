import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Moment } from '#kit/values.ts'
import { ActionFilter, AnalyticsEvent, Timeframe } from '../events/event.ts'

const Figures = z.object({
  total_events: z.int(),
  unique_users: z.int(),
  /** Milliseconds. */
  avg_response_time: z.number(),
  /** Percent of the events that failed. */
  error_rate: z.number(),
})
export type DashboardFigures = z.infer<typeof Figures>

const Counts = z.array(z.int())
const TypeCounts = z.array(z.object({ type: z.string(), count: z.int() }))
const Span = z.object({ timeframe: Timeframe, from: Moment, to: Moment })

/** Everything on the Analytics Dashboard. The default timeframe is the week. */
export const readDashboard = defineCall({
  method: 'GET',
  path: '/api/analytics/dashboard',
  summary: 'Product usage figures, with the previous period',
  permission: 'analytics.view',
  query: z.strictObject({
    timeframeEvents: Timeframe.default('week'),
    timeframePerformance: Timeframe.default('week'),
    actionTypeFilter: ActionFilter,
  }),
  reply: Figures.extend({
    events_over_time: z.object({
      /** Start of each point. */
      timestamps: z.array(Moment),
      total_events_over_time: Counts,
      previous_total_events_over_time: Counts,
    }),
    actions: z.object({
      by_type: TypeCounts,
      /** All action types in the period, independent of the filter. These are the filter options. */
      types: TypeCounts,
    }),
    performance: z.object({
      /** Slowest paths first. */
      response_times: z.array(z.object({ path: z.string(), avg_ms: z.number(), p95_ms: z.int(), events: z.int() })),
      /** Total number of paths. */
      paths: z.int(),
      span: Span,
    }),
    user_activity: z.object({ recent_events: z.array(AnalyticsEvent) }),
    /** The previous period, up to the same point in time. */
    previous: Figures,
    /** Points of the sparklines next to the figures. */
    trends: z.object({
      total_events: Counts,
      unique_users: Counts,
      avg_response_time: z.array(z.number()),
      error_rate: z.array(z.number()),
    }),
    span: Span,
    /** The time zone that defines when days start. */
    zone: z.string(),
  }),
})
export type Dashboard = ReplyOf<typeof readDashboard>
