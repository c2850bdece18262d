import { redactUrl } from '@limber/contract/kit/redact-url.ts'
import type { ErrorGroup, ErrorOccurrence } from '@limber/contract/tech/errors/error-log.ts'
import type { GroupRow, OccurrenceRow } from './error-log.queries.ts'

export const presentGroup = (row: GroupRow, trend: number[]): ErrorGroup => ({
  id: row.id,
  source: row.source,
  method: row.method,
  path: row.path,
  status: row.status,
  state: row.is_handled ? 'handled' : 'open',
  count: row.count,
  people: row.people,
  trend,
  firstSeen: row.first_seen_at.toISOString(),
  lastSeen: row.last_seen_at.toISOString(),
  total: row.total,
  newest: { code: row.newest_code, text: row.newest_text, cause: row.newest_cause },
  handled:
    row.handled_at && row.handled_note !== null
      ? { at: row.handled_at.toISOString(), by: row.handled_by, note: row.handled_note }
      : null,
  reopenedAt: row.reopened_at?.toISOString() ?? null,
  timesReopened: row.times_reopened,
  version: row.version,
})

function personOf(row: OccurrenceRow, maySeeCustomers: boolean): ErrorOccurrence['person'] {
  if (row.user_id !== null)
    return { kind: 'customer', id: row.user_id, name: maySeeCustomers ? row.customer_name : null }
  return row.worker_id === null ? null : { kind: 'worker', id: row.worker_id, name: row.worker_name }
}

/** Customer names are only included for workers who may see customers. */
export const presentOccurrence = (row: OccurrenceRow, maySeeCustomers: boolean): ErrorOccurrence => ({
  id: row.id,
  at: row.at.toISOString(),
  url: redactUrl(row.url),
  ms: row.ms,
  address: row.address,
  requestId: row.request_id,
  person: personOf(row, maySeeCustomers),
  code: row.code,
  text: row.text,
  cause: row.cause,
})
