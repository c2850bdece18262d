import { z } from 'zod'
import { defineCall, type QueryOf, type ReplyOf } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Id, IdText, IntegerText, Moment, Text } from '#kit/values.ts'

export const Direction = z.enum(['in', 'out'])
export type Direction = z.infer<typeof Direction>

/** Outgoing deliveries. `job` is a background job, `file` a change to stored files. */
export const DeliveryKind = z.enum(['mail', 'text', 'push', 'ad', 'file', 'job'])
export type DeliveryKind = z.infer<typeof DeliveryKind>

/**
 * Outgoing: waiting, retrying (failed at least once), sending, sent, dead (failed, no more retries) and discarded.
 * Inbound: received (not processed yet), done, failed (accepted, but processing failed) and rejected (not accepted).
 */
export const DeliveryStatus = z.enum(['waiting', 'retrying', 'sending', 'sent', 'dead', 'discarded'])
export type DeliveryStatus = z.infer<typeof DeliveryStatus>
export const InboundStatus = z.enum(['received', 'done', 'failed', 'rejected'])
export type InboundStatus = z.infer<typeof InboundStatus>
export const IntegrationStatus = z.enum([...DeliveryStatus.options, ...InboundStatus.options])
export type IntegrationStatus = z.infer<typeof IntegrationStatus>

export const IntegrationEvent = z.object({
  direction: Direction,
  id: Id,
  kind: z.string(),
  status: IntegrationStatus,
  /** A short description without secrets. */
  about: z.string(),
  at: Moment,
  /** Attempts of a delivery, or how often the sender delivered the same inbound event. */
  tries: z.int(),
  nextTryAt: Moment.nullable(),
  lastError: z.string().nullable(),
})
export type IntegrationEvent = z.infer<typeof IntegrationEvent>

/** The fields of a payload that may be shown (an allowlist), and the names of the others. */
export const PayloadView = z.object({
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
  withheld: z.array(z.string()),
})
export type PayloadView = z.infer<typeof PayloadView>

export const Delivery = IntegrationEvent.extend({
  status: DeliveryStatus,
  key: z.string(),
  payload: PayloadView,
  /** The id that the external service assigned. */
  outsideId: z.string().nullable(),
  sentAt: Moment.nullable(),
  lastTryAt: Moment.nullable(),
  isConnected: z.boolean(),
  retried: z.object({ at: Moment, by: z.string().nullable() }).nullable(),
  discarded: z.object({ at: Moment, by: z.string().nullable(), reason: z.string() }).nullable(),
})
export type Delivery = z.infer<typeof Delivery>

export const InboundEvent = IntegrationEvent.extend({
  status: InboundStatus,
  /** The sender's id for the event. */
  key: z.string(),
  isSigned: z.boolean(),
  payload: PayloadView,
  lastReceivedAt: Moment,
  settledAt: Moment.nullable(),
  requestId: z.string().nullable(),
  address: z.string().nullable(),
})
export type InboundEvent = z.infer<typeof InboundEvent>

const permission = 'integrations.events'
const params = z.strictObject({ id: IdText })
const notFound = [404, 'This delivery does not exist or is no longer stored.'] as const
const underWay = [409, 'This delivery is being sent right now. Try again in a moment.'] as const

export const listIntegrations = defineCall({
  method: 'GET',
  path: '/api/tech/integrations',
  summary: 'List inbound events and outgoing deliveries, newest first',
  permission,
  query: z.strictObject({
    direction: Direction.optional(),
    kind: z
      .string()
      .regex(/^[a-z][a-z_]{0,39}$/, 'is not a kind')
      .optional(),
    status: IntegrationStatus.optional(),
    /** Part of the description, the key or the external id. */
    search: z.string().trim().max(200).optional(),
    /** Cursor: `next` of the previous page. */
    before: z
      .string()
      .regex(/^\d{1,16}\.(in|out)\.\d{1,16}$/)
      .optional(),
    limit: IntegerText(1, 100).default(25),
  }),
  reply: z.object({ events: z.array(IntegrationEvent), next: z.string().nullable() }),
})
export type IntegrationQuery = QueryOf<typeof listIntegrations>
export type IntegrationList = ReplyOf<typeof listIntegrations>

export const exportIntegrations = exportCall(listIntegrations, 'integration-events')

export const countIntegrations = defineCall({
  method: 'GET',
  path: '/api/tech/integrations/counts',
  summary: 'Count waiting, failed and sent deliveries and inbound events',
  permission,
  reply: z.object({
    waiting: z.int(),
    retrying: z.int(),
    dead: z.int(),
    /** Last 24 hours. */
    sent: z.int(),
    received: z.int(),
    /** Inbound events of the last 24 hours that failed. */
    troubled: z.int(),
    /** Existing kinds, for the filter. */
    kinds: z.array(z.object({ direction: Direction, kind: z.string() })),
    /** Dead deliveries by kind, for 'Retry all'. */
    deadByKind: z.array(z.object({ kind: z.string(), count: z.int() })),
  }),
})
export type IntegrationCounts = ReplyOf<typeof countIntegrations>

export const readDelivery = defineCall({
  method: 'GET',
  path: '/api/tech/deliveries/:id',
  summary: 'Get an outgoing delivery, without secrets',
  permission,
  params,
  reply: Delivery,
  refusals: { not_found: notFound },
})

export const readInbound = defineCall({
  method: 'GET',
  path: '/api/tech/inbound/:id',
  summary: 'Get an inbound event, without secrets',
  permission,
  params,
  reply: InboundEvent,
  refusals: { not_found: [404, 'This inbound event does not exist or is no longer stored.'] },
})

export const retryDelivery = defineCall({
  method: 'POST',
  path: '/api/tech/deliveries/:id/retry',
  summary: 'Retry a delivery now',
  permission,
  params,
  body: z.strictObject({}),
  reply: Delivery,
  refusals: {
    not_found: notFound,
    under_way: underWay,
    sent: [409, 'This delivery has already been sent.'],
    discarded: [409, 'This delivery was discarded and can no longer be sent.'],
  },
})

export const retryDead = defineCall({
  method: 'POST',
  path: '/api/tech/deliveries/retry-dead',
  summary: 'Retry all failed deliveries',
  permission,
  body: z.strictObject({ kind: DeliveryKind.optional() }),
  reply: z.object({ retried: z.int() }),
  limit: { by: 'worker', times: 6, seconds: 60 },
})

export const discardDelivery = defineCall({
  method: 'POST',
  path: '/api/tech/deliveries/:id/discard',
  summary: 'Discard an unsent delivery, with a reason',
  permission,
  params,
  body: z.strictObject({ reason: Text(300) }),
  reply: Delivery,
  refusals: {
    not_found: notFound,
    under_way: underWay,
    sent: [409, 'This delivery has already been sent.'],
    discarded: [409, 'This delivery has already been discarded.'],
  },
})
