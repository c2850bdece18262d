import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { UserRewards } from '@limber/contract/support/customers/user.ts'
import { useQuery } from '@tanstack/react-query'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { figure, PlainTable } from '#ui/table/plain-table.tsx'
import { creditLabels, signed } from '../labels.ts'
import { userRewardsQuery } from '../user.api.ts'
import styles from './user-tabs.module.css'

const pointsText = (points: number) => pluralize(points, 'point')

function CurrentRewards({ rewards }: { rewards: UserRewards['currentRewards'] }) {
  return (
    <SectionCard title="Current Rewards" count={rewards.length} isFlush={rewards.length > 0}>
      {rewards.length === 0 && <p className={styles.none}>No current rewards</p>}
      {rewards.map((reward) => (
        <div key={reward.id} className={styles.item}>
          <div className={styles.itemHead}>
            <span className={styles.itemTitle}>{reward.reward_type}</span>
            <span className={styles.meta}>{pointsText(reward.points)}</span>
          </div>
          <span className={styles.words}>{reward.details}</span>
          {reward.expires_at && (
            <span className={styles.meta}>
              Until <Moment at={reward.expires_at} form="day" />
            </span>
          )}
        </div>
      ))}
    </SectionCard>
  )
}

function RewardHistory({ rewards }: { rewards: UserRewards['rewardHistory'] }) {
  return (
    <SectionCard title="Reward History" count={rewards.length} isFlush={rewards.length > 0}>
      {rewards.length === 0 && <p className={styles.none}>No rewards redeemed yet</p>}
      {rewards.map((reward) => (
        <div key={reward.id} className={styles.item}>
          <div className={styles.itemHead}>
            <span className={styles.itemTitle}>
              Redeemed: <Moment at={reward.redeemed_at} />
            </span>
            <span className={styles.meta}>{pointsText(reward.points)}</span>
          </div>
          <span className={styles.words}>
            {reward.reward_type}: {reward.details}
          </span>
        </div>
      ))}
    </SectionCard>
  )
}

function CreditHistory({ entries }: { entries: UserRewards['creditHistory'] }) {
  return (
    <SectionCard title="Credit History" count={entries.length} isFlush={entries.length > 0}>
      {entries.length === 0 ? (
        <p className={styles.none}>No credit changes yet</p>
      ) : (
        <PlainTable label="Credit History">
          <thead>
            <tr>
              <th scope="col">Date</th>
              <th scope="col">What</th>
              <th scope="col">Why</th>
              <th scope="col">By</th>
              <th scope="col" className={figure}>
                Credits
              </th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <tr key={entry.id}>
                <td>
                  <Moment at={entry.createdAt} />
                </td>
                <td>{creditLabels[entry.kind]}</td>
                <td>{entry.reason ?? '--'}</td>
                <td>{entry.by ?? '--'}</td>
                <td className={figure}>
                  <span className={entry.delta > 0 ? styles.plus : undefined}>{signed(entry.delta)}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </SectionCard>
  )
}

/** Current and redeemed rewards, and the credit ledger. */
export default function RewardsTab({ id }: { id: number }) {
  const query = useQuery(userRewardsQuery(id))
  return (
    <QueryView query={query} failure="Failed to fetch user rewards">
      {({ currentRewards, rewardHistory, creditHistory }) => (
        <div className={styles.two}>
          <CurrentRewards rewards={currentRewards} />
          <RewardHistory rewards={rewardHistory} />
          <div className={styles.across}>
            <CreditHistory entries={creditHistory} />
          </div>
        </div>
      )}
    </QueryView>
  )
}
