import { MAX_COUNTED } from '@limber/contract/kit/page.ts'
import type {
  DeliveryStatus,
  Direction,
  InboundStatus,
  IntegrationQuery,
  IntegrationStatus,
} from '@limber/contract/tech/integrations/integration.ts'
import { type RawBuilder, sql } from 'kysely'
import { countUpTo } from '#platform/db/count-up-to.ts'
import type { Db } from '#platform/db/db.ts'
import { containing } from '#platform/db/like.ts'
import { isFree } from '#platform/jobs/lease.ts'

export interface IntegrationRow {
  direction: Direction
  id: number
  kind: string
  status: IntegrationStatus
  about: string
  at: Date
  tries: number
  next_try_at: Date | null
  last_error: string | null
}

export interface EventCursor {
  at: Date
  direction: Direction
  id: number
}

const all = (parts: RawBuilder<unknown>[]) => sql.join([sql`true`, ...parts], sql` and `)

/** The status of a delivery. `waiting` rows are split into sending, retrying and waiting. */
const deliveryStatus = sql<DeliveryStatus>`case
  when o.state <> 'waiting' then o.state
  when not ${isFree} then 'sending'
  when o.tries > o.tries_before then 'retrying'
  else 'waiting' end`

function statusConditions(status: IntegrationStatus | undefined): RawBuilder<unknown>[] {
  if (status === undefined) return []
  if (status === 'sent' || status === 'dead' || status === 'discarded') return [sql`o.state = ${status}`]
  return [sql`o.state = 'waiting'`, sql`${deliveryStatus} = ${status}`]
}

// The first comparison uses the index, the second finds the exact row.
const afterCursor = (
  at: RawBuilder<unknown>,
  direction: Direction,
  id: RawBuilder<unknown>,
  before: EventCursor | undefined,
) =>
  before
    ? [
        sql`${at} <= ${before.at}`,
        sql`(${at}, ${direction}::text, ${id}) < (${before.at}, ${before.direction}::text, ${before.id}::bigint)`,
      ]
    : []

interface Filter extends Omit<IntegrationQuery, 'before'> {
  before: EventCursor | undefined
}

const deliveries = ({ kind, status, search, before, limit }: Filter) => sql`
  select 'out' as direction, o.id, o.channel as kind, ${deliveryStatus} as status, o.about, o.created_at as at, o.tries,
    case when o.state = 'waiting' then o.next_try_at end as next_try_at, o.last_error
  from outbox o
  where ${all([
    ...(kind ? [sql`o.channel = ${kind}`] : []),
    ...statusConditions(status),
    ...(search ? [sql`o.about || ' ' || o.key || ' ' || coalesce(o.outside_id, '') ilike ${containing(search)}`] : []),
    ...afterCursor(sql`o.created_at`, 'out', sql`o.id`, before),
  ])}
  order by o.created_at desc, o.id desc limit ${limit}`

const inbound = ({ kind, status, search, before, limit }: Filter) => sql`
  select 'in' as direction, i.id, i.kind, i.status, i.about, i.received_at as at, i.times as tries,
    null::timestamptz as next_try_at, i.error as last_error
  from inbound_events i
  where ${all([
    ...(kind ? [sql`i.kind = ${kind}`] : []),
    ...(status ? [sql`i.status = ${status}`] : []),
    ...(search ? [sql`i.about || ' ' || i.key ilike ${containing(search)}`] : []),
    ...afterCursor(sql`i.received_at`, 'in', sql`i.id`, before),
  ])}
  order by i.received_at desc, i.id desc limit ${limit}`

/** Both directions in one list, newest first, after the cursor. */
export async function findIntegrations(db: Db, filter: Filter): Promise<IntegrationRow[]> {
  const parts = [
    ...(filter.direction === 'in' ? [] : [deliveries(filter)]),
    ...(filter.direction === 'out' ? [] : [inbound(filter)]),
  ].map((part) => sql`(${part})`)
  const { rows } = await sql<IntegrationRow>`
    select * from (${sql.join(parts, sql` union all `)}) e order by e.at desc, e.direction desc, e.id desc limit ${filter.limit}`.execute(
    db,
  )
  return rows
}

