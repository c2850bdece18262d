import { type ErrorQuery, MAX_PEOPLE } from '@limber/contract/tech/errors/error-log.ts'
import { type RawBuilder, sql } from 'kysely'
import { countUpTo } from '#platform/db/count-up-to.ts'
import type { Db } from '#platform/db/db.ts'
import { containing } from '#platform/db/like.ts'
import type { ErrorWindow } from './error-window.rules.ts'
import type { FailureDetails, GroupTotals } from './failure.rules.ts'

export interface GroupRow extends GroupTotals {
  id: number
  is_handled: boolean
  handled_at: Date | null
  handled_by: string | null
  handled_note: string | null
  reopened_at: Date | null
  times_reopened: number
  version: number
  count: number
  people: number
}

const groupColumns = sql`g.id, g.source, g.method, g.path, g.status, g.first_seen_at, g.last_seen_at, g.total, g.newest_code,
  g.newest_text, g.newest_cause, g.is_handled, g.handled_at, g.handled_note, g.reopened_at, g.times_reopened, g.version`

const orders: Record<ErrorQuery['sort'], RawBuilder<unknown>> = {
  lastSeen: sql`last_seen_at, id`,
  '-lastSeen': sql`last_seen_at desc, id desc`,
  firstSeen: sql`first_seen_at, id`,
  '-firstSeen': sql`first_seen_at desc, id desc`,
  count: sql`count, id`,
  '-count': sql`count desc, id desc`,
  people: sql`people, id`,
  '-people': sql`people desc, id desc`,
}

function filterOf({ class: statusClass, source, state, search }: Partial<ErrorQuery>): RawBuilder<unknown> {
  const parts = [
    sql`true`,
    ...(statusClass === '4xx' ? [sql`g.status < 500`] : statusClass === '5xx' ? [sql`g.status >= 500`] : []),
    ...(source ? [sql`g.source = ${source}`] : []),
    ...(state ? [sql`g.is_handled = ${state === 'handled'}`] : []),
    ...(search ? [sql`g.path ilike ${containing(search)}`] : []),
  ]
  return sql.join(parts, sql` and `)
}

const counted = ({ tier, from }: ErrorWindow) => sql`
  select group_id, sum(count)::bigint as count from error_counts where tier = ${tier} and at >= ${from} group by group_id`
/** Number of people affected by a group, counted up to `MAX_PEOPLE`. */
const affectedPeople = (group: RawBuilder<unknown>, { from }: ErrorWindow) =>
  countUpTo(sql`select from error_people where group_id = ${group} and last_at >= ${from}`, MAX_PEOPLE)

/** A page of groups with failures in a window, and their total number. */
export async function findGroups(db: Db, query: ErrorQuery, window: ErrorWindow) {
  const { rows } = await sql<GroupRow & { found: number }>`
    with matches as materialized (
      select ${groupColumns}, g.handled_by, c.count, ${affectedPeople(sql`g.id`, window)} as people
      from (${counted(window)}) c
      join error_groups g on g.id = c.group_id
      where ${filterOf(query)})
    select m.*, w.name as handled_by, (select count(*) from matches) as found
    from (select * from matches order by ${orders[query.sort]} limit ${query.limit} offset ${(query.page - 1) * query.limit}) m
    left join workers w on w.id = m.handled_by
    order by ${orders[query.sort]}`.execute(db)
  if (rows[0] || query.page === 1) return { groups: rows, found: rows[0]?.found ?? 0 }
  // Past the last page there is no row with the total.
  const all = await sql<{ found: number }>`
    select count(*) as found from (${counted(window)}) c join error_groups g on g.id = c.group_id where ${filterOf(query)}`.execute(
    db,
  )
  return { groups: rows, found: all.rows[0]?.found ?? 0 }
}

/** Totals for the window and source; other filters do not apply. */
export async function sumGroups(db: Db, source: ErrorQuery['source'], window: ErrorWindow) {
  const { rows } = await sql<{ refused: number; broken: number; open: number; handled: number; people: number }>`
    select coalesce(sum(c.count) filter (where g.status < 500), 0)::bigint as refused,
      coalesce(sum(c.count) filter (where g.status >= 500), 0)::bigint as broken,
      count(*) filter (where not g.is_handled) as open, count(*) filter (where g.is_handled) as handled,
      (select count(distinct person) from (
        select p.person from error_people p ${source ? sql`join error_groups s on s.id = p.group_id and s.source = ${source}` : sql``}
        where p.last_at >= ${window.from} order by p.last_at desc limit ${sql.lit(MAX_PEOPLE + 1)}) newest) as people
    from (${counted(window)}) c join error_groups g on g.id = c.group_id
    where ${filterOf({ source })}`.execute(db)
  return rows[0] ?? { refused: 0, broken: 0, open: 0, handled: 0, people: 0 }
}

export async function findGroup(db: Db, id: number, window: ErrorWindow): Promise<GroupRow | undefined> {
  const { rows } = await sql<GroupRow>`
    select ${groupColumns}, w.name as handled_by,
      (select coalesce(sum(count), 0)::bigint from error_counts where group_id = g.id and tier = ${window.tier} and at >= ${window.from}) as count,
      ${affectedPeople(sql`g.id`, window)} as people
    from error_groups g left join workers w on w.id = g.handled_by where g.id = ${id}`.execute(db)
  return rows[0]
}

export async function hasGroup(db: Db, id: number): Promise<boolean> {
  return (await db.selectFrom('error_groups').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** Counts of groups in a window, for their trends. */
export async function findCounts(db: Db, ids: readonly number[], { tier, from }: ErrorWindow) {
  const { rows } = await sql<{ group_id: number; at: Date; count: number }>`
    select group_id, at, count from error_counts
    where group_id = any(${ids}::bigint[]) and tier = ${tier} and at >= ${from}`.execute(db)
  return Map.groupBy(rows, ({ group_id }) => group_id)
}

/** Locks a group, so that the second of two concurrent changes sees the first. */
export const lockGroup = (db: Db, id: number) =>
  db
    .selectFrom('error_groups')
    .select(['id', 'is_handled', 'version', 'handled_note'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export async function markHandled(db: Db, id: number, by: { workerId: number; note: string }, now: Date) {
  await db
    .updateTable('error_groups')
    .set((row) => ({
      is_handled: true,
      handled_at: now,
      handled_by: by.workerId,
      handled_note: by.note,
      version: row('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
}

export async function markOpen(db: Db, id: number, now: Date) {
  await db
    .updateTable('error_groups')
    .set((row) => ({ is_handled: false, reopened_at: now, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export interface OccurrenceRow extends FailureDetails {
  id: number
  url: string
  ms: number
  address: string | null
  request_id: string | null
  customer_name: string | null
  worker_name: string | null
}

/** Occurrences of a group, newest first, after the cursor. */
export async function findOccurrences(
  db: Db,
  id: number,
  { before, limit }: { before: { at: Date; id: number } | undefined; limit: number },
): Promise<OccurrenceRow[]> {
  const past = before ? sql`(at, id) < (${before.at}::timestamptz, ${before.id}::bigint)` : sql`true`
  const { rows } = await sql<OccurrenceRow>`
    select f.id, f.at, f.url, f.ms, f.address, f.request_id, f.code, f.text, f.cause, f.user_id, f.worker_id,
      c.first_name || ' ' || c.last_name as customer_name, w.name as worker_name
    from (select * from event_failures where group_id = ${id} and ${past} order by at desc, id desc limit ${limit}) f
    left join customers c on c.id = f.user_id
    left join workers w on w.id = f.worker_id
    order by f.at desc, f.id desc`.execute(db)
  return rows
}
