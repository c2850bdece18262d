import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import {
  channelLabels,
  type Notification,
  type NotificationReport,
  UNDO_SECONDS,
} from '@limber/contract/support/notifications/notification.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Can } from '#platform/session/session.tsx'
import { Progress } from '#ui/charts/progress.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { notificationQuery } from './notification.api.ts'
import { statusLabels, statusMeaning } from './notification-labels.ts'
import { useUndo } from './notification-undo.ts'
import styles from './notifications.module.css'

const isImmediate = ({ createdAt, sendAt }: Notification) =>
  Date.parse(sendAt) - Date.parse(createdAt) <= UNDO_SECONDS * 1_000

const sendTimeLabel = (status: Notification['status']) =>
  status === 'scheduled'
    ? 'Scheduled for'
    : status === 'cancelled' || status === 'undone'
      ? 'Was scheduled for'
      : 'Sent at'

function Counts({ notification }: { notification: Notification }) {
  const { counts, channel, status } = notification
  // An undone or canceled notification has no sent or failed counts.
  const hasCounts = status !== 'scheduled' && status !== 'undone' && status !== 'cancelled'
  return (
    <>
      <Facts.Row label="People">{formatInteger(counts.people)}</Facts.Row>
      {hasCounts && (
        <Facts.Row label={channel === 'mail' ? 'Accepted by the mail server' : 'Sent'}>
          {formatInteger(counts.sent)}
        </Facts.Row>
      )}
      {hasCounts && channel === 'text' && <Facts.Row label="Delivered">{formatInteger(counts.delivered)}</Facts.Row>}
      {hasCounts && <Facts.Row label="Failed">{formatInteger(counts.failed)}</Facts.Row>}
      <Facts.Row label="Opted out">{formatInteger(counts.optedOut)}</Facts.Row>
    </>
  )
}

function Failures({ failures }: { failures: NotificationReport['failures'] }) {
  if (failures.length === 0) return null
  return (
    <Facts.Row label="Why it failed">
      <ul className={styles.reasons}>
        {failures.map(({ reason, people }) => (
          <li key={reason}>
            {reason} <span>({pluralize(people, 'person', 'people')})</span>
          </li>
        ))}
      </ul>
    </Facts.Row>
  )
}

function NotificationFacts({ notification }: { notification: NotificationReport }) {
  const { status, counts, channel, audienceText, sendAt, createdAt, createdBy, endedAt, stoppedBy, title, body } =
    notification
  const done = counts.people - counts.waiting
  return (
    <div className={styles.detail}>
      {status === 'sending' && (
        <Progress
          label="Sending"
          done={done}
          total={counts.people}
          counts={`${formatInteger(done)} of ${formatInteger(counts.people)}`}
          note="You can leave this page. Sending continues."
        />
      )}
      <Facts>
        <Facts.Row label="Status">
          <StatusBadge meaning={statusMeaning[status]}>{statusLabels[status]}</StatusBadge>
        </Facts.Row>
        <Facts.Row label="Channel">{channelLabels[channel]}</Facts.Row>
        <Facts.Row label="Audience">{audienceText}</Facts.Row>
        <Facts.Row label="Created">
          <span>
            <Moment at={createdAt} /> by {createdBy}
          </span>
        </Facts.Row>
        <Facts.Row label={sendTimeLabel(status)}>
          <Moment at={sendAt} />
        </Facts.Row>
        {stoppedBy ? (
          <Facts.Row label={status === 'undone' ? 'Undone on' : 'Canceled on'}>
            <span>
              <Moment at={endedAt} /> by {stoppedBy}
            </span>
          </Facts.Row>
        ) : (
          endedAt && (
            <Facts.Row label="Ended">
              <Moment at={endedAt} />
            </Facts.Row>
          )
        )}
        <Counts notification={notification} />
        <Failures failures={notification.failures} />
      </Facts>
      <section className={styles.letter} aria-label="Message">
        <h3>{title}</h3>
        <p>{body}</p>
      </section>
    </div>
  )
}

export function NotificationDetail({ id, onClose }: { id: number; onClose: () => void }) {
  const query = useQuery(notificationQuery(id))
  const { undo, isPending } = useUndo()
  const { data } = query
  const foot = data?.status === 'scheduled' && (
    <Can permission="notifications.send">
      <Button variant="default" loading={isPending} onClick={() => undo(id)}>
        {isImmediate(data) ? 'Undo' : 'Cancel notification'}
      </Button>
    </Can>
  )
  return (
    <Dialog
      isOpen
      isSide
      focusesClose
      onClose={onClose}
      title={data?.title ?? 'Notification'}
      {...(foot ? { foot } : {})}
    >
      <QueryView query={query} loading={<TextSkeleton lines={8} />} failure="Couldn't load this notification">
        {(notification) => <NotificationFacts notification={notification} />}
      </QueryView>
    </Dialog>
  )
}
