import { type AnalyticsEvent, exportEvents, type Timeframe } from '@limber/contract/analytics/events/event.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { IconListSearch } from '@tabler/icons-react'
import { now } from '#platform/clock.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import type { TableState } from '#ui/table/table-state.ts'
import { actionLabel } from '../action-label.ts'
import type { useEvents } from '../dashboard/dashboard.api.ts'
import styles from '../dashboard/dashboard.module.css'
import { msText } from '../labels.ts'
import { EventUser } from './event-user.tsx'

const isToday = (at: string) => companyDay(new Date(at)) === companyDay(now())
const hasFailed = (event: AnalyticsEvent) => event.event_outcome === 'failure'

const columns: Column<AnalyticsEvent>[] = [
  {
    key: 'time',
    title: 'Time',
    cell: (event) => <Moment at={event.createdAt} form={isToday(event.createdAt) ? 'seconds' : 'moment'} />,
  },
  {
    key: 'action',
    title: 'Action',
    isTitle: true,
    cell: (event) => <span title={event.action_type}>{actionLabel(event.action_type)}</span>,
  },
  {
    key: 'outcome',
    title: 'Outcome',
    cell: (event) => (
      <StatusDot meaning={hasFailed(event) ? 'red' : 'green'}>{actionLabel(event.event_outcome)}</StatusDot>
    ),
  },
  {
    key: 'request',
    title: 'Request',
    cell: (event) => (
      <span className={styles.request} title={event.url}>
        <span className={styles.muted}>{event.method}</span> {event.url}
      </span>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    isRight: true,
    cell: (event) => <span data-failed={event.response_status >= 400 || undefined}>{event.response_status}</span>,
  },
  { key: 'response', title: 'Response', isRight: true, cell: (event) => `${msText(event.response_time)} ms` },
  { key: 'user', title: 'User', cell: (event) => <EventUser user={event.user} /> },
]

interface Props {
  query: ReturnType<typeof useEvents>
  timeframe: Timeframe
  action: string
  state: TableState
  openId: string
  onOpen: (id: string) => void
}

/** Events, newest first. */
export function RecentEvents({ query, timeframe, action, state, openId, onOpen }: Props) {
  return (
    <SectionCard
      title="Recent events"
      isFlush
      className={styles.events ?? ''}
      actions={<ExportButton call={exportEvents} query={{ timeframeEvents: timeframe, actionTypeFilter: action }} />}
    >
      <DataTable
        label="Events, newest first"
        density="tight"
        query={query}
        columns={columns}
        keyOf={(event) => event.id}
        state={state}
        onOpen={(event) => onOpen(event.id)}
        openKey={openId}
        failure="Failed to fetch dashboard data"
        empty={
          <EmptyState icon={IconListSearch} title="No events in this period">
            {action === ''
              ? 'Select a longer timeframe.'
              : `No “${actionLabel(action)}” events. Select another action type or a longer timeframe.`}
          </EmptyState>
        }
      />
    </SectionCard>
  )
}
