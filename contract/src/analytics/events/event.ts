import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Id, Instant, Moment } from '#kit/values.ts'

/** The period that the dashboard covers. */
export const Timeframe = z.enum(['hour', 'day', 'week', 'month'])
export type Timeframe = z.infer<typeof Timeframe>

const actionPattern = /^[A-Za-z0-9][A-Za-z0-9_.:/-]*$/

/** The action type, such as `session_booked`. */
export const ActionType = z
  .string()
  .min(1, 'is required')
  .max(100, 'must be at most 100 characters')
  .regex(actionPattern, 'can only contain letters, digits and _ . : / -')

/** One action type; empty for all. */
export const ActionFilter = z.union([z.literal(''), ActionType]).default('')

export const EventOutcome = z.enum(['success', 'failure'])

/** One usage event. */
export const AnalyticsEvent = z.object({
  id: z.uuid(),
  user_id: Id.nullable(),
  action_type: z.string(),
  event_outcome: z.string(),
  method: z.string(),
  url: z.string(),
  response_status: z.int(),
  response_time: z.number(),
  ip_address: z.string().nullable(),
  createdAt: Moment,
  /** The request path without ids. */
  path: z.string(),
  source: z.enum(['staff', 'customer']),
  /** Who did it: a customer or a worker. */
  user: z.object({ kind: z.enum(['customer', 'worker']), id: Id, name: z.string() }).nullable(),
})
export type AnalyticsEvent = z.infer<typeof AnalyticsEvent>

export const MAX_INGEST_EVENTS = 1000

/** An event as the customer product sends it. */
export const EventInput = z.strictObject({
  id: z.uuid('must be a UUID').toLowerCase(),
  user_id: Id.nullable().default(null),
  action_type: ActionType.refine((type) => type !== 'all', 'cannot be "all"'),
  event_outcome: EventOutcome,
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']),
  url: z.string().min(1, 'is required').max(2000, 'must be at most 2,000 characters'),
  response_status: z.int().min(100).max(599),
  response_time: z.number().min(0, 'must be milliseconds, 0 or more').max(3_600_000, 'must be at most an hour'),
  ip_address: z.union([z.ipv4(), z.ipv6()], 'must be an IP address').nullable().default(null),
  createdAt: Instant,
  /** For a failure: the message the customer saw, for the error log. */
  error_text: z.string().trim().max(300, 'must be at most 300 characters').nullable().default(null),
})
export type EventInput = z.output<typeof EventInput>

/** Accepts usage events from the customer product. Lists invalid rows by index and stores the valid ones. */
export const ingestEvents = defineCall({
  method: 'POST',
  path: '/api/analytics/events',
  summary: 'Accept up to 1,000 usage events of the customer product',
  permission: 'api-key',
  scope: 'events:write',
  deprecatedHeader: 'x-ingest-key',
  bodyLimit: 4 * 1024 * 1024,
  body: z.strictObject({
    events: z
      .array(z.unknown())
      .min(1, 'A batch contains at least one event.')
      .max(MAX_INGEST_EVENTS, 'A batch contains at most 1,000 events.'),
  }),
  reply: z.object({
    /** Number of new events. */
    accepted: z.int(),
    /** Number of events already stored, or sent twice in this batch. */
    duplicates: z.int(),
    rejected: z.array(z.object({ index: z.int(), id: z.string().nullable(), error: z.string() })),
  }),
  refusals: {
    not_connected: [503, 'Event ingest is not connected: no ingest key is set.'],
    wrong_key: [401, 'The ingest key is missing or wrong.'],
    all_malformed: [400, 'No event of this batch was accepted: {first}'],
    all_refused: [422, 'No event of this batch was accepted: {first}'],
  },
})

/** The events of a timeframe, newest first. */
export const listEvents = defineCall({
  method: 'GET',
  path: '/api/analytics/events',
  summary: 'Usage events of a timeframe, newest first, 10 per page',
  permission: 'analytics.view',
  query: z.strictObject({
    timeframeEvents: Timeframe.default('week'),
    actionTypeFilter: ActionFilter,
    ...pageQuery({ limit: 10 }),
  }),
  reply: z.object({ events: z.array(AnalyticsEvent), pagination: Pagination }),
})

export const exportEvents = exportCall(listEvents, 'events')

/** One event with all its details. */
export const readEvent = defineCall({
  method: 'GET',
  path: '/api/analytics/events/:id',
  summary: 'One usage event',
  permission: 'analytics.view',
  params: z.strictObject({ id: z.uuid('must be a UUID').toLowerCase() }),
  reply: AnalyticsEvent,
  refusals: { unknown_event: [404, 'This event does not exist, or its day is no longer stored.'] },
})
