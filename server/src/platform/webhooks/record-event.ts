import type { WebhookEvent } from '@limber/contract/access/webhooks/events.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/db.ts'
import type { Resource } from '../sync/resources.ts'

type Named =
  | 'customer'
  | 'merged_into'
  | 'stretcher'
  | 'certification'
  | 'session'
  | 'booking'
  | 'business'
  | 'ticket'
  | 'lead'
  | 'zone'

const resourceOf: Readonly<Record<Named, Resource>> = {
  customer: 'customers',
  merged_into: 'customers',
  stretcher: 'stretchers',
  certification: 'certifications',
  session: 'sessions',
  booking: 'bookings',
  business: 'businesses',
  ticket: 'tickets',
  lead: 'leads',
  zone: 'zones',
}

/**
 * Something that happened to a record, for other systems. It says which records and fields, not their contents, and never
 * holds text that people typed.
 */
export interface RecordEvent {
  type: WebhookEvent
  /** The record that it happened to. Events of one record stay in order. */
  of: Named | 'period'
  /** Ids of this record and of others that belong to it. Sent as `{ id, external_ids }` under these names. */
  ids: Partial<Record<Named, number | null>>
  /** Names of changed fields, as in the data API. */
  changed?: readonly string[]
  /** More facts: numbers, times and codes. */
  facts?: Readonly<Record<string, string | number | boolean | null>>
}

// Above this many events, it is cheaper to ask first whether anybody listens.
const MAX_UNASKED = 10

/** Enqueues events for the endpoints that listen, as a call that can be part of a statement; undefined if none listens. */
export async function webhooksCall(
  db: Db,
  events: readonly RecordEvent[],
  source: string | undefined,
  now: Date,
): Promise<RawBuilder<unknown> | undefined> {
  const wanted = events.length > MAX_UNASKED ? await onlyHeard(db, events) : events
  if (wanted.length === 0) return undefined
  const happened = JSON.stringify(wanted.map(printEvent))
  return sql`enqueue_webhooks(${happened}::jsonb, ${source ?? null}::text, ${now}::timestamptz,
    ${now.toISOString()}::text)`
}

async function onlyHeard(db: Db, events: readonly RecordEvent[]) {
  const { rows } = await sql<{ type: string }>`
    select distinct unnest(events) as type from webhook_endpoints where enabled`.execute(db)
  const heard = new Set(rows.map(({ type }) => type))
  return events.filter(({ type }) => heard.has(type))
}

function printEvent({ type, of, ids, changed, facts }: RecordEvent) {
  const named = (Object.entries(ids) as [Named, number | null][]).filter(([, id]) => id !== null)
  const refs = Object.fromEntries(named.map(([name, id]) => [name, { resource: resourceOf[name], id }]))
  const subject = of === 'period' ? `periods ${facts?.period_start ?? ''}` : `${resourceOf[of]} ${ids[of] ?? ''}`
  return { type, record: subject, refs, data: { ...facts, ...(changed && { changed }) } }
}
