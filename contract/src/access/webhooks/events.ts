import { z } from 'zod'

/** What endpoints can be told, in the order in which screens list it. */
export const webhookEvents = [
  'customer.updated',
  'customer.blocked',
  'customer.unblocked',
  'customer.merged',
  'customer.erased',
  'credits.changed',
  'stretcher.updated',
  'stretcher.certified',
  'certification.revoked',
  'session.scheduled',
  'session.rescheduled',
  'session.cancelled',
  'booking.change_requested',
  'ticket.replied',
  'ticket.closed',
  'lead.converted',
  'zone.changed',
  'payroll.period_closed',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** The type of a test event. Every endpoint gets it, on request only. */
export const TEST_EVENT = 'webhook.test'

/** A list of events without repetitions, in the order of `webhookEvents`. */
export const WebhookEvents = z
  .array(z.enum(webhookEvents))
  .min(1, 'Select at least one event.')
  .max(webhookEvents.length)
  .transform((chosen) => webhookEvents.filter((event) => chosen.includes(event)))
