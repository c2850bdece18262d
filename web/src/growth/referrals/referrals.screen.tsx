import type { FigureName } from '@limber/contract/growth/overview/figure.ts'
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
import { useFigure } from '#ui/figures/use-figure.ts'
import { Moment } from '#ui/format/moment.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { dollars } from '../labels.ts'
import { errorText } from './labels.ts'
import { referralStatsQuery, referralsKey } from './referral.api.ts'
import styles from './referrals.module.css'

const ResultDialog = lazy(() => import('../overview/result-dialog.tsx'))
const ReferralPeople = lazy(() => import('./referral-people.tsx'))

type Open = (figure: FigureName) => void

const statsFor =
  (open: Open) =>
  (id: FigureName, label: string, value: string, note?: string): Stat => ({
    id,
    label,
    value,
    ...(note ? { note } : {}),
    onOpen: () => open(id),
  })

const share = (part: number, all: number) => (all === 0 ? '--' : `${formatPercent((part / all) * 100, 1)} of users`)

function Cards({ stats, onOpen }: { stats: ReferralStats; onOpen: Open }) {
  const stat = statsFor(onOpen)
  const { referrals_with_bookings: booked, total_users: all } = stats
  return (
    <div className={styles.strips}>
      <StatStrip
        label="Where users come from"
        stats={[
          stat('users', 'Total Users', formatInteger(all)),
          stat(
            'naturalGrowth',
            'Natural Growth',
            formatInteger(stats.natural_growth),
            share(stats.natural_growth, all),
          ),
          stat(
            'stretcherReferrals',
            'Stretcher Refs',
            formatInteger(stats.stretcher_commission),
            share(stats.stretcher_commission, all),
          ),
          stat(
            'workerReferrals',
            'Worker Refs',
            formatInteger(stats.worker_commission),
            share(stats.worker_commission, all),
          ),
          stat('userReferrals', 'User Refs', formatInteger(stats.user_commission), share(stats.user_commission, all)),
        ]}
      />
      <StatStrip
        label="Results of referrals"
        stats={[
          stat('pendingReferrals', 'Pending Referrals', formatInteger(stats.pending_referrals), 'no session yet'),
          stat('convertedReferrals', 'Converted Referrals', formatInteger(stats.converted_referrals), 'had a session'),
          stat('redeemableReferrals', 'Redeemable Referrals', formatInteger(stats.redeemable_referrals), 'reward due'),
          stat('referralEarnings', 'Total Earnings', dollars(stats.total_earnings), 'paid by referred users'),
          stat('storedEarnings', 'Stored Earnings', dollars(stats.stored_earnings), 'paid in advance'),
        ]}
      />
      <StatStrip
        label="Referrers and bookings"
        stats={[
          stat('topReferrer', 'Top Referrer', formatInteger(stats.top_referrer_count), 'customers referred'),
          stat('topEarner', 'Top Earner', dollars(stats.top_earner_total), 'paid by their customers'),
          stat('stretcherReferralBookings', 'Stretcher Referral Bookings', formatInteger(booked.stretcher)),
          stat('workerReferralBookings', 'Worker Referral Bookings', formatInteger(booked.worker)),
          stat('userReferralBookings', 'User Referral Bookings', formatInteger(booked.user)),
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
  const figure = useFigure()
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
        <Cards stats={query.data.stats} onOpen={figure.onOpen} />
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
      {figure.figure && at && (
        <Suspense fallback={null}>
          <ResultDialog
            state={figure}
            facts={
              <Facts.Row label="Last refreshed">
                <Moment key={at} at={at} form="relative" />
              </Facts.Row>
            }
          />
        </Suspense>
      )}
    </>
  )
}
