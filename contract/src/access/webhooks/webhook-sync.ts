import { z } from 'zod'
import { MAX_LIST_ITEMS } from '#kit/batch.ts'
import { defineCall } from '#kit/call.ts'
import { Id, IdText, Instant, IntegerText, Moment } from '#kit/values.ts'
import { WebhookEvents, webhookEvents } from './events.ts'
import {
  DeliveryState,
  deliveryStates,
  description,
  MAX_WEBHOOK_OVERLAP_HOURS,
  WebhookUrl,
  webhookRefusals,
} from './webhook.ts'

// A program manages the endpoints of its own source.

export const ProgramEndpoint = z.object({
  id: Id,
  url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  description: z.string(),
  enabled: z.boolean(),
  include_own_changes: z.boolean(),
  created_at: Moment,
  /** Set when Limber switched it off: `gone` after a reply of 410, `failing` after five days. */
  off_reason: z.enum(['gone', 'failing']).nullable(),
})
export type ProgramEndpoint = z.infer<typeof ProgramEndpoint>

export const ProgramDelivery = z.object({
  id: Id,
  /** The `webhook-id` of its requests. */
  event_id: z.string(),
  event_type: z.string(),
  state: DeliveryState,
  created_at: Moment,
  /** Null when it is settled, waits for an earlier event of the same record, or the endpoint is off. */
  next_attempt_at: Moment.nullable(),
  attempts: z.array(
    z.object({ at: Moment, status: z.int().nullable(), duration_ms: z.int(), error: z.string().nullable() }),
  ),
})
export type ProgramDelivery = z.infer<typeof ProgramDelivery>

const { not_found, address_not_allowed, https_required, too_many, no_delivery } = webhookRefusals
const params = z.strictObject({ id: IdText })
const withSecret = z.object({ ...ProgramEndpoint.shape, secret: z.string() })
const read = { permission: 'api-key', scope: 'webhooks:read' } as const
const write = { permission: 'api-key', scope: 'webhooks:write' } as const

const endpoint: z.input<typeof ProgramEndpoint> = {
  id: 3,
  url: 'https://app.example.com/hooks/limber',
  events: ['customer.updated', 'credits.changed'],
  description: 'Customer app',
  enabled: true,
  include_own_changes: false,
  created_at: '2026-11-17T08:00:00.000Z',
  off_reason: null,
}
const endpointOnce = { ...endpoint, secret: 'whsec_…' }
const delivery: z.input<typeof ProgramDelivery> = {
  id: 901,
  event_id: 'evt_5f0c9d2e7b1a4c3d8e6f0a1b2c3d4e5f',
  event_type: 'customer.updated',
  state: 'delivered',
  created_at: '2026-11-17T17:20:00.000Z',
  next_attempt_at: null,
  attempts: [{ at: '2026-11-17T17:20:01.000Z', status: 204, duration_ms: 84, error: null }],
}

export const listOwnWebhooks = defineCall({
  ...read,
  method: 'GET',
  path: '/api/v1/webhooks',
  summary: 'List the webhook endpoints of your source',
  reply: z.object({ items: z.array(ProgramEndpoint), next_cursor: z.null() }),
  replyExample: { items: [endpoint], next_cursor: null },
})

export const readOwnWebhook = defineCall({
  ...read,
  method: 'GET',
  path: '/api/v1/webhooks/:id',
  summary: 'Read a webhook endpoint',
  params,
  reply: ProgramEndpoint,
  replyExample: endpoint,
  refusals: { not_found },
})

export const createOwnWebhook = defineCall({
  ...write,
  method: 'POST',
  path: '/api/v1/webhooks',
  summary: 'Add a webhook endpoint; the reply shows its secret once',
  body: z.strictObject({
    url: WebhookUrl,
    events: WebhookEvents,
    description: description.default(''),
    enabled: z.boolean().default(true),
    include_own_changes: z.boolean().default(false),
  }),
  example: {
    url: 'https://app.example.com/hooks/limber',
    events: ['customer.updated', 'credits.changed'],
    description: 'Customer app',
  },
  reply: withSecret,
  replyExample: endpointOnce,
  refusals: { address_not_allowed, https_required, too_many },
})

export const updateOwnWebhook = defineCall({
  ...write,
  method: 'PATCH',
  path: '/api/v1/webhooks/:id',
  summary: 'Change a webhook endpoint, or turn it on or off',
  params,
  body: z.strictObject({
    url: WebhookUrl.optional(),
    events: WebhookEvents.optional(),
    description: description.optional(),
    enabled: z.boolean().optional(),
    include_own_changes: z.boolean().optional(),
  }),
  example: { enabled: true },
  reply: ProgramEndpoint,
  replyExample: endpoint,
  refusals: { not_found, address_not_allowed, https_required },
})

export const deleteOwnWebhook = defineCall({
  ...write,
  method: 'DELETE',
  path: '/api/v1/webhooks/:id',
  summary: 'Delete a webhook endpoint with its deliveries',
  params,
  reply: z.object({ id: Id }),
  replyExample: { id: 3 },
  refusals: { not_found },
})

export const rotateOwnWebhook = defineCall({
  ...write,
  method: 'POST',
  path: '/api/v1/webhooks/:id/rotate',
  summary: 'Give a webhook endpoint a new secret, shown once; both sign for the hours named',
  params,
  body: z.strictObject({ overlap_hours: z.int().min(0).max(MAX_WEBHOOK_OVERLAP_HOURS) }),
  example: { overlap_hours: 24 },
  reply: withSecret,
  replyExample: endpointOnce,
  refusals: { not_found },
})

export const testOwnWebhook = defineCall({
  ...write,
  method: 'POST',
  path: '/api/v1/webhooks/:id/test',
  summary: 'Send a test event to a webhook endpoint, even when it is off',
  params,
  reply: ProgramDelivery,
  replyExample: delivery,
  refusals: { not_found },
})

export const listOwnDeliveries = defineCall({
  ...read,
  method: 'GET',
  path: '/api/v1/webhooks/:id/deliveries',
  summary: 'List the deliveries of a webhook endpoint, newest first; they are kept for 30 days',
  params,
  query: z.strictObject({
    state: z.enum(deliveryStates).optional(),
    cursor: IdText.optional(),
    limit: IntegerText(1, MAX_LIST_ITEMS).default(100),
  }),
  reply: z.object({ items: z.array(ProgramDelivery), next_cursor: z.string().nullable() }),
  replyExample: { items: [delivery], next_cursor: null },
  refusals: { not_found },
})

export const redeliverOwn = defineCall({
  ...write,
  method: 'POST',
  path: '/api/v1/webhooks/:id/deliveries/:delivery_id/redeliver',
  summary: 'Redeliver an event now, with the same webhook-id',
  params: z.strictObject({ id: IdText, delivery_id: IdText }),
  reply: ProgramDelivery,
  replyExample: delivery,
  refusals: { no_delivery },
})

export const redeliverOwnFailed = defineCall({
  ...write,
  method: 'POST',
  path: '/api/v1/webhooks/:id/redeliver',
  summary: 'Redeliver everything that was not delivered since a time',
  params,
  body: z.strictObject({ since: Instant }),
  example: { since: '2026-11-17T08:00:00Z' },
  reply: z.object({ count: z.int() }),
  replyExample: { count: 2 },
  refusals: { not_found },
})
