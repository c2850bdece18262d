import { sql } from 'kysely'
import { HOUR } from '../clock.ts'
import type { Work } from '../db/work.ts'
import { withoutSecrets } from '../security/scrub.ts'
import { type VisibleFields, viewPayload } from './payload-view.ts'

/** An event delivered by another program: a text message, a lead, a batch of usage events. */
export interface Inbound {
  /** `text_message`, `lead`, `usage_events`: lower case and underscores. */
  kind: string
  /** The sender's id. The same id again is the same event. */
  key: string
  /** A description without secrets. */
  about: string
  /** True when the signature or key is valid. Invalid events are only counted per hour. */
  isSigned: boolean
  payload: unknown
  /** Fields that may be stored and shown, and how. Of all others, only the name is stored. */
  visibleFields: VisibleFields
  requestId?: string
  address?: string
}

export interface RecordedInbound {
  id: number
  /** It was already processed: there is nothing to do. */
  isKnown: boolean
}

type Needs = Pick<Work, 'db' | 'now' | 'publish'>

/** Records an inbound event, once per key, in the caller's transaction. */
export async function recordInbound({ db, now, publish }: Needs, inbound: Inbound): Promise<RecordedInbound> {
  const { kind, about, isSigned, requestId = null, address = null } = inbound
  // Rejected events share one row per hour, so that strangers cannot fill the table.
  const hour = new Date(Math.floor(now.getTime() / HOUR) * HOUR).toISOString().slice(0, 13)
  const key = isSigned ? inbound.key.slice(0, 200) : `not-let-in-${hour}`
  const { fields, withheld } = isSigned
    ? viewPayload(inbound.payload, inbound.visibleFields)
    : { fields: [], withheld: [] }
  const { rows } = await sql<{ id: number; is_known: boolean }>`
    insert into inbound_events (kind, key, about, is_signed, status, fields, withheld, error, received_at, last_received_at, request_id, address)
    values (${kind}, ${key}, ${about.slice(0, 300)}, ${isSigned}, ${isSigned ? 'received' : 'rejected'}, ${JSON.stringify(fields)}::jsonb,
      ${withheld}, ${isSigned ? null : 'The signature or the key is invalid.'}, ${now}, ${now}, ${requestId}, ${address})
    on conflict (kind, key) do update set times = inbound_events.times + 1, last_received_at = ${now},
      request_id = excluded.request_id, address = excluded.address
    returning id, status = 'done' as is_known`.execute(db)
  const [row] = rows
  if (!row) throw new Error('An inbound event was not recorded.')
  publish('integrations')
  return { id: row.id, isKnown: row.is_known }
}

/** Closes a recorded event as done or failed. */
export async function settleInbound(
  { db, now, publish }: Needs,
  id: number,
  outcome: { status: 'done' } | { status: 'failed'; error: string },
): Promise<void> {
  await db
    .updateTable('inbound_events')
    .set({
      status: outcome.status,
      error: outcome.status === 'failed' ? withoutSecrets(outcome.error).slice(0, 500) : null,
      settled_at: now,
    })
    .where('id', '=', id)
    .execute()
  publish('integrations')
}
