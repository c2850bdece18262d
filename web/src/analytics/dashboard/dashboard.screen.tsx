import type { Dashboard } from '@limber/contract/analytics/dashboard/dashboard.ts'
import { Timeframe } from '@limber/contract/analytics/events/event.ts'
import { NativeSelect, SegmentedControl } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { z } from 'zod'
import { useSearchState } from '#platform/routing/search.ts'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { useFigure } from '#ui/figures/use-figure.ts'
import { Moment } from '#ui/format/moment.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { useTableState } from '#ui/table/table-state.ts'
import { actionLabel } from '../action-label.ts'
import { EventDialog } from '../events/event-dialog.tsx'
import { RecentEvents } from '../events/recent-events.tsx'
import { names, spanText, timeframes } from '../labels.ts'
import { ActionsByType } from './actions-by-type.tsx'
import { useDashboard, useEvents, useLiveFigures } from './dashboard.api.ts'
import styles from './dashboard.module.css'
import { DashboardSkeleton } from './dashboard-skeleton.tsx'
import { EventsOverTime } from './events-over-time.tsx'
import { Figures } from './figures.tsx'
import { ResponseTimes } from './response-times.tsx'

const UsageFigure = lazy(() => import('./usage-figure.tsx'))

export const Search = z.object({
  events: Timeframe.catch('week'),
  performance: Timeframe.catch('week'),
  action: z.string().max(100).catch(''),
  event: z.string().max(40).catch(''),
})

function Context({ dashboard, updatedAt }: { dashboard: Dashboard | undefined; updatedAt: number }) {
  if (!dashboard) return 'Product usage events'
  const { span, zone } = dashboard
  return (
    <>
      Product usage events, {spanText(span.timeframe, span.from, span.to, zone)}, compared with{' '}
      {names[span.timeframe].against}. Updated {/* A new one each time, so that it counts from now. */}
      <Moment key={updatedAt} at={new Date(updatedAt).toISOString()} form="relative" />.
    </>
  )
}

/** The filter options. Includes the type from the URL even when the period has no such event. */
function actionChoices(dashboard: Dashboard | undefined, action: string) {
  const types = (dashboard?.actions.types ?? []).map(({ type }) => type)
  const all = action === '' || types.includes(action) ? types : [action, ...types]
  return [
    { value: '', label: 'All action types' },
    ...all.toSorted().map((type) => ({ value: type, label: actionLabel(type) })),
  ]
}

/** Product usage at a glance, live while it is open. */
export default function DashboardScreen() {
  const [search, change] = useSearchState(Search)
  const figure = useFigure()
  const table = useTableState('analytics.events')
  const query = useDashboard({
    timeframeEvents: search.events,
    timeframePerformance: search.performance,
    actionTypeFilter: search.action,
  })
  // Loads in parallel with the figures.
  const events = useEvents(search.events, search.action, table.page, table.limit)
  useLiveFigures(table.page === 1)
  // A new timeframe or filter starts at page 1.
  const filter = (part: Partial<z.output<typeof Search>>) => change({ ...part, ...({ page: undefined } as object) })
  const filters = (
    <>
      <span className={styles.label} aria-hidden>
        Events
      </span>
      <SegmentedControl
        aria-label="Timeframe for events"
        data={[...timeframes]}
        value={search.events}
        onChange={(events) => filter({ events: events as Timeframe })}
      />
      <NativeSelect
        aria-label="Action type"
        className={styles.filter ?? ''}
        classNames={{ input: styles.select ?? '' }}
        data={actionChoices(query.data, search.action)}
        value={search.action}
        onChange={(event) => filter({ action: event.currentTarget.value })}
      />
    </>
  )
  return (
    <>
      <PageHead title="Analytics Dashboard" actions={filters}>
        <Context dashboard={query.data} updatedAt={query.dataUpdatedAt} />
      </PageHead>
      <QueryView query={query} loading={<DashboardSkeleton />} failure="Failed to fetch dashboard data">
        {(dashboard) => (
          <div aria-busy={query.isPlaceholderData}>
            <Figures dashboard={dashboard} onOpen={figure.onOpen} />
            {figure.figure && (
              <Suspense fallback={null}>
                <UsageFigure state={figure} dashboard={dashboard} action={search.action} />
              </Suspense>
            )}
            <div className={styles.columns}>
              <EventsOverTime dashboard={dashboard} />
              <ActionsByType dashboard={dashboard} />
              <RecentEvents
                query={events}
                timeframe={search.events}
                action={search.action}
                state={table}
                openId={search.event}
                onOpen={(event) => change({ event })}
              />
              <ResponseTimes
                dashboard={dashboard}
                timeframe={search.performance}
                onTimeframe={(performance) => change({ performance })}
              />
            </div>
          </div>
        )}
      </QueryView>
      <EventDialog id={search.event} onClose={() => change({ event: '' })} />
    </>
  )
}
