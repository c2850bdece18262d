import {
  exportDeliveries,
  type WebhookDelivery,
  type WebhookEndpoint,
} from '@limber/contract/access/webhooks/webhook.ts'
import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { ActionIcon, Button, NativeSelect, VisuallyHidden } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconRefresh, IconWebhook } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { now } from '#platform/clock.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { Moment } from '#ui/format/moment.tsx'
import { momentText } from '#ui/format/moment-text.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { LazyExportButton } from '#ui/table/lazy-export-button.tsx'
import { figure, PlainTable } from '#ui/table/plain-table.tsx'
import { deliveriesQuery, type Shown, useRedeliver, useRedeliverFailed } from './webhook.api.ts'
import { recordText, replyStatus } from './webhook-labels.ts'
import styles from './webhooks.module.css'

const HOUR = 3_600_000

const filters: readonly [Shown, string][] = [
  ['all', 'All'],
  ['open', 'Not delivered'],
  ['delivered', 'Delivered'],
]

const spans = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '720', label: 'Last 30 days' },
]

// Loads when a row is first opened.
const DeliveryDetail = lazy(() => import('./delivery-detail.tsx').then((file) => ({ default: file.DeliveryDetail })))

interface RowProps {
  endpointId: number
  delivery: WebhookDelivery
  isOpen: boolean
  onToggle: () => void
}

function Row({ endpointId, delivery, isOpen, onToggle }: RowProps) {
  const again = useRedeliver(endpointId)
  const { meaning, text } = replyStatus(delivery)
  const last = delivery.attempts.at(-1)
  const redeliver = () =>
    again.mutateAsync(delivery.id).then(
      () => toast('Redelivering the event.'),
      (error: unknown) => toastFailure("Couldn't redeliver the event", error),
    )
  return (
    <>
      <tr data-open={isOpen || undefined}>
        <td className={styles.toggle}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-expanded={isOpen}
            aria-label={`Details of ${delivery.eventType}, ${momentText(delivery.createdAt)}`}
            onClick={onToggle}
          >
            <Icon of={isOpen ? IconChevronDown : IconChevronRight} />
          </ActionIcon>
        </td>
        <td>{delivery.eventType}</td>
        <td className={styles.second}>{recordText(delivery)}</td>
        <td className={styles.second}>
          <Moment at={delivery.createdAt} />
        </td>
        <td className={figure}>{delivery.attempts.length}</td>
        <td>
          <StatusDot meaning={meaning}>{text}</StatusDot>
        </td>
        <td className={figure}>{last ? `${formatInteger(last.durationMs)} ms` : '–'}</td>
        <td className={styles.act}>
          <Button variant="default" size="xs" loading={again.isPending} onClick={() => void redeliver()}>
            Redeliver
          </Button>
        </td>
      </tr>
      {isOpen && (
        <tr data-open>
          <td colSpan={8} className={styles.detail}>
            <Suspense fallback={<TextSkeleton lines={4} />}>
              <DeliveryDetail endpointId={endpointId} id={delivery.id} />
            </Suspense>
          </td>
        </tr>
      )}
    </>
  )
}

interface Props {
  endpoint: WebhookEndpoint
  show: Shown
  openId: number
  onShow: (show: Shown) => void
  onOpen: (id: number) => void
}

/** What was sent to an endpoint, newest first; a row opens to its attempts, request and reply. */
export function Deliveries({ endpoint, show, openId, onShow, onOpen }: Props) {
  const query = useInfiniteQuery(deliveriesQuery(endpoint.id, show))
  const again = useRedeliverFailed(endpoint.id)
  const [hours, setHours] = useState('24')
  const open = endpoint.waiting + endpoint.failed
  const isEmpty = query.data?.pages[0]?.deliveries.length === 0
  const redeliverAll = () =>
    again.mutateAsync(new Date(now().getTime() - Number(hours) * HOUR).toISOString()).then(
      ({ count }) =>
        toast(count === 0 ? 'Nothing failed in this period.' : `Redelivering ${pluralize(count, 'event')}.`),
      (error: unknown) => toastFailure("Couldn't redeliver the events", error),
    )
  return (
    <section aria-label="Deliveries">
      <div className={styles.bar}>
        <h3>Deliveries</h3>
        {/* biome-ignore lint/a11y/useSemanticElements: buttons that filter */}
        <div className={styles.chips} role="group" aria-label="Show">
          {filters.map(([value, label]) => (
            <button key={value} type="button" aria-pressed={show === value} onClick={() => onShow(value)}>
              {label}
              {value === 'open' && open > 0 && <span>{formatInteger(open)}</span>}
            </button>
          ))}
        </div>
        <span className={styles.again}>
          {open > 0 && (
            <>
              <NativeSelect
                size="xs"
                aria-label="Failed since"
                data={spans}
                value={hours}
                onChange={(event) => setHours(event.currentTarget.value)}
              />
              <Button
                variant="default"
                size="xs"
                leftSection={<Icon of={IconRefresh} />}
                loading={again.isPending}
                onClick={() => void redeliverAll()}
              >
                Redeliver failed
              </Button>
            </>
          )}
          <LazyExportButton
            call={exportDeliveries}
            params={{ id: String(endpoint.id) }}
            query={{ show }}
            total={isEmpty ? 0 : undefined}
          />
        </span>
      </div>
      <QueryView query={query} failure="Couldn't load deliveries" loading={<TextSkeleton lines={6} />}>
        {({ pages }) => {
          const rows = pages.flatMap(({ deliveries }) => deliveries)
          if (rows.length === 0)
            return (
              <EmptyState icon={IconWebhook} title={show === 'open' ? 'Everything was delivered' : 'No deliveries yet'}>
                {show === 'open'
                  ? 'Events that could not be delivered appear here.'
                  : 'Each event that is sent appears here. Send a test event to try it.'}
              </EmptyState>
            )
          return (
            <>
              <PlainTable label="Deliveries">
                <thead>
                  <tr>
                    <th>
                      <VisuallyHidden>Details</VisuallyHidden>
                    </th>
                    <th>Event</th>
                    <th>Record</th>
                    <th>Time</th>
                    <th className={figure}>Attempts</th>
                    <th>Reply</th>
                    <th className={figure}>Duration</th>
                    <th>
                      <VisuallyHidden>Redeliver</VisuallyHidden>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map((delivery) => (
                    <Row
                      key={delivery.id}
                      endpointId={endpoint.id}
                      delivery={delivery}
                      isOpen={delivery.id === openId}
                      onToggle={() => onOpen(delivery.id === openId ? 0 : delivery.id)}
                    />
                  ))}
                </tbody>
              </PlainTable>
              {query.hasNextPage && (
                <div className={styles.more}>
                  <Button
                    variant="default"
                    size="xs"
                    loading={query.isFetchingNextPage}
                    onClick={() => void query.fetchNextPage()}
                  >
                    Show older
                  </Button>
                </div>
              )}
            </>
          )
        }}
      </QueryView>
    </section>
  )
}
