import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { columnsOf, inPlace, placed } from './columns.queries.ts'

/** What a batch may write, as the table has it. */
export type SyncedReward = Pick<
  Row<'rewards'>,
  'customer_id' | 'reward_type' | 'details' | 'points' | 'earned_at' | 'expires_at' | 'redeemed_at'
>
export type RewardRow = SyncedReward & { id: number }

export const rewardColumns = columnsOf<SyncedReward>({
  customer_id: 'bigint',
  reward_type: 'text',
  details: 'text',
  points: 'int',
  earned_at: 'timestamptz',
  expires_at: 'timestamptz',
  redeemed_at: 'timestamptz',
})
const { list, recordType, assignments } = rewardColumns

export async function findRewards(db: Db, ids: readonly number[]): Promise<RewardRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<RewardRow>`select id, ${list} from rewards where id = any(${ids}::bigint[])`.execute(db)
  return rows
}

/** Locks rewards in the order of their ids. */
export async function lockRewards(db: Db, ids: readonly number[]): Promise<Map<number, RewardRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<RewardRow>`
    select id, ${list} from rewards where id = any(${ids}::bigint[]) order by id for no key update`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Inserts rewards and returns their ids in the order given. */
export async function insertRewards(db: Db, rows: readonly SyncedReward[]): Promise<number[]> {
  const { rows: made } = await sql<{ at: number; id: number }>`
    with r as materialized (
      select nextval(pg_get_serial_sequence('rewards', 'id')) as id, r.*
      from jsonb_to_recordset(${placed(rows)}::jsonb) as r(at int, ${recordType})
    ), made as (insert into rewards (id, ${list}) select id, ${list} from r order by at)
    select at, id from r`.execute(db)
  return inPlace(made)
}

/** Writes all synced columns of these rewards. */
export const updateRewards = (db: Db, rows: readonly RewardRow[]) =>
  sql`
    update rewards w set ${assignments}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id bigint, ${recordType})
    where w.id = r.id`.execute(db)
