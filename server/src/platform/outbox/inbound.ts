import { sql } from 'kysely'
import { HOUR } from '../clock.ts'
import type { Work } from '../db/work.ts'
import { withoutSecrets } from '../security/scrub.ts'
import { type VisibleFields, viewPayload } from './payload-view.ts'

/** What another program brought: a text message, a lead, a batch of events. */
export interface Inbound {
  /** `text_message`, `lead`, `usage_events`: lower case and underscores. */
  kind: string
  /** The sender's own number for it: the same one again is the same event. */
  key: string
  /** In words, without secrets. */
  about: string
  /** Did the signature or the key hold? What did not is counted by the hour and nothing of it is kept. */
  isSigned: boolean
  payload: unknown
  /** Which fields may be kept and shown, and how; of all others only the name is kept. */
  visibleFields: VisibleFields
  requestId?: string
  address?: string
}

export interface RecordedInbound {
  id: number
  /** It was brought before, and settled: there is nothing to do. */
  isKnown: boolean
}

type Needs = Pick<Work, 'db' | 'now' | 'publish'>

/** Notes what came in, once per key, in the caller's transaction; says whether it was worked off before. */
export async function recordInbound({ db, now, publish }: Needs, inbound: Inbound): Promise<RecordedInbound> {
  const { kind, about, isSigned, requestId = null, address = null } = inbound
  // A stranger may knock as often as they like: one row an hour counts them.
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

/** Closes what was recorded: worked off, or not and why. */
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
