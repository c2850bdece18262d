import type {
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEndpoint,
} from '@limber/contract/access/webhooks/webhook.ts'
import type { ProgramDelivery, ProgramEndpoint } from '@limber/contract/access/webhooks/webhook-sync.ts'
import type { DeliveryDetailRow, DeliveryRow, EndpointRow } from './webhook.queries.ts'

export const presentEndpoint = (row: EndpointRow): WebhookEndpoint => ({
  id: row.id,
  url: row.url,
  description: row.description,
  events: row.events,
  enabled: row.enabled,
  includeOwnChanges: row.include_own_changes,
  source: row.source,
  off: row.off_reason && row.off_at ? { reason: row.off_reason, at: row.off_at.toISOString() } : null,
  failingSince: row.failing_since?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  createdBy: row.created_by,
  rotation:
    row.rotated_at && row.old_ends_at
      ? { at: row.rotated_at.toISOString(), oldEndsAt: row.old_ends_at.toISOString() }
      : null,
  delivered: row.delivered,
  deliveredAtOnce: row.delivered_at_once,
  medianMs: row.median_ms,
  waiting: row.waiting,
  failed: row.failed,
  version: row.version,
})

/** What waits for its endpoint, or for an earlier delivery, has no time of its own. */
const nextAttemptAt = ({ state, is_off, is_behind, next_attempt_at }: DeliveryRow) =>
  state === 'waiting' && !is_off && !is_behind ? next_attempt_at.toISOString() : null

export const presentDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  eventId: row.event_id,
  eventType: row.event_type,
  record: row.is_test ? '' : row.record,
  state: row.state,
  createdAt: row.created_at.toISOString(),
  nextAttemptAt: nextAttemptAt(row),
  waitsForEarlier: row.is_behind,
  attempts: row.attempts.map(({ at, status, duration_ms, error }) => ({ at, status, durationMs: duration_ms, error })),
})

export const presentDeliveryDetail = (row: DeliveryDetailRow): WebhookDeliveryDetail => ({
  ...presentDelivery(row),
  body: row.body,
  signature: row.signature || null,
  reply: row.reply,
})

export const presentForProgram = (row: EndpointRow): ProgramEndpoint => ({
  id: row.id,
  url: row.url,
  events: row.events,
  description: row.description,
  enabled: row.enabled,
  include_own_changes: row.include_own_changes,
  created_at: row.created_at.toISOString(),
  off_reason: row.off_reason,
})

export const presentDeliveryForProgram = (row: DeliveryRow): ProgramDelivery => ({
  id: row.id,
  event_id: row.event_id,
  event_type: row.event_type,
  state: row.state,
  created_at: row.created_at.toISOString(),
  next_attempt_at: nextAttemptAt(row),
  attempts: row.attempts,
})
