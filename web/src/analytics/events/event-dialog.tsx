import type { AnalyticsEvent } from '@limber/contract/analytics/events/event.ts'
import { formatNumber } from '@limber/contract/kit/formats/numbers.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { CopyButton } from '#ui/layout/copy-button.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { actionLabel } from '../action-label.ts'
import { useEvent } from '../dashboard/dashboard.api.ts'
import styles from '../dashboard/dashboard.module.css'
import { EventUser } from './event-user.tsx'

function Detail({ event }: { event: AnalyticsEvent }) {
  const hasFailed = event.event_outcome === 'failure'
  return (
    <Facts>
      <Facts.Row label="Time">
        <span>
          <Moment at={event.createdAt} form="exact" />
        </span>
      </Facts.Row>
      <Facts.Row label="Outcome">
        <StatusBadge meaning={hasFailed ? 'red' : 'green'}>{actionLabel(event.event_outcome)}</StatusBadge>
      </Facts.Row>
      <Facts.Row label="Action type">
        <code className={styles.code}>{event.action_type}</code>
      </Facts.Row>
      <Facts.Row label="User">
        <EventUser user={event.user} />
        {event.user && (
          <span className={styles.muted}>
            {event.user.kind} {event.user.id}
          </span>
        )}
      </Facts.Row>
      <Facts.Row label="Request">
        <code className={styles.code}>
          <span className={styles.muted}>{event.method}</span> {event.url}
        </code>
      </Facts.Row>
      <Facts.Row label="Path">
        <code className={styles.code}>{event.path}</code>
      </Facts.Row>
      <Facts.Row label="Status">{event.response_status}</Facts.Row>
      <Facts.Row label="Response time">{formatNumber(event.response_time)} ms</Facts.Row>
      <Facts.Row label="IP address">{event.ip_address ?? 'unknown'}</Facts.Row>
      <Facts.Row label="Source">{event.source === 'staff' ? 'back office' : 'customer product'}</Facts.Row>
      <Facts.Row label="Event ID">
        <code className={styles.code}>{event.id}</code>
        <CopyButton text={event.id} label="Copy event ID" />
      </Facts.Row>
    </Facts>
  )
}

/** All details of one event. */
export function EventDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useEvent(id)
  return (
    <Dialog
      isOpen={id !== ''}
      onClose={onClose}
      title={query.data ? actionLabel(query.data.action_type) : 'Event'}
      context="Usage event"
      size={520}
    >
      <QueryView query={query} loading={<TextSkeleton lines={8} />} failure="Couldn't load this event">
        {(event) => <Detail event={event} />}
      </QueryView>
    </Dialog>
  )
}
