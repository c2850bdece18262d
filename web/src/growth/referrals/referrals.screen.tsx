import type { ReferralStats } from '@limber/contract/growth/referrals/referral.ts'
import { formatInteger, formatPercent } from '@limber/contract/kit/formats/numbers.ts'
import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useCan } from '#platform/session/session.tsx'
import { type Stat, StatStrip } from '#ui/charts/stat-strip.tsx'
import { FailureView } from '#ui/feedback/failure-view.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { dollars } from '../labels.ts'
import { errorText } from './labels.ts'
import { referralStatsQuery, referralsKey } from './referral.api.ts'
import styles from './referrals.module.css'

const ReferralPeople = lazy(() => import('./referral-people.tsx'))

const stat = (id: string, label: string, value: string, note?: string): Stat => ({
  id,
  label,
  value,
  ...(note ? { note } : {}),
})

const share = (part: number, all: number) => (all === 0 ? '--' : `${formatPercent((part / all) * 100, 1)} of users`)

function Cards({ stats }: { stats: ReferralStats }) {
  const { referrals_with_bookings: booked, total_users: all } = stats
  return (
    <div className={styles.strips}>
      <StatStrip
        label="Where users come from"
        stats={[
          stat('total', 'Total Users', formatInteger(all)),
          stat('natural', 'Natural Growth', formatInteger(stats.natural_growth), share(stats.natural_growth, all)),
          stat(
            'stretcher',
            'Stretcher Refs',
            formatInteger(stats.stretcher_commission),
            share(stats.stretcher_commission, all),
          ),
          stat('worker', 'Worker Refs', formatInteger(stats.worker_commission), share(stats.worker_commission, all)),
          stat('user', 'User Refs', formatInteger(stats.user_commission), share(stats.user_commission, all)),
        ]}
      />
      <StatStrip
        label="Results of referrals"
        stats={[
          stat('pending', 'Pending Referrals', formatInteger(stats.pending_referrals), 'no session yet'),
          stat('converted', 'Converted Referrals', formatInteger(stats.converted_referrals), 'had a session'),
          stat('redeemable', 'Redeemable Referrals', formatInteger(stats.redeemable_referrals), 'reward due'),
          stat('total-earnings', 'Total Earnings', dollars(stats.total_earnings), 'paid by referred users'),
          stat('stored-earnings', 'Stored Earnings', dollars(stats.stored_earnings), 'paid in advance'),
        ]}
      />
      <StatStrip
        label="Referrers and bookings"
        stats={[
          stat('top-referrer', 'Top Referrer', formatInteger(stats.top_referrer_count), 'customers referred'),
          stat('top-earner', 'Top Earner', dollars(stats.top_earner_total), 'paid by their customers'),
          stat('booked-stretcher', 'Stretcher Referral Bookings', formatInteger(booked.stretcher)),
          stat('booked-worker', 'Worker Referral Bookings', formatInteger(booked.worker)),
          stat('booked-user', 'User Referral Bookings', formatInteger(booked.user)),
        ]}
      />
    </div>
  )
}

/** Referral Analytics: who referred whom, the results, and the referrals to review. */
export default function Referrals() {
  useLiveRefresh('growth', referralsKey)
  const cache = useQueryClient()
  const canSeePeople = useCan('growth.people')
  const query = useQuery(referralStatsQuery)
  const refresh = () => void cache.invalidateQueries({ queryKey: referralsKey })
  const actions = (
    <Button variant="default" leftSection={<Icon of={IconRefresh} />} loading={query.isFetching} onClick={refresh}>
      Refresh
    </Button>
  )
  const at = query.data?.refreshedAt
  return (
    <>
      <PageHead title="Referral Analytics" actions={actions} isOneLine>
        Last refreshed: {at ? <Moment key={at} at={at} form="relative" /> : 'Never'}
      </PageHead>
      {query.isError ? (
        <SectionCard>
          <FailureView
            error={query.error}
            title={errorText(query.error)}
            onRetry={refresh}
            isRetrying={query.isFetching}
          />
        </SectionCard>
      ) : query.data ? (
        <Cards stats={query.data.stats} />
      ) : (
        <p className={styles.loading} role="status">
          Loading referrals...
        </p>
      )}
      {canSeePeople && (
        <Suspense fallback={<ListSkeleton />}>
          <ReferralPeople toReview={query.data?.toReview} />
        </Suspense>
      )}
    </>
  )
}
