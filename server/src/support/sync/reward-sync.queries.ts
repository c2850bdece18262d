import type { Row } from '#platform/db/db.ts'
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
