import { formatDayRange } from '@limber/contract/kit/formats/dates.ts'
import { exportSupportReport } from '@limber/contract/support/report/report.ts'
import { IconChartBar } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useThrottledRefresh } from '#platform/api/throttled-refresh.ts'
import { now } from '#platform/clock.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { daysOf, queryOf, reportKey, reportQuery } from './report.api.ts'
import styles from './report.module.css'
import { ReportFilters } from './report-filters.tsx'
import { ReportSearch } from './report-search.ts'
import { BacklogCard, Summary } from './report-summary.tsx'
import { ReportTable } from './report-table.tsx'

// The report reads many tickets, and nobody watches it by the second.
const REFRESH_EVERY = 30_000

const isNothing = (numbers: readonly number[]) => numbers.every((number) => number === 0)

/** How the desk does: volume, response times, promises, satisfaction and backlog. Each number opens its tickets. */
export default function SupportReport() {
  const [search, change] = useSearchState(ReportSearch)
  const query = useQuery(reportQuery(search))
  useThrottledRefresh('tickets', reportKey, REFRESH_EVERY)
  const { from, to } = daysOf(search)
  return (
    <>
      <PageHead
        title="Support report"
        actions={<ExportButton call={exportSupportReport} query={queryOf(search)} />}
        isOneLine
      >
        {formatDayRange(from, to, { now: now() })}. Each number opens its tickets.
      </PageHead>
      <ReportFilters search={search} onChange={change} />
      <QueryView
        query={query}
        failure="Couldn't load the report"
        loading={<ListSkeleton rows={8} hasPicture={false} />}
        isEmpty={({ total, backlog }) =>
          isNothing([total.opened, total.replied, total.closed, ...backlog.map(({ tickets }) => tickets)])
        }
        empty={
          <EmptyState icon={IconChartBar} title="No tickets in this range">
            Choose other days or clear the filters.
          </EmptyState>
        }
      >
        {(report) => (
          <div className={styles.parts}>
            <Summary search={search} total={report.total} />
            <ReportTable search={search} report={report} onChange={change} />
            <BacklogCard search={search} backlog={report.backlog} />
          </div>
        )}
      </QueryView>
    </>
  )
}
