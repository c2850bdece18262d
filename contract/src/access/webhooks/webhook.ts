import { z } from 'zod'
import { defineCall, staleRefusal } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Id, IdText, Instant, IntegerText, Line, Moment, Version } from '#kit/values.ts'
import { WebhookEvents, webhookEvents } from './events.ts'

export const MAX_ENDPOINTS = 50
export const MAX_WEBHOOK_OVERLAP_HOURS = 168
export const MAX_DELIVERIES_SHOWN = 100
/** Deliveries are kept this long. */
export const DELIVERY_DAYS = 30

/** Where events are sent. Whether the address may be used is checked by the server. */
export const WebhookUrl = z
  .string()
  .trim()
  .max(2000, 'must be at most 2,000 characters')
  .pipe(z.url({ protocol: /^https?$/, error: 'Enter a URL that begins with https://' }))
  .refine((text) => !/^[^/]*\/\/[^/?#]*@/.test(text), 'Remove the user name and password from the URL.')
  .transform((text) => text.replace(/#.*$/, ''))

export const description = Line(100, 0)

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const
export const DeliveryState = z.enum(deliveryStates)
export type DeliveryState = z.infer<typeof DeliveryState>

export const WebhookEndpoint = z.object({
  id: Id,
  url: z.string(),
  description: z.string(),
  events: z.array(z.enum(webhookEvents)),
  enabled: z.boolean(),
  includeOwnChanges: z.boolean(),
  /** The source of the API key that created it; null when it was added on the screen. */
  source: z.string().nullable(),
  /** Set when Limber switched it off: it replied 410, or failed for five days. */
  off: z.object({ reason: z.enum(['gone', 'failing']), at: Moment }).nullable(),
  failingSince: Moment.nullable(),
  createdAt: Moment,
  createdBy: z.string().nullable(),
  /** The last rotation, and when the secret before it stops being used. */
  rotation: z.object({ at: Moment, oldEndsAt: Moment }).nullable(),
  /** Of the last 24 hours. */
  delivered: z.int(),
  deliveredAtOnce: z.int(),
  medianMs: z.int().nullable(),
  /** Not delivered yet. */
  waiting: z.int(),
  failed: z.int(),
  version: Version,
})
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>

export const DeliveryAttempt = z.object({
  at: Moment,
  /** The status of the reply; null when there was none. */
  status: z.int().nullable(),
  durationMs: z.int(),
  /** `timeout`, `blocked_address`, or what the connection said. */
  error: z.string().nullable(),
})

export const WebhookDelivery = z.object({
  id: Id,
  eventId: z.string(),
  eventType: z.string(),
  /** The record that the event is about, such as `customers 17`. */
  record: z.string(),
  state: DeliveryState,
  createdAt: Moment,
  nextAttemptAt: Moment.nullable(),
  /** An earlier event of the same record is delivered first. */
  waitsForEarlier: z.boolean(),
  attempts: z.array(DeliveryAttempt),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const WebhookDeliveryDetail = z.object({
  ...WebhookDelivery.shape,
  body: z.string(),
  signature: z.string().nullable(),
  reply: z.string().nullable(),
})
export type WebhookDeliveryDetail = z.infer<typeof WebhookDeliveryDetail>

const params = z.strictObject({ id: IdText })
const deliveryParams = z.strictObject({ id: IdText, deliveryId: IdText })
const one = z.object({ endpoint: WebhookEndpoint })
const withSecret = z.object({ endpoint: WebhookEndpoint, secret: z.string() })

export const webhookRefusals = {
  not_found: [404, 'This webhook endpoint does not exist.'],
  address_not_allowed: [422, 'This is an internal address. Use an address that is reachable from the internet.'],
  https_required: [422, 'The URL must begin with https://.'],
  too_many: [422, `You have reached the limit of ${MAX_ENDPOINTS} webhook endpoints. Delete one first.`],
  no_delivery: [404, 'This delivery does not exist.'],
} as const
const { not_found, address_not_allowed, https_required, too_many, no_delivery } = webhookRefusals

export const listWebhooks = defineCall({
  method: 'GET',
  path: '/api/access/webhooks',
  summary: 'Webhook endpoints, with their deliveries of the last 24 hours',
  permission: 'access.manage',
  reply: z.object({ endpoints: z.array(WebhookEndpoint) }),
})

export const exportWebhooks = exportCall(listWebhooks, 'webhooks')

export const createWebhook = defineCall({
  method: 'POST',
  path: '/api/access/webhooks',
  summary: 'Add a webhook endpoint; the reply shows its secret once',
  permission: 'access.manage',
  stepUp: true,
  body: z.strictObject({
    url: WebhookUrl,
    events: WebhookEvents,
    description: description.default(''),
    includeOwnChanges: z.boolean().default(false),
  }),
  reply: withSecret,
  refusals: { address_not_allowed, https_required, too_many },
})

export const updateWebhook = defineCall({
  method: 'PATCH',
  path: '/api/access/webhooks/:id',
  summary: 'Change a webhook endpoint, or turn it on or off; waiting events are sent in order when it is on again',
  permission: 'access.manage',
  stepUp: true,
  params,
  body: z.strictObject({
    url: WebhookUrl.optional(),
    events: WebhookEvents.optional(),
    description: description.optional(),
    enabled: z.boolean().optional(),
    includeOwnChanges: z.boolean().optional(),
    version: Version,
  }),
  reply: one,
  refusals: {
    not_found,
    address_not_allowed,
    https_required,
    stale: staleRefusal('this webhook endpoint', WebhookEndpoint),
  },
})

export const deleteWebhook = defineCall({
  method: 'DELETE',
  path: '/api/access/webhooks/:id',
  summary: 'Delete a webhook endpoint with its deliveries',
  permission: 'access.manage',
  stepUp: true,
  params,
  reply: z.object({ success: z.literal(true) }),
  refusals: { not_found },
})

export const rotateWebhook = defineCall({
  method: 'POST',
  path: '/api/access/webhooks/:id/rotate',
  summary: 'Give a webhook endpoint a new secret, shown once; both sign for the hours named',
  permission: 'access.manage',
  stepUp: true,
  params,
  body: z.strictObject({ overlapHours: z.int().min(0).max(MAX_WEBHOOK_OVERLAP_HOURS) }),
  reply: withSecret,
  refusals: { not_found },
})

export const testWebhook = defineCall({
  method: 'POST',
  path: '/api/access/webhooks/:id/test',
  summary: 'Send a test event to a webhook endpoint, even when it is off',
  permission: 'access.manage',
  params,
  reply: z.object({ delivery: WebhookDelivery }),
  refusals: { not_found },
})

export const listDeliveries = defineCall({
  method: 'GET',
  path: '/api/access/webhooks/:id/deliveries',
  summary: 'Deliveries of a webhook endpoint, newest first',
  permission: 'access.manage',
  params,
  query: z.strictObject({
    show: z.enum(['all', 'open', 'delivered']).default('all'),
    /** Deliveries older than this one. */
    before: IdText.optional(),
    limit: IntegerText(1, MAX_DELIVERIES_SHOWN).default(50),
  }),
  reply: z.object({ deliveries: z.array(WebhookDelivery), hasMore: z.boolean() }),
  refusals: { not_found },
})

export const exportDeliveries = exportCall(listDeliveries, 'webhook-deliveries')

export const readDelivery = defineCall({
  method: 'GET',
  path: '/api/access/webhooks/:id/deliveries/:deliveryId',
  summary: 'A delivery with its request and the last reply',
  permission: 'access.manage',
  params: deliveryParams,
  reply: z.object({ delivery: WebhookDeliveryDetail }),
  refusals: { no_delivery },
})

export const redeliver = defineCall({
  method: 'POST',
  path: '/api/access/webhooks/:id/deliveries/:deliveryId/redeliver',
  summary: 'Redeliver an event now, with the same ID',
  permission: 'access.manage',
  params: deliveryParams,
  reply: z.object({ delivery: WebhookDelivery }),
  refusals: { no_delivery },
})

export const redeliverFailed = defineCall({
  method: 'POST',
  path: '/api/access/webhooks/:id/redeliver',
  summary: 'Redeliver everything that was not delivered since a time',
  permission: 'access.manage',
  params,
  body: z.strictObject({ since: Instant }),
  reply: z.object({ count: z.int() }),
  refusals: { not_found },
})
