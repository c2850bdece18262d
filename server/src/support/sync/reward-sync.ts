import type { ItemError } from '@limber/contract/kit/batch.ts'
import { RewardItem, rewardCalls } from '@limber/contract/support/sync/reward-sync.ts'
import type { Db } from '#platform/db/db.ts'
import type { BatchItem } from '#platform/sync/batch-writer.ts'
import { invalid, required } from '#platform/sync/item-errors.ts'
import { attachRoute, batchRoute, readRoutes } from '#platform/sync/resource-routes.ts'
import { timeOf } from '#platform/sync/write-rows.ts'
import { customerRecordWriter } from './customer-record.ts'
import { referencesTo } from './referred.ts'
import { rewardColumns, type SyncedReward } from './reward-sync.queries.ts'

type Item = BatchItem<RewardItem>

/** What the table refuses, in words. */
function errorsOf({ earned_at, expires_at, redeemed_at }: SyncedReward): ItemError[] {
  const errors: ItemError[] = []
  if (expires_at && expires_at <= earned_at) errors.push(invalid('expires_at', 'must be after earned_at'))
  if (redeemed_at && redeemed_at < earned_at) errors.push(invalid('redeemed_at', 'must not be before earned_at'))
  return errors
}

/** The row of a new reward before its fields are applied, or what it lacks. */
function newReward({ fields, references }: Item, now: Date): SyncedReward | ItemError[] {
  const customer_id = references.customer
  if (customer_id === undefined || fields.type === undefined)
    return (['customer', 'type'] as const).filter((name) => fields[name] === undefined).map(required)
  return {
    customer_id,
    reward_type: fields.type,
    details: '',
    points: 0,
    earned_at: now,
    expires_at: null,
    redeemed_at: null,
  }
}

/** The row that an item makes of the one before. */
function applyFields({ fields, references }: Item, before: SyncedReward): SyncedReward {
  const [expires_at, redeemed_at] = [timeOf(fields.expires_at), timeOf(fields.redeemed_at)]
  return {
    customer_id: references.customer ?? before.customer_id,
    reward_type: fields.type ?? before.reward_type,
    details: fields.details === undefined ? before.details : (fields.details ?? ''),
    points: fields.points ?? before.points,
    earned_at: timeOf(fields.earned_at) ?? before.earned_at,
    expires_at: expires_at === undefined ? before.expires_at : expires_at,
    redeemed_at: redeemed_at === undefined ? before.redeemed_at : redeemed_at,
  }
}

/** Rewards from other systems. A customer's points come with `customers`. */
const rewardWriter = customerRecordWriter<typeof RewardItem, SyncedReward>({
  resource: 'rewards',
  item: RewardItem,
  references: ({ customer }) => referencesTo({ customer }),
  columns: rewardColumns,
  start: newReward,
  apply: applyFields,
  errorsOf,
})

async function loadRewards(db: Db, ids: readonly number[]) {
  const rows = await rewardColumns.find(db, ids)
  return rows.map((row) => ({
    id: row.id,
    customer: row.customer_id,
    type: row.reward_type,
    details: row.details === '' ? null : row.details,
    points: row.points,
    earned_at: row.earned_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    redeemed_at: row.redeemed_at?.toISOString() ?? null,
  }))
}

export const rewardSyncRoutes = [
  batchRoute(rewardCalls.batch, rewardWriter, ['customers']),
  attachRoute(rewardCalls.attach, 'rewards'),
  ...readRoutes(rewardCalls, 'rewards', loadRewards),
]
