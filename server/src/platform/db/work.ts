import type { LiveTopic } from '@limber/contract/kit/live.ts'
import { type RawBuilder, sql } from 'kysely'
import type { AuditSubject } from '../audit/audit-areas.ts'
import { type LongValues, type Person, splitPersonal, textWithoutPeople } from '../audit/audit-person.ts'
import { LIVE_CHANNEL, liveText, OUTBOX_CHANNEL } from '../live/notify.ts'
import type { Services } from '../services.ts'
import { currentTraceparent } from '../telemetry/trace-context.ts'
import { type RecordEvent, webhooksCall } from '../webhooks/record-event.ts'
import { type Db, inTransaction, type TransactionOptions } from './db.ts'

/** Who is acting, for the audit log. */
export interface Actor {
  call: string
  workerId?: number | undefined
  workerName?: string | undefined
  address?: string | undefined
  requestId?: string | undefined
  /** The source of the API key: webhooks of the same source do not hear of the change. */
  source?: string | undefined
}

/**
 * One audit row: what was done to which record, with its values before and after. The subject decides who may read the
 * values, so a row without a subject has none.
 */
export type AuditEntry = {
  action: string
  reason?: string
  outcome?: 'done' | 'refused'
  /** The actor, when it is not the caller: during sign-in, a worker has no session yet. */
  workerId?: number
  workerName?: string
  /** People whom the reason may mention. Their names, emails and phone numbers are removed from it. */
  people?: readonly Person[]
} & (
  | {
      subject: AuditSubject
      subjectId?: string | number
      before?: unknown
      after?: unknown
      /** Values that are too long for the log. Those that differ are kept beside it, for the history. */
      long?: LongValues
    }
  | { subject?: never; subjectId?: never; before?: never; after?: never; long?: never }
)

/** A side effect outside the product, delivered after the commit. The key makes it idempotent. */
export interface OutboxMessage {
  /** `job`: a queued job, as `{ name, data }`. */
  channel: 'mail' | 'text' | 'push' | 'file' | 'ad' | 'job'
  key: string
  payload: unknown
  /** A description without secrets, for the list of deliveries. */
  about?: string
  /** Deliver not before this moment. Default: now. */
  notBefore?: Date
}

/** A transaction whose audit rows, live messages and outbox messages commit with the change. */
export interface Work {
  db: Db
  now: Date
  audit(entry: AuditEntry): void
  /** Tells open browsers that something changed, after the commit. */
  publish(topic: LiveTopic, data?: Record<string, unknown>): void
  enqueue(message: OutboxMessage): void
  /** Tells the webhook endpoints that listen, after the commit. */
  emit(event: RecordEvent): void
  /** Calls a function of the database with the last statement, before webhooks are enqueued: one round trip less. */
  finish(call: RawBuilder<unknown>): void
  /** Nothing may leave the product because of this change, now or later: no email, text, webhook or wage. */
  isQuiet?: boolean
}

/** Whose idempotency keys: a worker's, or those of an API key. */
export type CallerId = { worker_id: number } | { api_key_id: number }

/** A reply to store under its idempotency key. */
export interface StoredReply {
  caller: CallerId
  key: string
  call: string
  requestHash: Buffer
  status: number
  body: string
}

interface Collected {
  audits: AuditEntry[]
  lives: string[]
  posts: OutboxMessage[]
  events: RecordEvent[]
  calls: RawBuilder<unknown>[]
}

const nothing = (): Collected => ({ audits: [], lives: [], posts: [], events: [], calls: [] })

function collect(db: Db, now: Date): { work: Work; collected: Collected } {
  const collected = nothing()
  const work: Work = {
    db,
    now,
    audit: (entry) => collected.audits.push(entry),
    publish: (topic, data) => collected.lives.push(liveText(topic, data)),
    enqueue: (message) => collected.posts.push(message),
    emit: (event) => collected.events.push(event),
    finish: (call) => collected.calls.push(call),
  }
  return { work, collected }
}

/** Runs work in a transaction. Collected audit rows and messages are written in one statement before the commit. */
export function runWork<T>(
  services: Pick<Services, 'db' | 'clock' | 'keyring'>,
  actor: Actor,
  run: (work: Work) => Promise<T>,
  { keep, ...options }: TransactionOptions & { keep?: (result: T) => StoredReply | undefined } = {},
): Promise<T> {
  const now = services.clock.now()
  return inTransaction(
    services.db,
    async (db) => {
      const { work, collected } = collect(db, now)
      const result = await run(work)
      await flush(services, db, now, actor, collected, keep?.(result))
      return result
    },
    options,
  )
}

