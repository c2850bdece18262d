import { sql } from 'kysely'
import { DAY, HOUR } from '#platform/clock.ts'
import { type Db, inTransaction } from '#platform/db/db.ts'
import { LIVE_CHANNEL, liveText } from '#platform/live/notify.ts'
import type { LocalTime } from '../dashboard/local-time.rules.ts'
import { FIVE, floorTo } from '../dashboard/window.rules.ts'
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

/** Runs as the only roller of the database; nothing when another process is at it. */
export function asRoller<T>(db: Db, run: (tx: Db) => Promise<T>): Promise<T | undefined> {
  return inTransaction(db, async (tx) => {
    const lock = await sql<{ isOurs: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as "isOurs"`.execute(tx)
    return lock.rows[0]?.isOurs ? run(tx) : undefined
  })
}

/** Waits to be the only roller, then works on one snapshot for as long as it takes. */
export function asLongRoller<T>(db: Db, run: (tx: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`set lock_timeout = 0`.execute(connection)
    await sql`set idle_in_transaction_session_timeout = 0`.execute(connection)
    // Before the transaction: a snapshot from before the wait would miss what the roller did meanwhile.
    await sql`select pg_advisory_lock(${LOCK})`.execute(connection)
    try {
      return await connection.transaction().setIsolationLevel('repeatable read').execute(run)
    } finally {
      await sql`select pg_advisory_unlock(${LOCK})`.execute(connection)
      await sql`reset all`.execute(connection)
    }
  })
}

/** Keeps rollers out until the end of the transaction. */
export const lockRolling = (db: Db) => sql`select pg_advisory_xact_lock(${LOCK})`.execute(db)

/** Is there anything to roll up? */
export async function hasDeltas(db: Db): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`select exists (select from event_deltas) as any`.execute(db)
  return rows[0]?.any ?? false
}

type KeptRow = PackedCell & { tier: Tier; action_id: number; at: Date }

const UPSERT_MOST = 500

/** Adds cells to what is kept under their keys. */
export async function mergeCells(db: Db, cells: Cells): Promise<void> {
  const all = [...cells.entries()]
  for (let start = 0; start < all.length; start += UPSERT_MOST) {
    const part = all.slice(start, start + UPSERT_MOST)
    const tiers = part.map((entry) => entry.tier)
    const actions = part.map((entry) => entry.action)
    const moments = part.map((entry) => new Date(entry.at))
    const kept = await sql<KeptRow>`
      select r.* from unnest(${tiers}::smallint[], ${actions}::int[], ${moments}::timestamptz[]) as k(tier, action_id, at)
      join event_rollups r on r.tier = k.tier and r.action_id = k.action_id and r.at = k.at`.execute(db)
    for (const row of kept.rows) cells.of(row.tier, row.at.getTime(), row.action_id).merge(row)
    await putCells(
      db,
      part.map(({ tier, at, action, cell }) => ({ tier, at, action, ...cell.pack() })),
    )
  }
}

type PutRow = PackedCell & { tier: Tier; at: number; action: number }

/** Writes cells in place of what is kept under their keys. */
export async function addCells(db: Db, cells: Cells): Promise<void> {
  const all = [...cells.entries()].map(({ tier, at, action, cell }) => ({ tier, at, action, ...cell.pack() }))
  for (let start = 0; start < all.length; start += UPSERT_MOST)
    await putCells(db, all.slice(start, start + UPSERT_MOST))
}

async function putCells(db: Db, rows: readonly PutRow[]): Promise<void> {
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

/** Up to where local days, and five minutes each, have rows of their own; nothing before the first roll. */
export const readState = (db: Db) =>
  db.selectFrom('event_rollup_state').select(['zone', 'sealed_until', 'fives_until']).executeTakeFirst()

/** Notes up to where local days have rows of their own. */
export async function putState(db: Db, zone: string, sealedUntil: number): Promise<void> {
  const sealed_until = new Date(sealedUntil)
  await db
    .insertInto('event_rollup_state')
    .values({ zone, sealed_until })
    .onConflict((clash) => clash.column('only_row').doUpdateSet({ zone, sealed_until }))
    .execute()
}

/** Notes up to where five minutes each have rows of their own. */
const putFives = (db: Db, until: number) =>
  db
    .updateTable('event_rollup_state')
    .set({ fives_until: new Date(until) })
    .execute()

/** The beginning of the earliest hour that is kept. */
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

/** Makes the rows of a local day from its hours. */
async function sealDay(db: Db, from: number, to: number): Promise<void> {
  const cells = new Cells()
  for (const hour of await readTier(db, HOUR_TIER, from, to)) cells.of(DAY_TIER, from, hour.action_id).merge(hour)
  await addCells(db, cells)
}

/** Seals the local days from one to another, both at their beginning. */
export async function sealDays(db: Db, local: LocalTime, from: number, until: number): Promise<void> {
  for (let day = local.dayOf(from); local.at(day, 0) < until; day++)
    await sealDay(db, local.at(day, 0), local.at(day, 24))
}

/** Makes the rows of five minutes each from their minutes, an hour of them at a time. */
export async function sealFives(db: Db, from: number, until: number): Promise<void> {
  for (let start = from; start < until; start += HOUR) {
    const cells = new Cells()
    for (const minute of await readTier(db, MINUTE_TIER, start, Math.min(start + HOUR, until)))
      cells.of(FIVE_TIER, floorTo(minute.at.getTime(), FIVE), minute.action_id).merge(minute)
    await addCells(db, cells)
  }
  await putFives(db, until)
}

/** Forgets the rollups of all days, or of everything shorter within a span. */
export const clearDays = (db: Db) => db.deleteFrom('event_rollups').where('tier', '=', DAY_TIER).execute()
export const clearHours = (db: Db, from: Date, to: Date) =>
  db
    .deleteFrom('event_rollups')
    .where('tier', 'in', [MINUTE_TIER, FIVE_TIER, HOUR_TIER])
    .where('at', '>=', from)
    .where('at', '<', to)
    .execute()

/** Forgets minutes that no timeframe reaches any more. */
export async function forgetMinutes(db: Db, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('event_rollups')
    .where('tier', 'in', [MINUTE_TIER, FIVE_TIER])
    .where('at', '<', before)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** The days whose events are kept, with the names of their partitions, oldest first. */
export async function listPartitions(db: Db): Promise<{ name: string; from: Date; to: Date }[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'events'::regclass and c.relname ~ '^events_[0-9]{8}$' order by 1`.execute(db)
  return rows.map(({ name }) => {
    const from = Date.UTC(Number(name.slice(7, 11)), Number(name.slice(11, 13)) - 1, Number(name.slice(13, 15)))
    return { name, from: new Date(from), to: new Date(from + DAY) }
  })
}

/** Drops a day of events; its rollups stay. */
export const dropPartition = (db: Db, name: string) => sql`drop table if exists ${sql.id(name)}`.execute(db)

/** Tells open dashboards that the figures moved. */
export const tellDashboards = (db: Db) => sql`select pg_notify(${LIVE_CHANNEL}, ${liveText('analytics')})`.execute(db)
