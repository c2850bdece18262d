import { HOUR } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { readHours } from '../dashboard/dashboard.queries.ts'
import type { Span } from '../dashboard/window.rules.ts'
import { countRaw, type EventRow, findEvents } from './event.queries.ts'

interface Page {
  span: Span
  type: string
  action: number
  limit: number
  offset: number
}

/** Walking past so many rows costs less than asking the rollups first. */
const NEAR = 2_000

/** A page of events at any depth: whole hours are passed over by their counts, rows only within the last one. */
export async function findEventPage(db: Db, { span, type, action, limit, offset }: Page): Promise<EventRow[]> {
  const from = new Date(span.daysFrom)
  const to = new Date(span.to)
  if (offset <= NEAR) return findEvents(db, { from, to, type, limit, offset })
  const lastHour = new Date(Math.max(span.daysFrom, Math.floor((span.to - 1) / HOUR) * HOUR))
  const [newest, hours] = await Promise.all([countRaw(db, lastHour, to, type), readHours(db, from, lastHour, action)])
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
