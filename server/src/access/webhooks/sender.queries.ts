import { sql } from 'kysely'
import { SECOND } from '#platform/clock.ts'
import { databaseTime } from '#platform/db/database-time.ts'
import { type Db, plannedEachTime } from '#platform/db/db.ts'
import { isFree } from '#platform/jobs/lease.ts'
import { LIVE_CHANNEL, liveText } from '#platform/live/notify.ts'

/** An endpoint belongs to one process at a time, which renews this while it delivers. */
export const LEASE = 20 * SECOND

/**
 * The queue of an endpoint is long for minutes and empty for days, and statistics are mostly of an empty one: by them it is
 * cheapest to read everything that waits. So statements are planned each time, look rows up one by one, in `lateral` parts
 * that PostgreSQL keeps apart, and name conditions that fit one index each: `state = 'waiting'` what is due, this one the
 * order of a record.
 */
export const isOpen = (alias: string) => sql`${sql.ref(`${alias}.state`)} not in ('delivered', 'failed')`

/** Of a delivery that is found by its id, which no index of waiting ones must answer. */
const isStillWaiting = sql`coalesce(d.state, '') = 'waiting'`

/** Tests go out although the endpoint is off. */
const mayLeave = sql`(e.enabled or d.is_test)`

/** Takes the endpoints that have something due and that no other process delivers for. */
export async function claimEndpoints(db: Db, owner: string, now: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${plannedEachTime}
    update webhook_endpoints set lease_owner = ${owner}, leased_until = ${databaseTime(LEASE)}
    where id in (
      select id from webhook_endpoints e cross join lateral (
        select from webhook_deliveries d where d.endpoint_id = e.id and d.state = 'waiting'
          and d.next_attempt_at <= ${now} and ${mayLeave}
        order by d.next_attempt_at, d.id limit 1) due
      where ${isFree} for update of e skip locked)
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

export interface Claimed {
  url: string
  enabled: boolean
  /** Sealed, the newest first. */
  secrets: { id: number; secret: Buffer }[]
}

/** Renews a lease, and reads what may have changed; undefined when the endpoint is gone or another process has it. */
export async function renewLease(db: Db, id: number, owner: string, now: Date): Promise<Claimed | undefined> {
  const { rows } = await sql<{ url: string; enabled: boolean }>`
    update webhook_endpoints set leased_until = ${databaseTime(LEASE)}
    where id = ${id} and lease_owner = ${owner} returning url, enabled`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { rows: secrets } = await sql<{ id: number; secret: Buffer }>`
    select id, secret from webhook_secrets where endpoint_id = ${id} and (expires_at is null or expires_at > ${now})
    order by id desc`.execute(db)
  return { ...row, secrets }
}

export const releaseLease = (db: Db, id: number, owner: string) =>
  sql`update webhook_endpoints set lease_owner = null, leased_until = null
    where id = ${id} and lease_owner = ${owner}`.execute(db)

export interface Due {
  id: number
  event_id: string
  record: string
  body: string
  tries: number
  is_test: boolean
  /** The earliest waiting delivery of the same record. */
  head: number
}

/** What is due, in order, without records that are being delivered. */
export async function findDue(
  db: Db,
  endpointId: number,
  busy: readonly string[],
  limit: number,
  now: Date,
): Promise<Due[]> {
  const { rows } = await sql<Due>`${plannedEachTime}
    select d.id, d.event_id, d.record, d.body, d.tries, d.is_test, (
      select h.id from webhook_deliveries h
      where h.endpoint_id = d.endpoint_id and h.record = d.record and ${isOpen('h')} order by h.id limit 1) as head
    from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
    where d.endpoint_id = ${endpointId} and d.state = 'waiting' and d.next_attempt_at <= ${now} and ${mayLeave}
      and d.record <> all(${busy}::text[])
    order by d.next_attempt_at, d.id limit ${limit}`.execute(db)
  return rows
}

/** Lets deliveries wait for an earlier one of their record that is not due yet. */
export const waitForHeads = (db: Db, endpointId: number, heads: readonly number[]) =>
  sql`${plannedEachTime}
    update webhook_deliveries b set next_attempt_at = behind.next_attempt_at
    from (
      select b.id, d.next_attempt_at from webhook_deliveries d cross join lateral (
        select b.id from webhook_deliveries b
        where b.endpoint_id = ${endpointId} and b.record = d.record and ${isOpen('b')} and b.id > d.id
          and b.next_attempt_at < d.next_attempt_at
        order by b.id offset 0) b
      where d.id = any(${heads}::bigint[]) and ${isStillWaiting}) behind
    where b.id = behind.id`.execute(db)

export interface Settled {
  id: number
  state: 'waiting' | 'delivered' | 'failed'
  next_attempt_at: Date | null
  attempt: { at: Date; status: number | null; duration_ms: number; error: string | null }
  signature: string
  reply: string | null
  had_failed: boolean
}

const KEPT_ATTEMPTS = 50

/** Writes the outcome of attempts. Nothing is written after another process took over. */
export async function saveSettled(
  db: Db,
  endpointId: number,
  owner: string,
  settled: readonly Settled[],
  now: Date,
): Promise<void> {
  const isOver = settled.some(({ state, had_failed }) => had_failed && state !== 'waiting')
  await sql`${plannedEachTime}
    with outcome as (
      select * from jsonb_to_recordset(${JSON.stringify(settled)}::jsonb) as r(id bigint, state text,
        next_attempt_at timestamptz, attempt jsonb, signature text, reply text, had_failed boolean)
    ), written as (
      update webhook_deliveries d set state = r.state, tries = d.tries + 1,
        next_attempt_at = coalesce(r.next_attempt_at, d.next_attempt_at),
        attempts = case when jsonb_array_length(d.attempts) >= ${KEPT_ATTEMPTS} then d.attempts - 0 else d.attempts end
          || r.attempt,
        signature = r.signature, reply = r.reply, settled_at = case when r.state = 'waiting' then null else ${now}::timestamptz end
      from outcome r
      where d.id = r.id and ${isStillWaiting}
        and exists (select from webhook_endpoints e where e.id = ${endpointId} and e.lease_owner = ${owner})
      returning d.id, d.record, d.state, r.had_failed
    )
    ${isOver ? releaseBehind(endpointId, now) : sql`select`}`.execute(db)
}

/** Makes due what waited behind deliveries of `written` that are over. */
const releaseBehind = (endpointId: number, now: Date) => sql`
  update webhook_deliveries b set next_attempt_at = ${now}
  from (
    select b.id from written w cross join lateral (
      select b.id from webhook_deliveries b
      where b.endpoint_id = ${endpointId} and b.record = w.record and ${isOpen('b')} and b.id > w.id
        and b.next_attempt_at > ${now}
      order by b.id offset 0) b
    where w.had_failed and w.state <> 'waiting') behind
  where b.id = behind.id`

/** Notes whether the endpoint works; returns since when it fails. */
export async function noteHealth(
  db: Db,
  id: number,
  { isWorking, now }: { isWorking: boolean; now: Date },
): Promise<Date | null> {
  const { rows } = await sql<{ failing_since: Date | null }>`
    update webhook_endpoints set failing_since = ${isWorking ? sql`null` : sql`coalesce(failing_since, ${now})`}
    where id = ${id} and (failing_since is null) = ${!isWorking} returning failing_since`.execute(db)
  if (rows[0]) return rows[0].failing_since
  const found = await db.selectFrom('webhook_endpoints').select('failing_since').where('id', '=', id).executeTakeFirst()
  return found?.failing_since ?? null
}

/** Switches an endpoint off; false when it is off already. */
export async function switchOff(db: Db, id: number, reason: 'gone' | 'failing', now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update webhook_endpoints set enabled = false, off_reason = ${reason}, off_at = ${now}, version = version + 1
    where id = ${id} and enabled`.execute(db)
  return Number(numAffectedRows ?? 0) > 0
}

/** Tells open screens that deliveries changed. */
export const announceWebhooks = (db: Db) => sql`select pg_notify(${LIVE_CHANNEL}, ${liveText('webhooks')})`.execute(db)

/** What waits and which endpoints fail. `waiting` stops at `limit`. */
export async function readDeliveryState(db: Db, now: Date, limit: number) {
  const { rows } = await sql<{ waiting: number; oldest: Date | null; working: number; failing: number }>`
    select (select count(*)::int from (
        select from webhook_deliveries where state = 'waiting' limit ${sql.lit(limit)}) w) as waiting,
      (select min(d.next_attempt_at) from webhook_endpoints e cross join lateral (
        select next_attempt_at from webhook_deliveries
        where endpoint_id = e.id and state = 'waiting' and next_attempt_at <= ${now}
        order by next_attempt_at, id limit 1) d where e.enabled) as oldest,
      (select count(*)::int from webhook_endpoints where enabled) as working,
      (select count(*)::int from webhook_endpoints where failing_since is not null or off_reason is not null) as failing
    `.execute(db)
  return rows[0]
}
