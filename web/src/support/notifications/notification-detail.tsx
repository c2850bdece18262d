import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import {
  channelWords,
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
import { useTakeBack } from './notification-undo.ts'
import { statusMeaning, statusWords } from './notification-words.ts'
import styles from './notifications.module.css'

const isAtOnce = ({ createdAt, sendAt }: Notification) =>
  Date.parse(sendAt) - Date.parse(createdAt) <= UNDO_SECONDS * 1_000

const timeWords = (status: Notification['status']) =>
  status === 'scheduled' ? 'Goes out' : status === 'cancelled' || status === 'undone' ? 'Was to go out' : 'Went out'

function Counts({ notification }: { notification: Notification }) {
  const { counts, channel, status } = notification
  // An undone or canceled notification has no sent or failed counts.
  const isOver = status !== 'scheduled' && status !== 'undone' && status !== 'cancelled'
  return (
    <>
      <Facts.Row label="People">{formatInteger(counts.people)}</Facts.Row>
      {isOver && (
        <Facts.Row label={channel === 'mail' ? 'Taken by the mail server' : 'Sent'}>
          {formatInteger(counts.sent)}
        </Facts.Row>
      )}
      {isOver && channel === 'text' && <Facts.Row label="Delivered">{formatInteger(counts.delivered)}</Facts.Row>}
      {isOver && <Facts.Row label="Failed">{formatInteger(counts.failed)}</Facts.Row>}
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

function Known({ notification }: { notification: NotificationReport }) {
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
          note="You may leave: it goes on by itself."
        />
      )}
      <Facts>
        <Facts.Row label="Status">
          <StatusBadge meaning={statusMeaning[status]}>{statusWords[status]}</StatusBadge>
        </Facts.Row>
        <Facts.Row label="Channel">{channelWords[channel]}</Facts.Row>
        <Facts.Row label="Audience">{audienceText}</Facts.Row>
        <Facts.Row label="Made">
          <span>
            <Moment at={createdAt} /> by {createdBy}
          </span>
        </Facts.Row>
        <Facts.Row label={timeWords(status)}>
          <Moment at={sendAt} />
        </Facts.Row>
        {stoppedBy ? (
          <Facts.Row label="Taken back">
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
      <section className={styles.letter} aria-label="What people read">
        <h3>{title}</h3>
        <p>{body}</p>
      </section>
    </div>
  )
}

export function NotificationDetail({ id, onClose }: { id: number; onClose: () => void }) {
  const query = useQuery(notificationQuery(id))
  const { takeBack, isPending } = useTakeBack()
  const { data } = query
  const foot = data?.status === 'scheduled' && (
    <Can permission="notifications.send">
      <Button variant="default" loading={isPending} onClick={() => takeBack(id)}>
        {isAtOnce(data) ? 'Undo' : 'Cancel notification'}
      </Button>
    </Can>
  )
  return (
    <Dialog
      isOpen
      isSide
      beginsAtClose
      onClose={onClose}
      title={data?.title ?? 'Notification'}
      {...(foot ? { foot } : {})}
    >
      <QueryView query={query} loading={<TextSkeleton lines={8} />} failure="The notification could not be loaded">
        {(notification) => <Known notification={notification} />}
      </QueryView>
    </Dialog>
  )
}
