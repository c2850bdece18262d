import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import {
  channelLabels,
  exportNotifications,
  type Notification,
  NotificationChannel,
  type NotificationList,
  NotificationStatus,
} from '@limber/contract/support/notifications/notification.ts'
import { Button, NativeSelect } from '@mantine/core'
import { IconBell, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { z } from 'zod'
import { prefetchOnHover } from '#platform/api/prefetch-on-hover.ts'
import { useThrottledRefresh } from '#platform/api/throttled-refresh.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { Can, useCan } from '#platform/session/session.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { type Column, DataTable, type TablePage } from '#ui/table/data-table.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { useTableState } from '#ui/table/table-state.ts'
import { notificationsKey, notificationsQuery } from './notification.api.ts'
import { reachedCount, statusLabels, statusMeaning } from './notification-labels.ts'
import styles from './notifications.module.css'

// Loaded on demand, so that the list appears sooner.
const loadComposer = () => import('./notification-composer.tsx')
const Composer = lazy(async () => ({ default: (await loadComposer()).NotificationComposer }))
const Detail = lazy(async () => ({ default: (await import('./notification-detail.tsx')).NotificationDetail }))

export const Search = z.object({
  status: NotificationStatus.or(z.literal('')).catch(''),
  channel: NotificationChannel.or(z.literal('')).catch(''),
  notification: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).catch(0),
  compose: z.enum(['yes', '']).catch(''),
})

const hasCounts = ({ status }: Notification) => status !== 'scheduled' && status !== 'undone' && status !== 'cancelled'

const columns: Column<Notification>[] = [
  { key: 'title', title: 'Title', isTitle: true, wraps: true, cell: ({ title }) => title },
  {
    key: 'status',
    title: 'Status',
    cell: ({ status }) => <StatusDot meaning={statusMeaning[status]}>{statusLabels[status]}</StatusDot>,
  },
  { key: 'channel', title: 'Channel', cell: ({ channel }) => channelLabels[channel] },
  {
    key: 'audience',
    wraps: true,
    title: 'Audience',
    cell: ({ audienceText }) => <span className={styles.audience}>{audienceText}</span>,
  },
  { key: 'people', title: 'People', isRight: true, cell: ({ counts }) => formatInteger(counts.people) },
  {
    key: 'reached',
    title: 'Reached',
    isRight: true,
    cell: (row) => (hasCounts(row) ? formatInteger(reachedCount(row)) : '--'),
  },
  {
    key: 'failed',
    title: 'Failed',
    isRight: true,
    cell: (row) => (hasCounts(row) ? formatInteger(row.counts.failed) : '--'),
  },
  { key: 'out', title: 'Opted out', isRight: true, cell: ({ counts }) => formatInteger(counts.optedOut) },
  { key: 'at', title: 'Send time', cell: ({ sendAt }) => <Moment at={sendAt} form="relative" /> },
]

const pageOf = ({ data, pagination }: NotificationList): TablePage<Notification> => ({
  rows: data,
  totalItems: pagination.totalItems,
})

const statuses = [
  { value: '', label: 'Any status' },
  ...NotificationStatus.options.map((status) => ({ value: status, label: statusLabels[status] })),
]
const channels = [
  { value: '', label: 'Any channel' },
  ...NotificationChannel.options.map((channel) => ({ value: channel, label: channelLabels[channel] })),
]

/** Sent and scheduled notifications. */
export default function Notifications() {
  const [{ status, channel, notification, compose }, change] = useSearchState(Search)
  const mayCompose = useCan('notifications.send')
  const state = useTableState('notifications')
  useThrottledRefresh('notifications', notificationsKey, 1_000)
  const filters = { ...(status && { status }), ...(channel && { channel }) }
  const options = notificationsQuery({ page: String(state.page), limit: String(state.limit), ...filters })
  const query = useQuery({ ...options, select: pageOf })
  const filter = (part: Partial<z.output<typeof Search>>) => {
    change(part, { replace: true })
    if (state.page !== 1) state.setPage(1)
  }
  const isFiltered = Object.keys(filters).length > 0
  const opener = (
    <Button
      leftSection={<Icon of={IconSend} />}
      {...prefetchOnHover(loadComposer)}
      onClick={() => change({ compose: 'yes' })}
    >
      Send Notification
    </Button>
  )
  const actions = (
    <>
      <ExportButton call={exportNotifications} query={filters} total={query.data?.totalItems} />
      <Can permission="notifications.send">{opener}</Can>
    </>
  )
  return (
    <>
      <PageHead title="Notifications" actions={actions}>
        Messages to many people at once, by email or text message. People who opted out are excluded.
      </PageHead>
      <div className={styles.page}>
        <SectionCard isFlush>
          <div className={styles.filters}>
            <NativeSelect
              aria-label="Status"
              data={statuses}
              value={status}
              onChange={(event) => filter({ status: event.currentTarget.value as typeof status })}
            />
            <NativeSelect
              aria-label="Channel"
              data={channels}
              value={channel}
              onChange={(event) => filter({ channel: event.currentTarget.value as typeof channel })}
            />
          </div>
          <DataTable
            label="Notifications, newest first"
            query={query}
            columns={columns}
            keyOf={({ id }) => id}
            state={state}
            onOpen={({ id }) => change({ notification: id })}
            openKey={notification || null}
            failure="Couldn't load notifications"
            empty={
              <EmptyState
                icon={IconBell}
                title={isFiltered ? 'No notifications found' : 'No notifications yet'}
                {...(!isFiltered && {
                  action: (
                    <Button variant="default" onClick={() => change({ compose: 'yes' })}>
                      Write one
                    </Button>
                  ),
                })}
              >
                {isFiltered ? 'Clear a filter to see more.' : 'Sent and scheduled notifications will appear here.'}
              </EmptyState>
            }
          />
        </SectionCard>
      </div>
      <Suspense>
        {notification > 0 && (
          <Detail key={notification} id={notification} onClose={() => change({ notification: 0 })} />
        )}
        {compose === 'yes' && mayCompose && <Composer onClose={() => change({ compose: '' })} />}
      </Suspense>
    </>
  )
}
