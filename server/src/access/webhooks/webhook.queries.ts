import type { WebhookEvent } from '@limber/contract/access/webhooks/events.ts'
import type { DeliveryState } from '@limber/contract/access/webhooks/webhook.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { WEBHOOK_CHANNEL } from '#platform/live/notify.ts'
import { isOpen } from './sender.queries.ts'

export interface EndpointRow {
  id: number
  url: string
  description: string
  events: WebhookEvent[]
  enabled: boolean
  source: string | null
  include_own_changes: boolean
  off_reason: 'gone' | 'failing' | null
  off_at: Date | null
  failing_since: Date | null
  created_at: Date
  created_by: string | null
  version: number
  rotated_at: Date | null
  old_ends_at: Date | null
  delivered: number
  delivered_at_once: number
  median_ms: number | null
  waiting: number
  failed: number
}

const selectEndpoints = (since: Date, where: RawBuilder<unknown>) => sql<EndpointRow>`
  select e.id, e.url, e.description, e.events, e.enabled, e.source, e.include_own_changes, e.off_reason, e.off_at,
    e.failing_since, e.created_at, w.name as created_by, e.version, s.rotated_at, s.old_ends_at,
    d.delivered, d.delivered_at_once, d.median_ms, q.waiting, f.failed
  from webhook_endpoints e
  left join workers w on w.id = e.created_by
  left join lateral (
    select n.created_at as rotated_at, max(p.expires_at) as old_ends_at
    from webhook_secrets n join webhook_secrets p on p.endpoint_id = n.endpoint_id and p.expires_at is not null
    where n.endpoint_id = e.id and n.expires_at is null group by n.created_at) s on true
  cross join lateral (
    select count(*)::int as delivered, count(*) filter (where r.tries = 1)::int as delivered_at_once,
      percentile_disc(0.5) within group (order by (r.attempts->-1->>'duration_ms')::int) as median_ms
    from (select tries, attempts from webhook_deliveries d where d.endpoint_id = e.id and d.state = 'delivered'
      and not d.is_test and d.settled_at > ${since} limit 100000) r) d
  cross join lateral (
    select count(*)::int as waiting from webhook_deliveries q
    where q.endpoint_id = e.id and q.state = 'waiting' and not q.is_test) q
  cross join lateral (
    select count(*)::int as failed from webhook_deliveries f
    where f.endpoint_id = e.id and f.state = 'failed' and not f.is_test) f
  where ${where} order by e.id`

export async function listEndpointRows(db: Db, since: Date, source?: string): Promise<EndpointRow[]> {
  const where = source === undefined ? sql`true` : sql`e.source = ${source}`
  return (await selectEndpoints(since, where).execute(db)).rows
}

export async function findEndpointRow(
  db: Db,
  id: number,
  since: Date,
  source?: string,
): Promise<EndpointRow | undefined> {
  const where = source === undefined ? sql`e.id = ${id}` : sql`e.id = ${id} and e.source = ${source}`
  return (await selectEndpoints(since, where).execute(db)).rows[0]
}

/** Locks an endpoint; a program finds only those of its own source. */
export const lockEndpoint = (db: Db, id: number, source?: string) =>
  db
    .selectFrom('webhook_endpoints')
    .select(['id', 'url', 'description', 'events', 'enabled', 'include_own_changes', 'source', 'version'])
    .where('id', '=', id)
    .$if(source !== undefined, (query) => query.where('source', '=', source ?? ''))
    .forUpdate()
    .executeTakeFirst()
export type LockedEndpoint = NonNullable<Awaited<ReturnType<typeof lockEndpoint>>>