/** Writes one audit row outside any transaction, for refusals. */
export async function writeAuditRow(
  services: Pick<Services, 'db' | 'clock' | 'keyring'>,
  actor: Actor,
  entry: AuditEntry,
) {
  await flush(services, services.db, services.clock.now(), actor, { ...nothing(), audits: [entry] })
}

function valuesOf(entry: AuditEntry) {
  const { before = null, after = null, kept } = splitPersonal(entry)
  return { before, after, was: kept?.before ?? null, is: kept?.after ?? null }
}

async function flush(
  { keyring }: Pick<Services, 'keyring'>,
  db: Db,
  now: Date,
  actor: Actor,
  { audits, lives, posts, events, calls }: Collected,
  kept?: StoredReply,
) {
  const webhooks = events.length > 0 ? await webhooksCall(db, events, actor.source, now) : undefined
  const last = webhooks ? [...calls, webhooks] : calls
  if (audits.length === 0 && lives.length === 0 && posts.length === 0 && !kept) {
    if (last.length > 0) await sql`select ${sql.join(last)}`.execute(db)
    return
  }
  const audit = audits.map((entry) => ({
    worker_id: entry.workerId ?? actor.workerId ?? null,
    worker_name: entry.workerName ?? actor.workerName ?? null,
    action: entry.action,
    outcome: entry.outcome ?? 'done',
    subject: entry.subject ?? null,
    subject_id: entry.subjectId === undefined ? null : String(entry.subjectId),
    ...valuesOf(entry),
    reason: entry.reason === undefined ? null : textWithoutPeople(entry.reason, entry.people ?? []),
  }))
  const outbox = posts.map((message) => ({
    channel: message.channel,
    key: message.key,
    payload: keyring.seal('outbox', JSON.stringify(message.payload)).toString('base64'),
    about: message.about ?? '',
    next_try_at: message.notBefore ?? now,
    traceparent: currentTraceparent() ?? null,
  }))
  const { worker_id: workerId, api_key_id: apiKeyId }: Partial<Record<'worker_id' | 'api_key_id', number>> =
    kept?.caller ?? {}
  await sql`
    with entries as materialized (
      select nextval('audit_log_id_seq') as id, r.* from jsonb_to_recordset(${JSON.stringify(audit)}::jsonb) as r(
        worker_id bigint, worker_name text, action text, outcome text, subject text, subject_id text, before jsonb, after jsonb, reason text,
        was jsonb, "is" jsonb)
    ), audited as (
      insert into audit_log (id, at, call, address, request_id, worker_id, worker_name, action, outcome, subject, subject_id, before, after, reason)
      overriding system value
      select r.id, ${now}, ${actor.call}, ${actor.address ?? null}::text, ${actor.requestId ?? null}::text, r.worker_id,
        coalesce(r.worker_name, (select w.name from workers w where w.id = r.worker_id)),
        r.action, r.outcome, r.subject, r.subject_id, r.before, r.after, r.reason
      from entries r
    ), personal as (
      insert into audit_values (audit_id, subject, subject_id, before, after)
      select r.id, r.subject, r.subject_id, r.was, r."is" from entries r where r.was is not null and r.subject_id is not null
    ), posted as (
      insert into outbox (channel, key, payload, about, next_try_at, created_at, traceparent)
      select r.channel, r.key, decode(r.payload, 'base64'), r.about, r.next_try_at, ${now}, r.traceparent
      from jsonb_to_recordset(${JSON.stringify(outbox)}::jsonb) as r(channel text, key text, payload text, about text, next_try_at timestamptz, traceparent text)
      on conflict (key) do nothing
    ), kept as (
      insert into idempotency_keys (worker_id, api_key_id, key, call, request_hash, status, body, created_at)
      select ${workerId ?? null}::bigint, ${apiKeyId ?? null}::bigint, ${kept?.key ?? null}::text, ${kept?.call ?? null}::text, ${kept?.requestHash ?? null}::bytea,
        ${kept?.status ?? null}::int, ${kept?.body ?? null}::text, ${now}
      where ${kept !== undefined}::boolean
    )
    select count(pg_notify(m.channel, m.message))${sql.join(
      last.map((call) => sql`, (select ${call})`),
      sql``,
    )}
    from jsonb_to_recordset(${JSON.stringify([
      ...lives.map((message) => ({ channel: LIVE_CHANNEL, message })),
      ...(posts.length > 0 ? [{ channel: OUTBOX_CHANNEL, message: '' }] : []),
    ])}::jsonb) as m(channel text, message text)`.execute(db)
}
