import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { columnsOf } from '#platform/sync/columns.queries.ts'

/** What a batch may write, as the table has it. */
export type SyncedReward = Pick<
  Row<'rewards'>,
  'customer_id' | 'reward_type' | 'details' | 'points' | 'earned_at' | 'expires_at' | 'redeemed_at'
>

export const rewardColumns = columnsOf<SyncedReward>('rewards', {
  customer_id: 'bigint',
  reward_type: 'text',
  details: 'text',
  points: 'int',
  earned_at: 'timestamptz',
  expires_at: 'timestamptz',
  redeemed_at: 'timestamptz',
})
const { list, assignments } = rewardColumns

/** Inserts rewards and returns their ids in the order given. */
export const insertRewards = (db: Db, rows: readonly SyncedReward[]) =>
  rewardColumns.insert(db, rows, sql`insert into rewards (id, ${list}) select id, ${list} from r order by at`)

/** Writes all synced columns of these rewards. */
export const updateRewards = (db: Db, rows: readonly (SyncedReward & { id: number })[]) =>
  rewardColumns.update(db, rows, sql`update rewards t set ${assignments}`)
