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

/** What may be seen of a payload, by its kind. Texts, links, codes and headers are in none of these lists. */
const shows: Record<DeliveryKind, VisibleFields> = {
  mail: { to: 'address', subject: 'plain', text: 'length', html: 'length' },
  text: { to: 'phone', from: 'phone', text: 'length', body: 'length' },
  push: { audience: 'plain', title: 'plain', recipients: 'length' },
  ad: { campaignId: 'plain', campaign_id: 'plain', step: 'plain' },
  file: { key: 'plain', action: 'plain' },
  job: { name: 'plain', data: 'length' },
}

/** What may be seen of the payload of a kind. */
export const showsOf = (kind: string): VisibleFields => (Object.hasOwn(shows, kind) ? shows[kind as DeliveryKind] : {})

/** One line of the list. */
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

/** A delivery with its opened payload, of which only the listed fields go on. */
export const presentDelivery = (row: DeliveryRow, payload: unknown, isConnected: boolean): Delivery => ({
  ...presentEvent(row),
  status: row.status,
  key: row.key,
  payload: viewPayload(payload, showsOf(row.kind)),
  // A mailbox's own number may hold the address.
  outsideId: row.outside_id === null ? null : row.kind === 'mail' ? maskOutside(row.outside_id) : row.outside_id,
  sentAt: iso(row.sent_at),
  lastTryAt: iso(row.last_try_at),
  isConnected,
  retried: row.retried_at && { at: row.retried_at.toISOString(), by: row.retried_by },
  discarded:
    row.discarded_at && row.discard_reason !== null
      ? { at: row.discarded_at.toISOString(), by: row.discarded_by, reason: row.discard_reason }
      : null,
})

const maskOutside = (id: string) => (/^<[^@]+@[^@]+>$/.test(id) ? id : id.includes('@') ? maskAddress(id) : id)

/** Its key is gone: of a payload that cannot be opened nothing is shown. */
export const sealedForGood: PayloadView = { fields: [], withheld: ['everything: its key is no longer set'] }

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
