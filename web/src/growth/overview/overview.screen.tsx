import { DEFAULT_RANGE, GrowthRange } from '@limber/contract/growth/values.ts'
import { formatDayRange } from '@limber/contract/kit/formats/dates.ts'
import { lazy, Suspense } from 'react'
import { z } from 'zod'
import { NextStep } from '#platform/routing/next-step.tsx'
import { useSearchState } from '#platform/routing/search.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { BlockSkeleton } from '#ui/feedback/skeleton.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { useLiveGrowth, useOverview, useTrends } from '../growth.api.ts'
import { definitionOf, figureSearch } from './figure-labels.ts'
import { BookingsCard, BusinessesCard, GrowthCard } from './health-cards.tsx'
import styles from './overview.module.css'
import { Ticker } from './ticker.tsx'
import type { Trends } from './trend.tsx'
import { UsersCard } from './users-card.tsx'

const FigureDialog = lazy(() => import('./figure-dialog.tsx'))

export const Search = z.object({ range: GrowthRange.catch(DEFAULT_RANGE), ...figureSearch })

const noTrends: Trends = { userGrowth: [], churn: [], bookings: [], businesses: [] }

const skeleton = (height: number, isWide = false) => (
  <div className={isWide ? styles.wide : ''} aria-hidden>
    <BlockSkeleton height={height} />
  </div>
)

/** Company growth at a glance. Each number opens its definition. */
export default function OverviewScreen() {
  const [{ range, figure, page }, change] = useSearchState(Search)
  const overview = useOverview(range)
  const { data, isError } = useTrends(range)
  // Trend failures stay silent: the number next to a trend is enough.
  const trends = data ?? (isError ? noTrends : undefined)
  useLiveGrowth()
  const { data: known, isPending } = overview
  const wait = (...size: Parameters<typeof skeleton>) => isPending && skeleton(...size)
  const span = known?.span
  const open = (name: string) => change({ figure: name, page: 1 })
  return (
    <>
      <PageHead title="Overview">
        {span ? (
          <>
            {formatDayRange(span.from, span.to)}. Last refreshed{' '}
            <Moment key={span.refreshedAt} at={span.refreshedAt} form="relative" />.
          </>
        ) : (
          'Users, bookings and partners at a glance.'
        )}
      </PageHead>
      <QueryView query={overview} loading={false} failure="Failed to load dashboard data.">
        {({ warnings }) => <Ticker warnings={warnings} />}
      </QueryView>
      <div className={styles.cards} aria-busy={overview.isPlaceholderData}>
        {known?.users.total === 0 && (
          <div className={styles.wide}>
            <Banner
              action={
                <NextStep to="/worker/import" search={{ kind: 'customers' }} needs="access.manage">
                  Import customers
                </NextStep>
              }
            >
              The figures follow from your customers and their bookings. There are no customers yet.
            </Banner>
          </div>
        )}
        {known ? <UsersCard users={known.users} trend={trends?.userGrowth} onOpen={open} /> : wait(220, true)}
        <GrowthCard
          users={known?.users}
          waiting={wait(130)}
          trends={trends}
          range={range}
          onRange={(next) => change({ range: next })}
          onOpen={open}
        />
        {known ? <BookingsCard bookings={known.bookings} trends={trends} onOpen={open} /> : wait(190)}
        {known ? <BusinessesCard businesses={known.businesses} trends={trends} onOpen={open} /> : wait(190)}
      </div>
      {span && definitionOf(figure) && (
        <Suspense fallback={null}>
          <FigureDialog
            figure={figure}
            span={span}
            page={page}
            onPage={(next, how) => change({ page: next }, how)}
            onOpen={open}
            onClose={() => change({ figure: '', page: 1 })}
          />
        </Suspense>
      )}
    </>
  )
}
