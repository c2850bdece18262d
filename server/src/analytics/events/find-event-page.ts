import { HOUR } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { readHours } from '../dashboard/dashboard.queries.ts'
import type { Span } from '../dashboard/window.rules.ts'
import { countEventRows, type EventRow, findEvents } from './event.queries.ts'

interface Page {
  span: Span
  type: string
  action: number
  limit: number
  offset: number
}

/** Up to this offset, skipping rows is cheaper than reading the rollups first. */
const MAX_SKIPPED_ROWS = 2_000

/** A page of events at any depth: skips whole hours by their counts, and rows only within the last hour. */
export async function findEventPage(db: Db, { span, type, action, limit, offset }: Page): Promise<EventRow[]> {
  const from = new Date(span.daysFrom)
  const to = new Date(span.to)
  if (offset <= MAX_SKIPPED_ROWS) return findEvents(db, { from, to, type, limit, offset })
  const lastHour = new Date(Math.max(span.daysFrom, Math.floor((span.to - 1) / HOUR) * HOUR))
  const [newest, hours] = await Promise.all([
    countEventRows(db, lastHour, to, type),
    readHours(db, from, lastHour, action),
  ])
  if (offset < newest) return findEvents(db, { from, to, type, limit, offset })
  let rest = offset - newest
  let end = lastHour
  for (const { at, events } of hours) {
    if (rest < events) break
    rest -= events
    end = at
  }
  return findEvents(db, { from, to: end, type, limit, offset: rest })
}
