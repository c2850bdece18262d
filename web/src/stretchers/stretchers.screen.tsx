import { exportStretchers, type Stretcher, type StretcherFilter } from '@limber/contract/stretchers/stretcher.ts'
import { Button } from '@mantine/core'
import { IconPlus, IconStretching } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { StatStrip } from '#ui/charts/stat-strip.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { cx } from '#ui/layout/class-names.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { type Column, DataTable, type TablePage } from '#ui/table/data-table.tsx'
import { LazyExportButton } from '#ui/table/lazy-export-button.tsx'
import { useTableState } from '#ui/table/table-state.ts'
import { certificationsNote, nameOf, readinessLabels, readinessMeaning, trainingText, upcomingShort } from './labels.ts'
import { stretchersKey, stretchersQuery } from './stretcher.api.ts'
import { StretcherFilters } from './stretcher-filters.tsx'
import { StretcherSearch } from './stretcher-search.ts'
import styles from './stretchers.module.css'

function Certificates({ of }: { of: Stretcher['certifications'] }) {
  const note = certificationsNote(of)
  return (
    <span className={styles.two}>
      <span>{of.valid > 0 ? `${of.valid} valid` : 'None valid'}</span>
      {note && <span className={styles.meta}>{note}</span>}
    </span>
  )
}

const columns: Column<Stretcher>[] = [
  {
    key: 'name',
    title: 'Stretcher',
    sort: 'name',
    isTitle: true,
    cell: (row) => (
      <span className={styles.two}>
        <span className={styles.name}>{nameOf(row)}</span>
        <span className={cx(styles.meta, styles.email)}>{row.email}</span>
      </span>
    ),
  },
  { key: 'zone', title: 'Zone', cell: ({ zone }) => zone?.name ?? 'No zone' },
  {
    key: 'status',
    title: 'Status',
    cell: ({ readiness }) => (
      <StatusDot meaning={readiness === 'ready' ? 'plain' : readinessMeaning[readiness]}>
        {readinessLabels[readiness]}
      </StatusDot>
    ),
  },
  { key: 'training', title: 'Training', cell: ({ training }) => trainingText(training) },
  { key: 'certifications', title: 'Certifications', cell: (row) => <Certificates of={row.certifications} /> },
  {
    key: 'upcoming',
    title: 'Upcoming',
    cell: ({ upcoming }) => (
      <span className={styles.two}>
        <span>{upcomingShort(upcoming)}</span>
        {upcoming.nextAt && (
          <span className={styles.meta}>
            next <Moment at={upcoming.nextAt} />
          </span>
        )}
      </span>
    ),
  },
]

// Loaded when a stretcher is added.
const AddStretcher = lazy(async () => ({ default: (await import('./add-stretcher.tsx')).AddStretcher }))
// Loaded when a stretcher is opened.
const StretcherDialog = lazy(() => import('./stretcher-dialog.tsx'))

const SORTS = ['name', 'hired'] as const

/** The list of stretchers. */
export default function Stretchers() {
  useLiveRefresh('stretchers', stretchersKey)
  useLiveRefresh('certifications', stretchersKey)
  useLiveRefresh('businesses', stretchersKey)
  const [search, change] = useSearchState(StretcherSearch)
  const table = useTableState('stretchers', { limit: 25, sort: 'name' })
  const filters = {
    status: search.status,
    sort: SORTS.find((one) => one === table.sort?.by) ?? 'name',
    order: table.sort?.isDown ? ('desc' as const) : ('asc' as const),
    ...(search.q ? { search: search.q } : {}),
    ...(search.zone ? { zone: search.zone } : {}),
  }
  const options = stretchersQuery({ page: String(table.page), limit: String(table.limit), ...filters })
  const counts = useQuery(options).data?.counts
  const query = useQuery({
    ...options,
    select: ({ stretchers, pagination }): TablePage<Stretcher> => ({
      rows: stretchers,
      totalItems: pagination.totalItems,
    }),
  })
  const filter = (part: Partial<StretcherSearch>) => change({ ...part, page: 1 }, { replace: true })
  const isFiltered = search.q !== '' || search.status !== 'all' || search.zone !== ''
  const stats = [
    { id: 'active', label: 'Active', value: counts?.active ?? '--' },
    { id: 'not_certified', label: 'Not certified', value: counts?.not_certified ?? '--' },
    { id: 'in_training', label: 'In training', value: counts?.in_training ?? '--' },
    { id: 'inactive', label: 'Inactive', value: counts?.inactive ?? '--' },
  ]
  const add = (
    <Button leftSection={<Icon of={IconPlus} />} onClick={() => change({ mode: 'create' })}>
      Add stretcher
    </Button>
  )
  const actions = (
    <>
      <LazyExportButton call={exportStretchers} query={filters} total={query.data?.totalItems} />
      {add}
    </>
  )
  return (
    <>
      <PageHead title="Stretcher Management" actions={actions} isOneLine>
        Who gives sessions, and who is ready for one today.
      </PageHead>
      <div className={styles.page}>
        <StatStrip
          label="Stretchers by status"
          stats={stats}
          chosen={search.status === 'all' ? null : search.status}
          onChoose={(id) => filter({ status: (id ?? 'all') as StretcherFilter })}
        />
        <SectionCard isFlush>
          <StretcherFilters search={search} onChange={filter} />
          <DataTable
            label="Stretchers"
            query={query}
            columns={columns}
            keyOf={({ id }) => id}
            state={table}
            onOpen={({ id }) => change({ stretcher: id })}
            openKey={search.stretcher || null}
            density="two-line"
            failure="Couldn't load stretchers"
            empty={
              <EmptyState
                icon={IconStretching}
                title={isFiltered ? 'No stretchers found' : 'No stretchers yet'}
                action={!isFiltered && add}
              >
                {isFiltered
                  ? 'Try another search, zone or status.'
                  : 'Create an account or promote a user to add the first.'}
              </EmptyState>
            }
          />
        </SectionCard>
      </div>
      {search.mode !== '' && (
        <Suspense>
          <AddStretcher
            mode={search.mode}
            onMode={(mode) => change({ mode }, { replace: true })}
            onOpen={(stretcher) => change({ mode: '', stretcher })}
          />
        </Suspense>
      )}
      {search.stretcher > 0 && (
        <Suspense>
          <StretcherDialog key={search.stretcher} id={search.stretcher} onClose={() => change({ stretcher: 0 })} />
        </Suspense>
      )}
    </>
  )
}
