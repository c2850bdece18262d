import type { AnalyticsEvent } from '@limber/contract/analytics/events/event.ts'
import { redactUrl } from '@limber/contract/kit/redact-url.ts'
import type { EventRow } from './event.queries.ts'

function userOf({ user_id, worker_id, customer_name, worker_name }: EventRow): AnalyticsEvent['user'] {
  if (user_id !== null) return { kind: 'customer', id: user_id, name: customer_name ?? `Customer ${user_id}` }
  if (worker_id !== null) return { kind: 'worker', id: worker_id, name: worker_name ?? `Worker ${worker_id}` }
  return null
}

/** An event as shown in the list and the dialog. */
export const presentEvent = (row: EventRow): AnalyticsEvent => ({
  id: row.id,
  user_id: row.user_id,
  action_type: row.action_type,
  event_outcome: row.event_outcome,
  method: row.method,
  // Also covers events stored before URLs were cleaned at ingest.
  url: redactUrl(row.url),
  response_status: row.response_status,
  response_time: row.response_time,
  ip_address: row.ip_address,
  createdAt: row.created_at.toISOString(),
  path: row.path,
  source: row.source,
  user: userOf(row),
})
