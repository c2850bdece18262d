import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { useCan } from '#platform/session/session.tsx'
import { FailureView } from '#ui/feedback/failure-view.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { useFigure } from '#ui/figures/use-figure.ts'
import { Moment } from '#ui/format/moment.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { HeldReferrals } from './held-referrals.tsx'
import { errorText } from './labels.ts'
import { referralStatsQuery, referralsKey } from './referral.api.ts'
import { ReferralFigures } from './referral-figures.tsx'
import { ReferralSearch } from './referral-search.ts'
import styles from './referrals.module.css'

const ResultDialog = lazy(() => import('../overview/result-dialog.tsx'))
const ReferralPeople = lazy(() => import('./referral-people.tsx'))

/** Referral Analytics: who referred whom, the results, and the referrals to review. */
export default function Referrals() {
  useLiveRefresh('growth', referralsKey)
  const cache = useQueryClient()
  const canSeePeople = useCan('growth.people')
  const figure = useFigure()
  const [, change] = useSearchState(ReferralSearch)
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
      <div className={styles.top} data-with-people={canSeePeople || undefined}>
        {canSeePeople && <HeldReferrals total={query.data?.toReview} onOpen={(referral) => change({ referral })} />}
        <div className={styles.groups}>
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
            <ReferralFigures stats={query.data.stats} onOpen={figure.onOpen} />
          ) : (
            <p className={styles.loading} role="status">
              Loading referrals...
            </p>
          )}
        </div>
        {canSeePeople && (
          <div className={styles.people}>
            <Suspense fallback={<ListSkeleton />}>
              <ReferralPeople toReview={query.data?.toReview} />
            </Suspense>
          </div>
        )}
      </div>
      {figure.figure && at && (
        <Suspense fallback={null}>
          <ResultDialog state={figure} refreshedAt={at} />
        </Suspense>
      )}
    </>
  )
}
