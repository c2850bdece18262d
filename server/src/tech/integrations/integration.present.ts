import type {
  Delivery,
  DeliveryKind,
  InboundEvent,
  IntegrationEvent,
  PayloadView,
} from '@limber/contract/tech/integrations/integration.ts'
import { type VisibleFields, viewPayload } from '#platform/outbox/payload-view.ts'
import { maskAddress } from '#platform/security/scrub.ts'
import type { DeliveryRow, InboundRow, IntegrationRow } from './integration.queries.ts'

const iso = (at: Date | null) => at?.toISOString() ?? null

/** Visible fields of a payload by kind. Message texts, links, codes and headers are never shown. */
const visibleFields: Record<DeliveryKind, VisibleFields> = {
  mail: { to: 'address', subject: 'plain', text: 'length', html: 'length' },
  text: { to: 'phone', from: 'phone', text: 'length', body: 'length' },
  push: { audience: 'plain', title: 'plain', recipients: 'length' },
  ad: { campaignId: 'plain', campaign_id: 'plain', step: 'plain' },
  file: { key: 'plain', action: 'plain' },
  job: { name: 'plain', data: 'length' },
}

export const visibleFieldsOf = (kind: string): VisibleFields =>
  Object.hasOwn(visibleFields, kind) ? visibleFields[kind as DeliveryKind] : {}

export const presentEvent = (row: IntegrationRow): IntegrationEvent => ({
  direction: row.direction,
  id: row.id,
  kind: row.kind,
  status: row.status,
  about: row.about,
  at: row.at.toISOString(),
  tries: row.tries,
  nextTryAt: iso(row.next_try_at),
  lastError: row.last_error,
})

/** A delivery with the visible fields of its decrypted payload. */
export const presentDelivery = (row: DeliveryRow, payload: unknown, isConnected: boolean): Delivery => ({
  ...presentEvent(row),
  status: row.status,
  key: row.key,
  payload: viewPayload(payload, visibleFieldsOf(row.kind)),
  // The id of an email may contain the address.
  outsideId: row.outside_id === null ? null : row.kind === 'mail' ? maskExternalId(row.outside_id) : row.outside_id,
  sentAt: iso(row.sent_at),
  lastTryAt: iso(row.last_try_at),
  isConnected,
  retried: row.retried_at && { at: row.retried_at.toISOString(), by: row.retried_by },
  discarded:
    row.discarded_at && row.discard_reason !== null
      ? { at: row.discarded_at.toISOString(), by: row.discarded_by, reason: row.discard_reason }
      : null,
})

const maskExternalId = (id: string) => (/^<[^@]+@[^@]+>$/.test(id) ? id : id.includes('@') ? maskAddress(id) : id)

/** Shown for a payload that cannot be decrypted because its key was removed. */
export const undecryptablePayload: PayloadView = {
  fields: [],
  withheld: ['all fields, because the encryption key was removed'],
}

export const presentInbound = (row: InboundRow): InboundEvent => ({
  ...presentEvent(row),
  status: row.status,
  key: row.key,
  isSigned: row.is_signed,
  payload: { fields: row.fields, withheld: row.withheld },
  lastReceivedAt: row.last_received_at.toISOString(),
  settledAt: iso(row.settled_at),
  requestId: row.request_id,
  address: row.address,
})
