import { z } from 'zod'
import { BatchBody, BatchReply, ExternalId, listQuery, MAX_BATCH_BYTES, Reference, Source } from '#kit/batch.ts'
import { defineCall } from '#kit/call.ts'
import { Id, Instant, Moment } from '#kit/values.ts'
import { EventInput } from './event.ts'

const { id, createdAt, user_id: _, ...fields } = EventInput.shape

/**
 * An event as a program sends it. It never changes; its id is the UUID that is sent, or made from the external id. The
 * names of the older ingest call, `id` and `createdAt`, work as well.
 */
export const EventItem = z
  .strictObject({
    ...fields,
    external_id: ExternalId.optional(),
    id: id.optional(),
    customer: Reference.nullish(),
    created_at: Instant.optional(),
    createdAt: createdAt.optional(),
  })
  .refine(({ external_id, id }) => external_id !== undefined || id !== undefined, {
    message: 'is required',
    path: ['external_id'],
  })
  .refine(({ created_at, createdAt }) => created_at !== undefined || createdAt !== undefined, {
    message: 'is required',
    path: ['created_at'],
  })
export type EventItem = z.output<typeof EventItem>

const event = {
  id: '8f14e45f-ceea-4c67-8d1a-3b0a9b2d6c10',
  external_ids: { app: 'e-90211' },
  updated_at: '2026-11-17T17:20:00.000Z',
  customer_id: 2417,
  action_type: 'session_booked',
  event_outcome: 'success',
  method: 'POST',
  url: '/api/bookings',
  response_status: 201,
  response_time: 84.2,
  ip_address: null,
  created_at: '2026-11-17T17:20:00.000Z',
}

export const sendEvents = defineCall({
  method: 'POST',
  path: '/api/v1/events/batch',
  summary: 'Send usage events of the customer product, up to 1,000 at a time',
  permission: 'api-key',
  scope: 'events:write',
  bodyLimit: MAX_BATCH_BYTES,
  body: BatchBody,
  item: EventItem,
  example: {
    items: [
      {
        external_id: 'e-90211',
        customer: 'c-17',
        action_type: 'session_booked',
        event_outcome: 'success',
        method: 'POST',
        url: '/api/bookings',
        response_status: 201,
        response_time: 84.2,
        created_at: '2026-11-17T17:20:00Z',
      },
    ],
  },
  reply: BatchReply,
  replyExample: {
    results: [{ external_id: 'e-90211', status: 'created', id: event.id }],
    ...{ created: 1, updated: 0, unchanged: 0, stale: 0, rejected: 0 },
  },
})

const EventRecord = z.object({
  id: z.uuid(),
  external_ids: z.record(z.string(), z.string()),
  updated_at: Moment,
  customer_id: Id.nullable(),
  action_type: z.string(),
  event_outcome: z.string(),
  method: z.string(),
  url: z.string(),
  response_status: z.int(),
  response_time: z.number(),
  ip_address: z.string().nullable(),
  created_at: Moment,
})

export const walkEvents = defineCall({
  method: 'GET',
  path: '/api/v1/events',
  summary: 'List usage events of the customer product by the time they happened',
  permission: 'api-key',
  scope: 'events:read',
  query: z.strictObject(listQuery),
  reply: z.object({ items: z.array(EventRecord), next_cursor: z.string().nullable() }),
  replyExample: { items: [event], next_cursor: null },
})

const notFound = [404, 'This record does not exist.'] as const

export const readEventRecord = defineCall({
  method: 'GET',
  path: '/api/v1/events/:id',
  summary: 'Read one usage event',
  permission: 'api-key',
  scope: 'events:read',
  params: z.strictObject({ id: z.uuid('must be a UUID').toLowerCase() }),
  reply: EventRecord,
  replyExample: event,
  refusals: { not_found: notFound },
})

export const readEventByExternalId = defineCall({
  method: 'GET',
  path: '/api/v1/events/by-external-id/:source/:external_id',
  summary: 'Read one usage event by the ID of another system',
  permission: 'api-key',
  scope: 'events:read',
  params: z.strictObject({ source: Source, external_id: ExternalId }),
  reply: EventRecord,
  replyExample: event,
  refusals: { not_found: notFound },
})
