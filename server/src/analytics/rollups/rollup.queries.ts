import { sql } from 'kysely'
import { DAY, HOUR } from '#platform/clock.ts'
import { type Db, inTransaction } from '#platform/db/db.ts'
import { LIVE_CHANNEL, liveText } from '#platform/live/notify.ts'
import type { LocalTime } from '../dashboard/local-time.rules.ts'
import { FIVE_MINUTES, floorTo } from '../dashboard/window.rules.ts'
import {
  ALL_ACTIONS,
  Cells,
  DAY_TIER,
  FIVE_TIER,
  HOUR_TIER,
  MINUTE_TIER,
  type PackedCell,
  type Tier,
} from './cell.rules.ts'

const LOCK = 7_214_031

/** Runs as the only roller; undefined when another process already runs. */
export function withRollerLock<T>(db: Db, run: (tx: Db) => Promise<T>): Promise<T | undefined> {
  return inTransaction(db, async (tx) => {
    const lock = await sql<{ isOurs: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as "isOurs"`.execute(tx)
    return lock.rows[0]?.isOurs ? run(tx) : undefined
  })
}

async function withoutTimeouts(tx: Db): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`set local lock_timeout = 0`.execute(tx)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
}

/**
 * Waits to be the only roller, then works on one snapshot without a timeout. The lock has a transaction of its own, which
 * is open until the work is committed: a snapshot from before the wait would miss the other roller's work, and a lock of a
 * session is lost behind a pooler.
 */
export function withExclusiveRollerLock<T>(db: Db, run: (tx: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (holder) => {
    await withoutTimeouts(holder)
    await lockRollers(holder)
    return db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => {
        await withoutTimeouts(tx)
        return run(tx)
      })
  })
}

/** Locks out rollers until the end of the transaction. */
export const lockRollers = (db: Db) => sql`select pg_advisory_xact_lock(${LOCK})`.execute(db)

/** Whether there is anything to roll up. */
export async function hasDeltas(db: Db): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`select exists (select from event_deltas) as any`.execute(db)
  return rows[0]?.any ?? false
}

type StoredRow = PackedCell & { tier: Tier; action_id: number; at: Date }

const MAX_UPSERT_ROWS = 500

/** Adds cells to the stored ones with the same key. */
export async function mergeCells(db: Db, cells: Cells): Promise<void> {
  const all = [...cells.entries()]
  for (let start = 0; start < all.length; start += MAX_UPSERT_ROWS) {
    const part = all.slice(start, start + MAX_UPSERT_ROWS)
    const tiers = part.map((entry) => entry.tier)
    const actions = part.map((entry) => entry.action)
    const moments = part.map((entry) => new Date(entry.at))
    const kept = await sql<StoredRow>`
      select r.* from unnest(${tiers}::smallint[], ${actions}::int[], ${moments}::timestamptz[]) as k(tier, action_id, at)
      join event_rollups r on r.tier = k.tier and r.action_id = k.action_id and r.at = k.at`.execute(db)
    for (const row of kept.rows) cells.of(row.tier, row.at.getTime(), row.action_id).merge(row)
    await upsertCells(
      db,
      part.map(({ tier, at, action, cell }) => ({ tier, at, action, ...cell.pack() })),
    )
  }
}

type PutRow = PackedCell & { tier: Tier; at: number; action: number }

/** Replaces the stored cells with the same key. */
export async function replaceCells(db: Db, cells: Cells): Promise<void> {
  const all = [...cells.entries()].map(({ tier, at, action, cell }) => ({ tier, at, action, ...cell.pack() }))
  for (let start = 0; start < all.length; start += MAX_UPSERT_ROWS)
    await upsertCells(db, all.slice(start, start + MAX_UPSERT_ROWS))
}

async function upsertCells(db: Db, rows: readonly PutRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into event_rollups (tier, action_id, at, events, errors, time_sum, users, user_set, paths)
    select * from unnest(
      ${rows.map((row) => row.tier)}::smallint[], ${rows.map((row) => row.action)}::int[], ${rows.map((row) => new Date(row.at))}::timestamptz[],
      ${rows.map((row) => row.events)}::int[], ${rows.map((row) => row.errors)}::int[], ${rows.map((row) => row.time_sum)}::bigint[],
      ${rows.map((row) => row.users)}::int[], ${rows.map((row) => row.user_set)}::bytea[], ${rows.map((row) => row.paths)}::bytea[])
    on conflict (tier, action_id, at) do update set events = excluded.events, errors = excluded.errors, time_sum = excluded.time_sum,
      users = excluded.users, user_set = excluded.user_set, paths = excluded.paths`.execute(db)
}

/** The end of the sealed local days and five-minute blocks; undefined before the first roll. */
export const readState = (db: Db) =>
  db.selectFrom('event_rollup_state').select(['zone', 'sealed_until', 'fives_until']).executeTakeFirst()

/** Stores the end of the sealed local days. */
export async function putState(db: Db, zone: string, sealedUntil: number): Promise<void> {
  const sealed_until = new Date(sealedUntil)
  await db
    .insertInto('event_rollup_state')
    .values({ zone, sealed_until })
    .onConflict((clash) => clash.column('only_row').doUpdateSet({ zone, sealed_until }))
    .execute()
}

/** Stores the end of the sealed five-minute blocks. */
const putFives = (db: Db, until: number) =>
  db
    .updateTable('event_rollup_state')
    .set({ fives_until: new Date(until) })
    .execute()

/** The start of the first stored hour. */
export async function firstHour(db: Db): Promise<Date | undefined> {
  const row = await db
    .selectFrom('event_rollups')
    .select('at')
    .where('tier', '=', HOUR_TIER)
    .where('action_id', '=', ALL_ACTIONS)
    .orderBy('at')
    .limit(1)
    .executeTakeFirst()
  return row?.at
}

const readTier = (db: Db, tier: Tier, from: number, to: number) =>
  db
    .selectFrom('event_rollups')
    .selectAll()
    .where('tier', '=', tier)
    .where('at', '>=', new Date(from))
    .where('at', '<', new Date(to))
    .execute()

/** Calculates the rows of a local day from its hours. */
async function sealDay(db: Db, from: number, to: number): Promise<void> {
  const cells = new Cells()
  for (const hour of await readTier(db, HOUR_TIER, from, to)) cells.of(DAY_TIER, from, hour.action_id).merge(hour)
  await replaceCells(db, cells)
}

/** Seals the local days that start at or after `from` and before `until`. */
export async function sealDays(db: Db, local: LocalTime, from: number, until: number): Promise<void> {
  for (let day = local.dayOf(from); local.at(day, 0) < until; day++)
    await sealDay(db, local.at(day, 0), local.at(day, 24))
}

/** Calculates the rows of five-minute blocks from their minutes, one hour at a time. */
export async function sealFives(db: Db, from: number, until: number): Promise<void> {
  for (let start = from; start < until; start += HOUR) {
    const cells = new Cells()
    for (const minute of await readTier(db, MINUTE_TIER, start, Math.min(start + HOUR, until)))
      cells.of(FIVE_TIER, floorTo(minute.at.getTime(), FIVE_MINUTES), minute.action_id).merge(minute)
    await replaceCells(db, cells)
  }
  await putFives(db, until)
}

/** Deletes the rollups of all days, or everything shorter within a span. */
export const clearDays = (db: Db) => db.deleteFrom('event_rollups').where('tier', '=', DAY_TIER).execute()
export const clearHours = (db: Db, from: Date, to: Date) =>
  db
    .deleteFrom('event_rollups')
    .where('tier', 'in', [MINUTE_TIER, FIVE_TIER, HOUR_TIER])
    .where('at', '>=', from)
    .where('at', '<', to)
    .execute()

/** Deletes minutes that no timeframe needs anymore. */
export async function deleteMinutes(db: Db, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('event_rollups')
    .where('tier', 'in', [MINUTE_TIER, FIVE_TIER])
    .where('at', '<', before)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** The days with stored events and the names of their partitions, oldest first. */
export async function listPartitions(db: Db): Promise<{ name: string; from: Date; to: Date }[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'events'::regclass and c.relname ~ '^events_[0-9]{8}$' order by 1`.execute(db)
  return rows.map(({ name }) => {
    const from = Date.UTC(Number(name.slice(7, 11)), Number(name.slice(11, 13)) - 1, Number(name.slice(13, 15)))
    return { name, from: new Date(from), to: new Date(from + DAY) }
  })
}

/** Drops the events of a day. Its rollups stay. */
export const dropPartition = (db: Db, name: string) => sql`drop table if exists ${sql.id(name)}`.execute(db)

/** Notifies open dashboards that the figures changed. */
export const notifyDashboards = (db: Db) => sql`select pg_notify(${LIVE_CHANNEL}, ${liveText('analytics')})`.execute(db)
