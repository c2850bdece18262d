import { MAX_VIEWS_SHOWN, type ViewDraft } from '@limber/contract/support/queues/queue.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { cellsOf, inCell, ticketCells } from './cells.queries.ts'

export interface ViewRow extends Omit<Row<'ticket_views'>, 'changed_at' | 'worker_id'> {
  owner: { id: number; name: string }
  count: number
}

/** Views with what their viewer finds, all counted in one pass over the cells. */
async function findCounted(db: Db, workerId: number, which: RawBuilder<unknown>): Promise<ViewRow[]> {
  const filter = {
    queue: sql`v.queue`,
    status: sql`v.status`,
    priority: sql`v.priority`,
    kind: sql`v.kind`,
    tag: sql`v.tag_id`,
    assignee: sql`v.assignee`,
    me: sql`${String(workerId)}`,
  }
  const { rows } = await sql<ViewRow>`
    with shown as materialized (
      select v.*, jsonb_build_object('id', w.id, 'name', w.name) as owner from ticket_views v join workers w on w.id = v.worker_id
      where ${which} order by lower(v.name), v.id limit ${sql.lit(MAX_VIEWS_SHOWN)}
    ), cells as materialized (${ticketCells(sql`select ${cellsOf(filter)} from shown v`)}),
    counted as (
      select v.id, sum(c.n) as n from shown v join cells c on ${inCell(filter)} group by v.id)
    select v.id, v.name, v.is_shared, v.queue, v.status, v.priority, v.kind, v.assignee, v.tag_id, v.version, v.owner,
      coalesce(k.n, 0)::bigint as count
    from shown v left join counted k on k.id = v.id order by lower(v.name), v.id`.execute(db)
  return rows
}

/** Own views, and the shared ones of people who still work here. */
export const findViews = (db: Db, workerId: number) =>
  findCounted(db, workerId, sql`v.worker_id = ${workerId} or v.is_shared and w.status = 'active'`)

export const findView = async (db: Db, id: number, workerId: number): Promise<ViewRow | undefined> =>
  (await findCounted(db, workerId, sql`v.id = ${id}`))[0]

export const lockView = (db: Db, id: number) =>
  db
    .selectFrom('ticket_views')
    .select([
      'id',
      'worker_id',
      'name',
      'is_shared',
      'queue',
      'status',
      'priority',
      'kind',
      'assignee',
      'tag_id',
      'version',
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export type LockedView = NonNullable<Awaited<ReturnType<typeof lockView>>>

export async function countViews(db: Db, workerId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ticket_views where worker_id = ${workerId}`.execute(db)
  return rows[0]?.count ?? 0
}

const columnsOf = ({ name, isShared, queue, status, priority, kind, assignee, tag }: ViewDraft) => ({
  name,
  is_shared: isShared,
  queue,
  status,
  priority,
  kind,
  assignee,
  tag_id: tag,
})

/** Creates a view; returns nothing when the worker has one with this name, also under concurrency. */
export const insertView = (db: Db, draft: ViewDraft, workerId: number, now: Date) =>
  db
    .insertInto('ticket_views')
    .values({ ...columnsOf(draft), worker_id: workerId, changed_at: now })
    .onConflict((conflict) => conflict.expression(sql`worker_id, lower(name)`).doNothing())
    .returning('id')
    .executeTakeFirst()

export const saveView = (db: Db, id: number, draft: ViewDraft, now: Date) =>
  db
    .updateTable('ticket_views')
    .set({ ...columnsOf(draft), changed_at: now, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()

/** The round robin of a view, which goes with it. */
export interface ViewRoundRobin {
  id: number
  is_on: boolean
  max_open: number
  changed_at: string
  version: number
  members: { worker_id: number; last_at: string | null }[]
}

export async function findRoundRobinOf(db: Db, viewId: number): Promise<ViewRoundRobin | null> {
  const { rows } = await sql<ViewRoundRobin>`
    select r.id, r.is_on, r.max_open, to_json(r.changed_at) as changed_at, r.version, coalesce((
      select jsonb_agg(jsonb_build_object('worker_id', m.worker_id, 'last_at', m.last_at) order by m.worker_id)
      from round_robin_members m where m.round_robin_id = r.id), '[]') as members
    from round_robins r where r.view_id = ${viewId}`.execute(db)
  return rows[0] ?? null
}

export interface DeletedView {
  draft: ViewDraft
  version: number
  roundRobin: ViewRoundRobin | null
}

/** Puts a deleted view back under its id, with its round robin; returns whether its name is still free. */
export async function putViewBack(
  db: Db,
  id: number,
  { draft, version, roundRobin }: DeletedView,
  workerId: number,
  now: Date,
): Promise<boolean> {
  const { name, is_shared, queue, status, priority, kind, assignee, tag_id } = columnsOf(draft)
  const { rows } = await sql`
    insert into ticket_views (id, worker_id, name, is_shared, queue, status, priority, kind, assignee, tag_id, changed_at, version)
      overriding system value
    values (${id}, ${workerId}, ${name}, ${is_shared}, ${queue}, ${status}, ${priority}, ${kind}, ${assignee}, ${tag_id}, ${now}, ${version})
    on conflict (worker_id, lower(name)) do nothing returning id`.execute(db)
  if (rows.length === 0) return false
  if (roundRobin) await insertRoundRobin(db, id, roundRobin)
  return true
}

const insertRoundRobin = (db: Db, viewId: number, { members, ...row }: ViewRoundRobin) =>
  sql`with made as (
    insert into round_robins (id, view_id, is_on, max_open, changed_at, version) overriding system value
    values (${row.id}, ${viewId}, ${row.is_on}, ${row.max_open}, ${row.changed_at}, ${row.version}) returning id)
  insert into round_robin_members (round_robin_id, worker_id, last_at)
  select made.id, m.worker_id, m.last_at from made, jsonb_to_recordset(${JSON.stringify(members)}::jsonb) m (worker_id bigint, last_at timestamptz)`.execute(
    db,
  )

export const removeView = (db: Db, id: number) => db.deleteFrom('ticket_views').where('id', '=', id).execute()

/** The counts of the queues, as maintained. */
export async function readQueueCounts(db: Db, workerId: number) {
  const { rows } = await sql<{ scope: string; key: string; n: number }>`
    select k.scope, c.key, sum(c.value::bigint)::bigint as n from kept_counts k, jsonb_each_text(k.counts) c
    where k.scope = any(${['tickets', `assignee ${workerId}`, `watcher ${workerId}`]}::text[]) group by 1, 2`.execute(
    db,
  )
  const of = (scope: string, key: string) => rows.find((row) => row.scope === scope && row.key === key)?.n ?? 0
  const all = (key: string) => of('tickets', key)
  return {
    mine: of(`assignee ${workerId}`, 'active'),
    unassigned: all('unassigned'),
    breaching: all('breaching'),
    waiting: all('waiting'),
    high: all('high'),
    watching: of(`watcher ${workerId}`, 'open'),
    snoozed: all('snoozed'),
    all: all('open') + all('in_progress') + all('closed'),
  }
}
