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

/** Everything the Analytics Dashboard shows. Without a timeframe it is the week. */
export const readDashboard = defineCall({
  method: 'GET',
  path: '/api/analytics/dashboard',
  summary: 'Figures of product usage, with the period before',
  permission: 'analytics.view',
  query: z.strictObject({
    timeframeEvents: Timeframe.default('week'),
    timeframePerformance: Timeframe.default('week'),
    actionTypeFilter: ActionFilter,
  }),
  reply: Figures.extend({
    events_over_time: z.object({
      /** Where each point begins. */
      timestamps: z.array(Moment),
      total_events_over_time: Counts,
      previous_total_events_over_time: Counts,
    }),
    actions: z.object({
      by_type: TypeCounts,
      /** All types of the period, whatever the filter: what one can filter by. */
      types: TypeCounts,
    }),
    performance: z.object({
      /** The slowest paths first. */
      response_times: z.array(z.object({ path: z.string(), avg_ms: z.number(), p95_ms: z.int(), events: z.int() })),
      /** How many paths there are in all. */
      paths: z.int(),
      span: Span,
    }),
    user_activity: z.object({ recent_events: z.array(AnalyticsEvent) }),
    /** The period before, to the same point of its course. */
    previous: Figures,
    /** Points of the small lines beside the figures. */
    trends: z.object({
      total_events: Counts,
      unique_users: Counts,
      avg_response_time: z.array(z.number()),
      error_rate: z.array(z.number()),
    }),
    span: Span,
    /** The time zone in which days begin. */
    zone: z.string(),
  }),
})
export type Dashboard = ReplyOf<typeof readDashboard>
