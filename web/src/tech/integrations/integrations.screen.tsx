import {
  exportIntegrations,
  type IntegrationEvent,
  type IntegrationList,
} from '@limber/contract/tech/integrations/integration.ts'
import { Button, VisuallyHidden } from '@mantine/core'
import { IconArrowDownLeft, IconArrowUpRight, IconPlugConnected, IconReload } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useThrottledRefresh } from '#platform/api/throttled-refresh.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { type Column, DataTable, type TablePage } from '#ui/table/data-table.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import styles from '../tech.module.css'
import { integrationCountsQuery, integrationsKey, integrationsQuery } from './integration.api.ts'
import { IntegrationFigures } from './integration-figures.tsx'
import { IntegrationFilters } from './integration-filters.tsx'
import { aboutText, kindText, statusLabels, statusMeaning } from './integration-labels.ts'
import { IntegrationSearch, readEvent } from './integration-search.ts'
import { retryAll } from './retry-all.ts'

// Loaded when an event is opened, so that the list shows sooner.
const DeliveryDetail = lazy(async () => ({ default: (await import('./delivery-detail.tsx')).DeliveryDetail }))
const InboundDetail = lazy(async () => ({ default: (await import('./inbound-detail.tsx')).InboundDetail }))

const columns: Column<IntegrationEvent>[] = [
  {
    key: 'about',
    wraps: true,
    title: 'Description',
    isTitle: true,
    cell: (event) => <span className={styles.about}>{aboutText(event)}</span>,
  },
  {
    key: 'status',
    title: 'Status',
    cell: ({ status }) => <StatusDot meaning={statusMeaning[status]}>{statusLabels[status]}</StatusDot>,
  },
  {
    key: 'kind',
    title: 'Type',
    cell: ({ direction, kind }) => (
      <span className={styles.kind}>
        <Icon of={direction === 'in' ? IconArrowDownLeft : IconArrowUpRight} size={14} />
        {kindText(kind)}
        <VisuallyHidden>{direction === 'in' ? ', inbound' : ', outgoing'}</VisuallyHidden>
      </span>
    ),
  },
  { key: 'tries', title: 'Attempts', isRight: true, cell: ({ tries }) => tries },
  { key: 'at', title: 'Created', cell: ({ at }) => <Moment at={at} form="relative" /> },
  { key: 'next', title: 'Next attempt', cell: ({ nextTryAt }) => <Moment at={nextTryAt} /> },
  {
    key: 'error',
    wraps: true,
    title: 'Last error',
    cell: ({ lastError }) => <span className={styles.lastError}>{lastError ?? '--'}</span>,
  },
]

const pageOf = ({ events }: IntegrationList): TablePage<IntegrationEvent> => ({
  rows: events,
  totalItems: events.length,
})

function RetryAll() {
  const dead = useQuery(integrationCountsQuery).data?.dead ?? 0
  const cache = useQueryClient()
  if (dead === 0) return null
  const retry = () => void retryAll(dead).then(() => cache.invalidateQueries({ queryKey: integrationsKey }))
  return (
    <Button variant="default" leftSection={<Icon of={IconReload} />} onClick={retry}>
      Retry all failed
    </Button>
  )
}

/** Outgoing deliveries and inbound events. */
export default function Integrations() {
  const [search, change] = useSearchState(IntegrationSearch)
  useThrottledRefresh('integrations', integrationsKey)
  const { direction, kind, status, q, before } = search
  const filters = {
    ...(direction && { direction }),
    ...(kind && { kind }),
    ...(status && { status }),
    ...(q && { search: q }),
  }
  const listQuery = integrationsQuery({ ...filters, ...(before && { before }) })
  const next = useQuery(listQuery).data?.next
  const query = useQuery({ ...listQuery, select: pageOf })
  const filter = (part: Partial<IntegrationSearch>) => change({ ...part, before: '' }, { replace: true })
  const isFiltered = Object.keys(filters).length > 0
  const open = readEvent(search.event)
  const close = () => change({ event: '' })
  const foot = (
    <div className={styles.foot}>
      <Button variant="default" size="xs" disabled={before === ''} onClick={() => change({ before: '' })}>
        Newest
      </Button>
      <Button variant="default" size="xs" disabled={!next} onClick={() => change({ before: next ?? '' })}>
        Older
      </Button>
    </div>
  )
  const actions = (
    <>
      <ExportButton call={exportIntegrations} query={filters} />
      <RetryAll />
    </>
  )
  return (
    <>
      <PageHead title="Integration events" actions={actions}>
        Outgoing emails, text messages, notifications and ads, and inbound events from other services.
      </PageHead>
      <div className={styles.page}>
        <IntegrationFigures search={search} onChange={filter} />
        <SectionCard isFlush foot={foot}>
          <IntegrationFilters search={search} onChange={filter} />
          <DataTable
            label="Integration events, newest first"
            query={query}
            columns={columns}
            keyOf={(event) => `${event.direction}-${event.id}`}
            onOpen={(event) => change({ event: `${event.direction}-${event.id}` })}
            openKey={search.event || null}
            failure="Couldn't load events"
            empty={
              <EmptyState icon={IconPlugConnected} title={isFiltered ? 'No events found' : 'No events yet'}>
                {isFiltered ? 'Clear a filter to see more.' : 'Deliveries and inbound events will appear here.'}
              </EmptyState>
            }
          />
        </SectionCard>
      </div>
      <Suspense>
        {open?.direction === 'out' && <DeliveryDetail key={open.id} id={open.id} onClose={close} />}
        {open?.direction === 'in' && <InboundDetail key={open.id} id={open.id} onClose={close} />}
      </Suspense>
    </>
  )
}
