import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { deleteGroupedFailures } from '#platform/telemetry/take-events.ts'
import type { Failure, GroupKey, GroupTotals } from './failure.rules.ts'

interface MergedGroup extends GroupKey {
  id: number
  has_recurred: boolean
}

const LOCK = 7_214_033

/** Only one process groups failures at a time. The lock ends with the transaction. */
export async function lockGrouping(db: Db): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as locked`.execute(db)
  return rows[0]?.locked ?? false
}

/** Failures without a group, oldest first. */
export async function findUngrouped(db: Db, limit: number): Promise<(Failure & { id: number })[]> {
  const { rows } = await sql<Failure & { id: number }>`
    select id, at, source, user_id, worker_id, method, path, status, code, text, cause
    from event_failures where group_id is null order by id limit ${limit}`.execute(db)
  return rows
}

/** Adds failures to their groups. A handled group reopens if it failed after it was handled. */
export async function mergeGroups(db: Db, drafts: readonly GroupTotals[], now: Date): Promise<MergedGroup[]> {
  const { rows } = await sql<MergedGroup>`
    insert into error_groups as g (source, method, path, status, first_seen_at, last_seen_at, total, newest_code, newest_text, newest_cause)
    select r.source, r.method, r.path, r.status, r.first_seen_at, r.last_seen_at, r.total, r.newest_code, r.newest_text, r.newest_cause
    from jsonb_to_recordset(${JSON.stringify(drafts)}::jsonb) as r(source text, method text, path text, status int,
      first_seen_at timestamptz, last_seen_at timestamptz, total bigint, newest_code text, newest_text text, newest_cause text)
    order by 1, 2, 3, 4
    on conflict (source, method, path, status) do update set
      first_seen_at = least(g.first_seen_at, excluded.first_seen_at),
      last_seen_at = greatest(g.last_seen_at, excluded.last_seen_at),
      total = g.total + excluded.total,
      newest_code = case when excluded.last_seen_at >= g.last_seen_at then excluded.newest_code else g.newest_code end,
      newest_text = case when excluded.last_seen_at >= g.last_seen_at then excluded.newest_text else g.newest_text end,
      newest_cause = case when excluded.last_seen_at >= g.last_seen_at then excluded.newest_cause else g.newest_cause end,
      reopened_at = case when g.is_handled and excluded.last_seen_at > g.handled_at then ${now} else g.reopened_at end,
      times_reopened = g.times_reopened + case when g.is_handled and excluded.last_seen_at > g.handled_at then 1 else 0 end,
      version = g.version + case when g.is_handled and excluded.last_seen_at > g.handled_at then 1 else 0 end,
      is_handled = g.is_handled and excluded.last_seen_at <= g.handled_at
    returning g.id, g.source, g.method, g.path, g.status,
      -- The subquery sees the state before this statement.
      not g.is_handled and g.id in (select id from error_groups where is_handled) as has_recurred`.execute(db)
  return rows
}

export async function addCounts(
  db: Db,
  counts: readonly { group_id: number; tier: number; at: Date; count: number }[],
): Promise<void> {
  await sql`
    insert into error_counts as c (group_id, tier, at, count)
    select r.group_id, r.tier, r.at, r.count
    from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as r(group_id bigint, tier smallint, at timestamptz, count int)
    on conflict (group_id, tier, at) do update set count = c.count + excluded.count`.execute(db)
}

export async function addPeople(
  db: Db,
  people: readonly { group_id: number; person: number; last_at: Date }[],
): Promise<void> {
  await sql`
    insert into error_people as p (group_id, person, last_at)
    select r.group_id, r.person, r.last_at
    from jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as r(group_id bigint, person bigint, last_at timestamptz)
    on conflict (group_id, person) do update set last_at = greatest(p.last_at, excluded.last_at)`.execute(db)
}

/** Deletes failures and groups last seen before a date, and five-minute counts before another date. */
export async function deleteExpiredFailures(db: Db, before: Date, fineBefore: Date) {
  const failures = await deleteGroupedFailures(db, before)
  const groups = await sql`delete from error_groups where last_seen_at < ${before}`.execute(db)
  await sql`delete from error_people where last_at < ${before}`.execute(db)
  await sql`delete from error_counts where (tier = 0 and at < ${fineBefore}) or (tier = 1 and at < ${before})`.execute(
    db,
  )
  return { failures, groups: Number(groups.numAffectedRows ?? 0) }
}