export async function countDeliveries(db: Db, since: Date) {
  const { rows } = await sql<{
    waiting: number
    retrying: number
    dead: number
    sent: number
    received: number
    troubled: number
  }>`
    select ${countUpTo(sql`select from outbox where state = 'waiting' and tries <= tries_before`)} as waiting,
      ${countUpTo(sql`select from outbox where state = 'waiting' and tries > tries_before`)} as retrying,
      ${countUpTo(sql`select from outbox where state = 'dead'`)} as dead,
      ${countUpTo(sql`select from outbox where state = 'sent' and sent_at >= ${since}`)} as sent,
      ${countUpTo(sql`select from inbound_events where received_at >= ${since}`)} as received,
      ${countUpTo(sql`select from inbound_events where status = 'failed' and received_at >= ${since}`)} as troubled`.execute(
    db,
  )
  return rows[0] ?? { waiting: 0, retrying: 0, dead: 0, sent: 0, received: 0, troubled: 0 }
}

/** Distinct kinds by loose index scan: the tables are long, but there are few kinds. */
export async function findKinds(db: Db): Promise<{ direction: Direction; kind: string }[]> {
  const { rows } = await sql<{ direction: Direction; kind: string }>`
    with recursive sent as (
      (select channel as kind from outbox order by channel limit 1)
      union all select (select o.channel from outbox o where o.channel > sent.kind order by o.channel limit 1) from sent where sent.kind is not null
    ), received as (
      (select kind from inbound_events order by kind limit 1)
      union all select (select i.kind from inbound_events i where i.kind > received.kind order by i.kind limit 1) from received where received.kind is not null
    )
    select 'out' as direction, kind from sent where kind is not null
    union all select 'in', kind from received where kind is not null`.execute(db)
  return rows
}

export async function countDead(db: Db): Promise<{ kind: string; count: number }[]> {
  const { rows } = await sql<{ kind: string; count: number }>`
    select channel as kind, count(*) as count from (select channel from outbox where state = 'dead' limit ${sql.lit(MAX_COUNTED + 1)}) dead
    group by channel order by channel`.execute(db)
  return rows
}

export interface DeliveryRow extends IntegrationRow {
  status: DeliveryStatus
  key: string
  payload: Buffer
  outside_id: string | null
  sent_at: Date | null
  last_try_at: Date | null
  retried_at: Date | null
  retried_by: string | null
  discarded_at: Date | null
  discarded_by: string | null
  discard_reason: string | null
}

export async function findDelivery(db: Db, id: number): Promise<DeliveryRow | undefined> {
  const { rows } = await sql<DeliveryRow>`
    select 'out' as direction, o.id, o.channel as kind, ${deliveryStatus} as status, o.about, o.created_at as at, o.tries,
      case when o.state = 'waiting' then o.next_try_at end as next_try_at, o.last_error, o.key, o.payload, o.outside_id, o.sent_at,
      o.last_try_at, o.retried_at, r.name as retried_by, o.discarded_at, d.name as discarded_by, o.discard_reason
    from outbox o
    left join workers r on r.id = o.retried_by
    left join workers d on d.id = o.discarded_by
    where o.id = ${id}`.execute(db)
  return rows[0]
}

/** Locks a delivery, so that no courier sends it during the change. */
export async function lockDelivery(db: Db, id: number) {
  const { rows } = await sql<{ id: number; status: DeliveryStatus; channel: string }>`
    select o.id, ${deliveryStatus} as status, o.channel from outbox o where o.id = ${id} for update`.execute(db)
  return rows[0]
}

export interface InboundRow extends IntegrationRow {
  status: InboundStatus
  key: string
  is_signed: boolean
  fields: { name: string; value: string }[]
  withheld: string[]
  last_received_at: Date
  settled_at: Date | null
  request_id: string | null
  address: string | null
}

export async function findInbound(db: Db, id: number): Promise<InboundRow | undefined> {
  const { rows } = await sql<InboundRow>`
    select 'in' as direction, id, kind, status, about, received_at as at, times as tries, null::timestamptz as next_try_at,
      error as last_error, key, is_signed, fields, withheld, last_received_at, settled_at, request_id, address
    from inbound_events where id = ${id}`.execute(db)
  return rows[0]
}
