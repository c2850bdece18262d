import { DEFAULT_MAX_OPEN, type SaveRoundRobin } from '@limber/contract/support/assignment/assignment.ts'
import { MAX_VIEWS_SHOWN } from '@limber/contract/support/queues/queue.ts'
import { sql } from 'kysely'
import { MINUTE, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import type { FreeTicket, Taker, ViewFilter } from './round-robin.rules.ts'

const LOCK = 7_214_071
const MEMBER_LOCK = 7_214_072

/** A worker without input in Limber for this long is not present. */
const ABSENT_AFTER = 15 * MINUTE

/**
 * One assignment at a time in each queue, so that each sees the loads and turns of the one before. A queue is named by its
 * view, 0 for all unassigned tickets. The locks are taken in one order, so that two batches cannot deadlock.
 */
export const lockRoundRobins = (db: Db, views: readonly (number | null)[]) =>
  sql`select pg_advisory_xact_lock(${sql.lit(LOCK)}, key) from (
    select distinct hashint8(view) as key from unnest(${views.map((view) => view ?? 0)}::bigint[]) view order by key) k`.execute(
    db,
  )

/**
 * One assignment at a time to each member of several queues, so that together they keep to the limit. Queues without a
 * common member do not wait for each other. Taken after the locks of the queues, also in one order.
 */
export const lockSharedMembers = (db: Db, roundRobins: readonly number[]) =>
  sql`select pg_advisory_xact_lock(${sql.lit(MEMBER_LOCK)}, key) from (
    select distinct hashint8(m.worker_id) as key from round_robin_members m
    where m.round_robin_id = any(${roundRobins}::bigint[]) and exists (
      select from round_robin_members o join round_robins r on r.id = o.round_robin_id
      where o.worker_id = m.worker_id and o.round_robin_id <> m.round_robin_id and r.is_on) order by key) k`.execute(db)

export interface ActiveRoundRobin {
  id: number
  view_id: number | null
  max_open: number
  view: ViewFilter | null
}

/** The queues that assign tickets; views first, because they are more specific than all unassigned tickets. */
export async function findActiveRoundRobins(db: Db): Promise<ActiveRoundRobin[]> {
  const { rows } = await sql<ActiveRoundRobin>`
    select r.id, r.view_id, r.max_open, case when v.id is not null then jsonb_build_object('queue', v.queue, 'status', v.status,
      'priority', v.priority, 'kind', v.kind, 'assignee', v.assignee, 'tag_id', v.tag_id) end as view
    from round_robins r left join ticket_views v on v.id = r.view_id
    where r.is_on and (r.view_id is null or v.is_shared)
    order by r.view_id is null, lower(v.name), r.id`.execute(db)
  return rows
}

const freeColumns = sql`t.id, t.status, t.priority, t.kind, t.tags, t.waiting_since, t.is_due_soon`

const isFree = sql`t.assignee_id is null and t.status <> 'closed' and t.snoozed_at is null and t.merged_into_id is null`

/**
 * Locks the given tickets that are free. A ticket that someone unassigned by hand is left alone. A ticket that another
 * transaction is changing is skipped.
 */
export async function lockFreeTickets(db: Db, ids: readonly number[]): Promise<FreeTicket[]> {
  const { rows } = await sql<FreeTicket>`
    select ${freeColumns} from tickets t
    where t.id = any(${ids}::bigint[]) and ${isFree} and not coalesce((
      select e.worker_id is not null from ticket_events e
      where e.ticket_id = t.id and e.kind = 'assigned' order by e.id desc limit 1), false)
    order by t.id for no key update of t skip locked`.execute(db)
  return rows
}

/** The given tickets that are free at the moment. */
export async function findFree(db: Db, ids: readonly number[]): Promise<FreeTicket[]> {
  const { rows } = await sql<FreeTicket>`
    select ${freeColumns} from tickets t where t.id = any(${ids}::bigint[]) and ${isFree}`.execute(db)
  return rows
}

/** The next free tickets after an id. */
export async function findFreeAfter(db: Db, after: number, limit: number): Promise<FreeTicket[]> {
  const { rows } = await sql<FreeTicket>`
    select ${freeColumns} from tickets t where ${isFree} and id > ${after} order by id limit ${limit}`.execute(db)
  return rows
}

/** The condition that worker `w` is not out of office on a day. */
const isHere = (today: string) => sql`not exists (
  select from absences a where a.worker_id = w.id and ${today}::date between a.starts_on and a.ends_on)`

const isPresent = (now: Date) => sql`exists (select from sessions s where s.worker_id = w.id and s.ended_at is null
  and s.last_seen_at > ${shift(now, -ABSENT_AFTER)})`

const load = sql<number>`kept_count('assignee ' || w.id, 'active')::int`

interface TakerRow {
  round_robin_id: number
  id: number
  name: string
  load: number
  last_at: Date | null
}

/** The members of queues who may handle tickets, take new ones, are not out of office, and are present. */
export async function findTakers(
  db: Db,
  roundRobins: readonly number[],
  code: string,
  { now, today }: { now: Date; today: string },
): Promise<Map<number, Taker[]>> {
  const { rows } = await sql<TakerRow>`
    select m.round_robin_id, w.id, w.name, ${load} as load, m.last_at
    from round_robin_members m join workers w on w.id = m.worker_id
    where m.round_robin_id = any(${roundRobins}::bigint[]) and w.status = 'active' and w.permissions @> array[${code}::text]
      and not exists (select from paused_workers p where p.worker_id = w.id) and ${isHere(today)} and ${isPresent(now)}`.execute(
    db,
  )
  const takers = new Map<number, Taker[]>()
  for (const { round_robin_id, last_at, ...taker } of rows) {
    const list = takers.get(round_robin_id) ?? []
    takers.set(round_robin_id, [...list, { ...taker, lastAt: last_at }])
  }
  return takers
}

/** Puts a member at the end of the turn. Of transactions that waited for each other, the later may have begun earlier. */
export const noteTurn = (db: Db, roundRobinId: number, workerId: number, now: Date) =>
  sql`update round_robin_members set last_at = greatest(${now}::timestamptz,
      (select max(last_at) + interval '1 ms' from round_robin_members where round_robin_id = ${roundRobinId}))
    where round_robin_id = ${roundRobinId} and worker_id = ${workerId}`.execute(db)

export interface WorkerRow {
  id: number
  name: string
  open: number
  is_present: boolean
  takes_new: boolean
  is_away: boolean
}

/** Everyone who may handle tickets, with their load and presence. */
export async function findDeskWorkers(
  db: Db,
  code: string,
  { now, today }: { now: Date; today: string },
): Promise<WorkerRow[]> {
  const { rows } = await sql<WorkerRow>`
    select w.id, w.name, ${load} as open, ${isPresent(now)} as is_present, not ${isHere(today)} as is_away,
      not exists (select from paused_workers p where p.worker_id = w.id) as takes_new
    from workers w where w.status = 'active' and w.permissions @> array[${code}::text]
    order by w.name limit 500`.execute(db)
  return rows
}

interface Person {
  id: number
  name: string
}

export interface RoundRobinRow {
  view: Person | null
  is_on: boolean
  max_open: number
  members: Person[]
  version: number
}

// A view that was never set up has version 0.
const roundRobinColumns = sql`coalesce(r.is_on, false) as is_on, coalesce(r.max_open, ${sql.lit(DEFAULT_MAX_OPEN)}) as max_open,
  coalesce(r.version, 0) as version, coalesce((
    select jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name) order by w.name)
    from round_robin_members m join workers w on w.id = m.worker_id where m.round_robin_id = r.id), '[]') as members`

/** All unassigned tickets, then every shared view that can show unassigned tickets. */
export async function findRoundRobins(db: Db): Promise<RoundRobinRow[]> {
  const { rows } = await sql<RoundRobinRow>`
    select null::jsonb as view, ${roundRobinColumns}, '' as name
    from (select) one left join round_robins r on r.view_id is null
    union all (select jsonb_build_object('id', v.id, 'name', v.name), ${roundRobinColumns}, lower(v.name)
      from ticket_views v join workers o on o.id = v.worker_id and o.status = 'active' left join round_robins r on r.view_id = v.id
      where v.is_shared and (v.queue is null or v.queue not in ('mine', 'snoozed')) and v.status is distinct from 'closed'
        and (v.assignee is null or v.assignee = 'none')
      order by lower(v.name) limit ${sql.lit(MAX_VIEWS_SHOWN)})
    order by name`.execute(db)
  return rows
}

export const findShared = (db: Db, id: number) =>
  db
    .selectFrom('ticket_views')
    .select(['id', 'queue', 'status', 'priority', 'kind', 'assignee', 'tag_id'])
    .where('id', '=', id)
    .where('is_shared', '=', true)
    .forKeyShare()
    .executeTakeFirst()

export async function findRoundRobin(db: Db, view: number | null): Promise<RoundRobinRow & { id: number | null }> {
  const { rows } = await sql<RoundRobinRow & { id: number | null }>`
    select r.id, case when v.id is not null then jsonb_build_object('id', v.id, 'name', v.name) end as view, ${roundRobinColumns}
    from (select ${view}::bigint as id) asked left join ticket_views v on v.id = asked.id
    left join round_robins r on r.view_id is not distinct from asked.id`.execute(db)
  const [row] = rows
  if (!row) throw new Error('A queue was not found.')
  return row
}

/** How many of these workers may handle tickets. */
export async function countTicketWorkers(db: Db, ids: readonly number[], code: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from workers
    where id = any(${ids}::bigint[]) and status = 'active' and permissions @> array[${code}::text]`.execute(db)
  return rows[0]?.count ?? 0
}

/** Writes a queue and its members. Members who stay keep their place in the turn. */
export async function saveRoundRobinRow(
  db: Db,
  { view, isOn, maxOpen, members }: Omit<SaveRoundRobin, 'version'>,
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    insert into round_robins (view_id, is_on, max_open, changed_at) values (${view}, ${isOn}, ${maxOpen}, ${now})
    on conflict (coalesce(view_id, 0)) do update
      set is_on = excluded.is_on, max_open = excluded.max_open, changed_at = excluded.changed_at, version = round_robins.version + 1
    returning id`.execute(db)
  const id = rows[0]?.id ?? 0
  await sql`delete from round_robin_members where round_robin_id = ${id} and worker_id <> all (${members}::bigint[])`.execute(
    db,
  )
  await sql`insert into round_robin_members (round_robin_id, worker_id)
    select ${id}, unnest(${members}::bigint[]) on conflict do nothing`.execute(db)
}
