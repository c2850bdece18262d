import { z } from 'zod'
import { defineCall, type QueryOf, type ReplyOf } from '#kit/call.ts'
import { Id, IdText, IntegerText, Moment, Text } from '#kit/values.ts'

export const Direction = z.enum(['in', 'out'])
export type Direction = z.infer<typeof Direction>

/** What leaves the house; `job` is queued work and `file` a change of stored files. */
export const DeliveryKind = z.enum(['mail', 'text', 'push', 'ad', 'file', 'job'])
export type DeliveryKind = z.infer<typeof DeliveryKind>

/**
 * Outgoing: waiting, retrying (it failed before), sending, sent, dead (given up) and discarded.
 * Inbound: received (not settled yet), done, failed (taken in, but not worked off) and rejected (not let in).
 */
export const DeliveryStatus = z.enum(['waiting', 'retrying', 'sending', 'sent', 'dead', 'discarded'])
export type DeliveryStatus = z.infer<typeof DeliveryStatus>
export const InboundStatus = z.enum(['received', 'done', 'failed', 'rejected'])
export type InboundStatus = z.infer<typeof InboundStatus>
export const IntegrationStatus = z.enum([...DeliveryStatus.options, ...InboundStatus.options])
export type IntegrationStatus = z.infer<typeof IntegrationStatus>

/** One line of the list. */
export const IntegrationEvent = z.object({
  direction: Direction,
  id: Id,
  kind: z.string(),
  status: IntegrationStatus,
  /** What it is about, in words without secrets. */
  about: z.string(),
  at: Moment,
  /** Tries of a delivery; how often a sender brought the same. */
  tries: z.int(),
  nextTryAt: Moment.nullable(),
  lastError: z.string().nullable(),
})
export type IntegrationEvent = z.infer<typeof IntegrationEvent>

/** What may be shown of a payload: each field by an allow-list, the others by name only. */
export const PayloadView = z.object({
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
  withheld: z.array(z.string()),
})
export type PayloadView = z.infer<typeof PayloadView>

export const Delivery = IntegrationEvent.extend({
  status: DeliveryStatus,
  key: z.string(),
  payload: PayloadView,
  /** The number that the outside gave it. */
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
  /** The sender's own number for it. */
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
const notFound = [404, 'This delivery does not exist, or is no longer kept.'] as const
const underWay = [409, 'This delivery is under way just now. Look again in a moment.'] as const

export const listIntegrations = defineCall({
  method: 'GET',
  path: '/api/tech/integrations',
  summary: 'Inbound events and outgoing deliveries, newest first',
  permission,
  query: z.strictObject({
    direction: Direction.optional(),
    kind: z
      .string()
      .regex(/^[a-z][a-z_]{0,39}$/, 'is not a kind')
      .optional(),
    status: IntegrationStatus.optional(),
    /** A part of what it is about, of its key or of the outside's number. */
    search: z.string().trim().max(200).optional(),
    /** What the page before gave as `next`. */
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

export const countIntegrations = defineCall({
  method: 'GET',
  path: '/api/tech/integrations/counts',
  summary: 'How many deliveries wait, were given up or went out, and what came in',
  permission,
  reply: z.object({
    waiting: z.int(),
    retrying: z.int(),
    dead: z.int(),
    /** Within 24 hours. */
    sent: z.int(),
    received: z.int(),
    /** Inbound of the last 24 hours that could not be worked off. */
    troubled: z.int(),
    /** Kinds that occur, for the filter. */
    kinds: z.array(z.object({ direction: Direction, kind: z.string() })),
    /** Dead ones by kind, for 'Retry all'. */
    deadByKind: z.array(z.object({ kind: z.string(), count: z.int() })),
  }),
})
export type IntegrationCounts = ReplyOf<typeof countIntegrations>

export const readDelivery = defineCall({
  method: 'GET',
  path: '/api/tech/deliveries/:id',
  summary: 'One outgoing delivery, its payload without secrets',
  permission,
  params,
  reply: Delivery,
  refusals: { not_found: notFound },
})

export const readInbound = defineCall({
  method: 'GET',
  path: '/api/tech/inbound/:id',
  summary: 'One inbound event, its payload without secrets',
  permission,
  params,
  reply: InboundEvent,
  refusals: { not_found: [404, 'This inbound event does not exist, or is no longer kept.'] },
})

export const retryDelivery = defineCall({
  method: 'POST',
  path: '/api/tech/deliveries/:id/retry',
  summary: 'Try a delivery again now',
  permission,
  params,
  body: z.strictObject({}),
  reply: Delivery,
  refusals: {
    not_found: notFound,
    under_way: underWay,
    sent: [409, 'This delivery has been sent already.'],
    discarded: [409, 'This delivery was discarded. It is not sent any more.'],
  },
})

export const retryDead = defineCall({
  method: 'POST',
  path: '/api/tech/deliveries/retry-dead',
  summary: 'Try again everything that was given up',
  permission,
  body: z.strictObject({ kind: DeliveryKind.optional() }),
  reply: z.object({ retried: z.int() }),
  limit: { by: 'worker', times: 6, seconds: 60 },
})

export const discardDelivery = defineCall({
  method: 'POST',
  path: '/api/tech/deliveries/:id/discard',
  summary: 'Discard a delivery that has not gone out, with a reason',
  permission,
  params,
  body: z.strictObject({ reason: Text(300) }),
  reply: Delivery,
  refusals: {
    not_found: notFound,
    under_way: underWay,
    sent: [409, 'This delivery has been sent already.'],
    discarded: [409, 'This delivery was discarded already.'],
  },
})
