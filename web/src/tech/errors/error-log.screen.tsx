import type { Timeframe } from '@limber/contract/analytics/events/event.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { type ErrorGroup, type ErrorList, exportErrors, MAX_PEOPLE } from '@limber/contract/tech/errors/error-log.ts'
import { SegmentedControl } from '@mantine/core'
import { IconBugOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useThrottledRefresh } from '#platform/api/throttled-refresh.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { Sparkline } from '#ui/charts/sparkline.tsx'
import { StatStrip } from '#ui/charts/stat-strip.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { formatUpTo } from '#ui/format/row-count.ts'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { type Column, DataTable, type TablePage } from '#ui/table/data-table.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { useTableState } from '#ui/table/table-state.ts'
import { stateMeaning, stateText, timeframes, timeframeTexts } from '../labels.ts'
import styles from '../tech.module.css'
import { ErrorFilters } from './error-filters.tsx'
import { errorsKey, errorsQuery } from './error-log.api.ts'
import { ErrorSearch } from './error-search.ts'
import { ErrorTitle } from './error-title.tsx'

// Loaded when an error is opened, so that the list shows sooner.
const ErrorDetail = lazy(async () => ({ default: (await import('./error-detail.tsx')).ErrorDetail }))

const columns: Column<ErrorGroup>[] = [
  {
    key: 'error',
    title: 'Error',
    isTitle: true,
    cell: (group) => (
      <span className={styles.error}>
        <span className={styles.path}>
          <ErrorTitle group={group} />
        </span>
        <span className={styles.newest}>{group.newest.text ?? 'No message'}</span>
      </span>
    ),
  },
  {
    key: 'count',
    title: 'Count',
    sort: 'count',
    isDownFirst: true,
    isRight: true,
    cell: ({ count }) => formatInteger(count),
  },
  {
    key: 'people',
    title: 'People',
    sort: 'people',
    isDownFirst: true,
    isRight: true,
    cell: ({ people }) => formatUpTo(people, MAX_PEOPLE),
  },
  {
    key: 'trend',
    title: 'Trend',
    cell: ({ trend }) => <Sparkline values={trend} width={96} height={28} />,
  },
  {
    key: 'first',
    title: 'First seen',
    sort: 'firstSeen',
    isDownFirst: true,
    cell: ({ firstSeen }) => <Moment at={firstSeen} form="relative" />,
  },
  {
    key: 'last',
    title: 'Last seen',
    sort: 'lastSeen',
    isDownFirst: true,
    cell: ({ lastSeen }) => <Moment key={lastSeen} at={lastSeen} form="relative" />,
  },
  {
    key: 'state',
    title: 'State',
    cell: (group) => <StatusDot meaning={stateMeaning(group)}>{stateText(group)}</StatusDot>,
  },
]

const pageOf = ({ groups, pagination }: ErrorList): TablePage<ErrorGroup> => ({
  rows: groups,
  totalItems: pagination.totalItems,
})

function Figures({ list }: { list: ErrorList | undefined }) {
  const { totals } = list ?? {}
  const shown = (value: number | undefined) => (value === undefined ? '--' : formatInteger(value))
  return (
    <StatStrip
      label="Failures in this timeframe"
      stats={[
        { id: 'broken', label: 'Server errors (5xx)', value: shown(totals?.broken) },
        { id: 'refused', label: 'Rejected calls (4xx)', value: shown(totals?.refused) },
        { id: 'people', label: 'People affected', value: totals ? formatUpTo(totals.people, MAX_PEOPLE) : '--' },
        {
          id: 'open',
          label: 'Open error groups',
          value: shown(totals?.open),
          ...(totals && { note: `${formatInteger(totals.handled)} handled` }),
        },
      ]}
    />
  )
}

/** Failed calls of Limber and the customer app. */
export default function ErrorLog() {
  const [search, change] = useSearchState(ErrorSearch)
  const table = useTableState('tech.errors', { limit: 25, sort: '-lastSeen' })
  useThrottledRefresh('errors', errorsKey)
  const filters = Object.fromEntries(
    Object.entries({ class: search.class, source: search.source, state: search.state, search: search.q }).filter(
      ([, value]) => value !== '',
    ),
  )
  const listQuery = errorsQuery({
    ...filters,
    timeframe: search.timeframe,
    sort: search.sort,
    page: String(table.page),
    limit: String(table.limit),
  })
  const list = useQuery(listQuery)
  const query = useQuery({ ...listQuery, select: pageOf })
  // A changed filter goes back to the first page.
  const filter = (part: Partial<ErrorSearch>) =>
    change({ ...part, ...({ page: undefined } as object) }, { replace: true })
  const isFiltered = Object.keys(filters).length > 0
  return (
    <>
      <PageHead
        title="Error log"
        actions={
          <>
            <SegmentedControl
              aria-label="Timeframe"
              data={[...timeframes]}
              value={search.timeframe}
              onChange={(timeframe) => filter({ timeframe: timeframe as Timeframe })}
            />
            <ExportButton
              call={exportErrors}
              query={{ ...filters, timeframe: search.timeframe, sort: search.sort }}
              total={query.data?.totalItems}
            />
          </>
        }
      >
        Failed calls in {timeframeTexts[search.timeframe]}, grouped by path and status.
      </PageHead>
      <div className={styles.page}>
        <Figures list={list.data} />
        <SectionCard isFlush>
          <ErrorFilters search={search} onChange={filter} />
          <DataTable
            label="Error groups"
            query={query}
            columns={columns}
            keyOf={({ id }) => id}
            state={table}
            onOpen={({ id }) => change({ error: id, before: '' })}
            openKey={search.error || null}
            density="two-line"
            failure="Couldn't load the error log"
            empty={
              <EmptyState icon={IconBugOff} title={isFiltered ? 'No errors found' : 'No errors'}>
                {isFiltered
                  ? 'Clear a filter or select a longer timeframe.'
                  : `No call failed in ${timeframeTexts[search.timeframe]}.`}
              </EmptyState>
            }
          />
        </SectionCard>
      </div>
      <Suspense>
        {search.error > 0 && (
          <ErrorDetail
            key={search.error}
            id={search.error}
            timeframe={search.timeframe}
            before={search.before}
            onBefore={(before) => change({ before })}
            onClose={() => change({ error: 0, before: '' })}
          />
        )}
      </Suspense>
    </>
  )
}