export async function countEndpoints(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from webhook_endpoints`.execute(db)
  return rows[0]?.count ?? 0
}

export interface EndpointValues {
  url: string
  description: string
  events: readonly string[]
  include_own_changes: boolean
  enabled: boolean
}

export async function insertEndpoint(
  db: Db,
  values: EndpointValues & { source: string | null; created_by: number | null; created_at: Date },
): Promise<number> {
  const { id } = await db
    .insertInto('webhook_endpoints')
    .values({
      ...values,
      events: [...values.events],
      off_reason: null,
      off_at: null,
      failing_since: null,
      lease_owner: null,
      leased_until: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const updateEndpoint = (db: Db, id: number, { events, ...values }: Partial<EndpointValues>) =>
  db
    .updateTable('webhook_endpoints')
    .set({
      ...values,
      ...(events && { events: [...events] }),
      // Whoever switches it on or off decides anew.
      ...(values.enabled !== undefined && { off_reason: null, off_at: null, failing_since: null }),
      version: sql`version + 1`,
    })
    .where('id', '=', id)
    .execute()

export const deleteEndpoint = (db: Db, id: number) => db.deleteFrom('webhook_endpoints').where('id', '=', id).execute()

export const insertWebhookSecret = (db: Db, endpointId: number, secret: Buffer, now: Date) =>
  db
    .insertInto('webhook_secrets')
    .values({ endpoint_id: endpointId, secret, created_at: now, expires_at: null })
    .execute()

/** Ends the secrets before at a moment, unless they end sooner, and forgets those that ended. */
export async function endWebhookSecrets(db: Db, endpointId: number, at: Date, now: Date): Promise<void> {
  await sql`delete from webhook_secrets where endpoint_id = ${endpointId} and expires_at <= ${now}`.execute(db)
  await sql`update webhook_secrets set expires_at = least(expires_at, ${at}) where endpoint_id = ${endpointId}`.execute(
    db,
  )
}

/** Makes everything that waits due now, from the first try on. */
export const restartWaiting = (db: Db, endpointId: number, now: Date) =>
  sql`update webhook_deliveries set tries = 0, next_attempt_at = ${now}
    where endpoint_id = ${endpointId} and state = 'waiting'`.execute(db)

export const wakeSenders = (db: Db) => sql`select pg_notify(${WEBHOOK_CHANNEL}, '')`.execute(db)

export interface DeliveryRow {
  id: number
  event_id: string
  event_type: string
  record: string
  state: DeliveryState
  is_test: boolean
  created_at: Date
  next_attempt_at: Date
  is_behind: boolean
  is_off: boolean
  attempts: { at: string; status: number | null; duration_ms: number; error: string | null }[]
}

const deliveryColumns = sql`
  d.id, d.event_id, d.event_type, d.record, d.state, d.is_test, d.created_at, d.next_attempt_at, d.attempts,
  not (e.enabled or d.is_test) as is_off,
  d.state = 'waiting' and exists (select from webhook_deliveries h where h.endpoint_id = d.endpoint_id
    and h.record = d.record and ${isOpen('h')} and h.id < d.id) as is_behind`

export interface DeliveryFilter {
  states?: readonly DeliveryState[] | undefined
  before?: number | undefined
  limit: number
}

/** Newest first; one more than asked for, to tell whether there are more. */
export async function listDeliveryRows(
  db: Db,
  endpointId: number,
  { states, before, limit }: DeliveryFilter,
): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    select ${deliveryColumns} from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
    where d.endpoint_id = ${endpointId} and ${states ? sql`d.state = any(${states}::text[])` : sql`true`}
      and ${before === undefined ? sql`true` : sql`d.id < ${before}`}
    order by d.id desc limit ${limit + 1}`.execute(db)
  return rows
}

export interface DeliveryDetailRow extends DeliveryRow {
  body: string
  signature: string | null
  reply: string | null
}

export async function findDeliveryRow(
  db: Db,
  endpointId: number,
  id: number,
  source?: string,
): Promise<DeliveryDetailRow | undefined> {
  const { rows } = await sql<DeliveryDetailRow>`
    select ${deliveryColumns}, d.body, d.signature, d.reply
    from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
    where d.endpoint_id = ${endpointId} and d.id = ${id}
      and ${source === undefined ? sql`true` : sql`e.source = ${source}`}`.execute(db)
  return rows[0]
}

/** Makes one delivery due now. */
export const restartDelivery = (db: Db, id: number, now: Date) =>
  sql`update webhook_deliveries set state = 'waiting', tries = 0, next_attempt_at = ${now}, settled_at = null
    where id = ${id}`.execute(db)

/** Makes everything due now that was not delivered since a time; returns the number. Tests are not repeated. */
export async function restartOpen(db: Db, endpointId: number, since: Date, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries set state = 'waiting', tries = 0, next_attempt_at = ${now}, settled_at = null
    where id in (
        select id from webhook_deliveries where endpoint_id = ${endpointId} and state = 'failed'
          and created_at >= ${since} and not is_test
        union all
        select id from webhook_deliveries where endpoint_id = ${endpointId} and state = 'waiting' and tries > 0
          and created_at >= ${since} and not is_test)
      and (state = 'failed' or state = 'waiting' and tries > 0)`.execute(db)
  return Number(numAffectedRows ?? 0)
}

export async function insertTestDelivery(
  db: Db,
  endpointId: number,
  { eventId, type, body }: { eventId: string; type: string; body: string },
  now: Date,
): Promise<number> {
  const { id } = await db
    .insertInto('webhook_deliveries')
    .values({
      endpoint_id: endpointId,
      event_id: eventId,
      event_type: type,
      record: eventId,
      body,
      is_test: true,
      next_attempt_at: now,
      signature: null,
      reply: null,
      created_at: now,
      settled_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const BATCH = 5000

/** Deletes deliveries from before a moment, and the secrets that have ended. */
export async function deleteOldDeliveries(db: Db, before: Date, now: Date): Promise<void> {
  await sql`delete from webhook_secrets where expires_at <= ${now}`.execute(db)
  for (let gone = BATCH; gone === BATCH; ) {
    const { numAffectedRows } = await sql`
      delete from webhook_deliveries where id in (
        select id from webhook_deliveries where created_at < ${before} limit ${BATCH})`.execute(db)
    gone = Number(numAffectedRows ?? 0)
  }
}
