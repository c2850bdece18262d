import { redactUrl } from '@limber/contract/kit/redact-url.ts'
import type { Db } from '#platform/db/db.ts'
import { streamCsv } from '#platform/http/csv.ts'
import type { ReplyFacts } from '#platform/http/routes.ts'
import type { Span } from '../dashboard/window.rules.ts'
import { type EventRow, findEventsAfter } from './event.queries.ts'

const columns = [
  'id',
  'createdAt',
  'action_type',
  'event_outcome',
  'method',
  'url',
  'response_status',
  'response_time',
  'user_id',
] as const

type Line = { id: number; event: EventRow }

const cells = ({ event }: Line) => [
  event.id,
  event.created_at.toISOString(),
  event.action_type,
  event.event_outcome,
  event.method,
  redactUrl(event.url),
  event.response_status,
  event.response_time,
  event.user_id,
]

/** Every event of a span as CSV, newest first, in batches. */
export function exportEventRows(db: Db, reply: ReplyFacts, { daysFrom, to }: Span, type: string) {
  let last: EventRow | undefined
  return streamCsv<Line>(reply, {
    file: 'events.csv',
    columns,
    cells,
    // Events have no sequential id: count the lines, and continue after the last event.
    async next(after, limit) {
      const rows = await findEventsAfter(db, { from: new Date(daysFrom), to: new Date(to), type, limit, last })
      last = rows.at(-1) ?? last
      return rows.map((event, place) => ({ id: after + place + 1, event }))
    },
  })
}
