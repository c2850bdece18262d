import { type TicketDetail, type TicketStatus, ticketStatusLabels } from '@limber/contract/support/tickets/ticket.ts'
import { ActionIcon, NativeSelect } from '@mantine/core'
import { IconDots, IconInfoCircle, IconZzz } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { now } from '#platform/clock.ts'
import { useSession } from '#platform/session/session.tsx'
import type { TicketLayer } from '#support/related/ticket-layers.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { LazyMenu } from '#ui/dialog/lazy-menu.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { Moment } from '#ui/format/moment.tsx'
import { HistoryButton } from '#ui/history/history-button.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { cx } from '#ui/layout/class-names.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { useAssign, useSetStatus } from '../ticket.api.ts'
import { statusOptions, waitingText } from '../ticket-labels.ts'
import styles from './ticket-detail.module.css'
import { useTicketKeys } from './ticket-keys.ts'
import { canSplit } from './ticket-thread.ts'

/** A non-breaking space before the dot, so that no line starts with it. */
const DOT = '\u00a0· '

const loadActions = () => import('../ticket-actions.tsx')
const TicketActions = lazy(loadActions)
const loadSnooze = () => import('./snooze-menu.tsx')
const SnoozeMenu = lazy(loadSnooze)
const TicketFacts = lazy(() => import('./ticket-facts.tsx').then((file) => ({ default: file.TicketFacts })))
const TicketLayers = lazy(() => import('#support/related/ticket-layers.tsx'))

interface StatusProps {
  status: TicketStatus
  isMerged: boolean
  onSet: (status: TicketStatus) => void
}

const Status = ({ status, isMerged, onSet }: StatusProps) => (
  <NativeSelect
    aria-label="Status"
    aria-keyshortcuts="e"
    data={statusOptions}
    value={status}
    disabled={isMerged}
    onChange={(event) => onSet(event.currentTarget.value as TicketStatus)}
  />
)

type Layer = TicketLayer | 'facts'

interface Props {
  ticket: TicketDetail
  onMerged: (into: number) => void
  /** Leaves the ticket and keeps it marked unread. */
  onUnread: () => void
}

/** Subject, status and actions of a ticket. */
export function TicketHead({ ticket, onMerged, onUnread }: Props) {
  const { id, subject, customer_email, createdAt, waitingSince, status, mergedInto, assignee, snoozed } = ticket
  const { workerId, worker } = useSession()
  const assign = useAssign(id)
  const [layer, setLayer] = useState<Layer>()
  const close = () => setLayer(undefined)
  const take = () =>
    void assign.mutateAsync({ id: workerId, name: worker.name }).then(
      (reply) => toastUndo(`Ticket #${id} assigned to you.`, reply),
      (error: unknown) => toastFailure("Couldn't assign the ticket to you", error),
    )
  const isMerged = mergedInto !== null
  const setStatus = useSetStatus(id)
  const onSet = (next: TicketStatus) =>
    void setStatus.mutateAsync(next).then(
      (reply) => {
        const text = `Ticket #${id} is ${ticketStatusLabels[next].toLowerCase()}.`
        // Closing it again may ask the customer for a rating.
        if (status === 'closed') toast(text)
        else toastUndo(text, reply)
      },
      (error: unknown) => toastFailure('Failed to update status', error),
    )
  const canTake = !isMerged && assignee?.id !== workerId
  useTicketKeys({
    a: canTake ? take : undefined,
    e: isMerged || status === 'closed' ? undefined : () => onSet('closed'),
    u: isMerged ? undefined : onUnread,
    M: canSplit(ticket) ? () => setLayer('split') : undefined,
  })
  const more = (
    <ActionIcon size={32} aria-label="More">
      <Icon of={IconDots} />
    </ActionIcon>
  )
  return (
    <div className={styles.head}>
      <div className={styles.title}>
        <h2>{subject}</h2>
        <p className={styles.meta}>
          #{id}
          {DOT}
          {customer_email}
          <span className={styles.opened}>
            {DOT}
            <span className={styles.whole}>
              opened <Moment at={createdAt} />
            </span>
          </span>
          {snoozed && (
            <>
              {DOT}
              <span className={styles.whole}>
                snoozed until {snoozed.until ? <Moment at={snoozed.until} /> : 'the customer replies'}
              </span>
            </>
          )}
          {waitingSince && (
            <>
              {DOT}
              <span className={cx(styles.waiting, styles.whole)}>
                {waitingText(waitingSince, now())} <Moment at={waitingSince} form="age" />
              </span>
            </>
          )}
        </p>
      </div>
      <div className={styles.acts}>
        <Status status={status} isMerged={isMerged} onSet={onSet} />
        {!isMerged && status !== 'closed' && (
          <LazyMenu
            button={
              <ActionIcon size={32} aria-label="Snooze" aria-keyshortcuts="h" data-on={snoozed !== null || undefined}>
                <Icon of={IconZzz} />
              </ActionIcon>
            }
            load={loadSnooze}
          >
            <SnoozeMenu ticket={ticket} />
          </LazyMenu>
        )}
        <HistoryButton size="icon" record={{ kind: 'ticket', id }} />
        <ActionIcon className={styles.facts ?? ''} size={32} aria-label="Details" onClick={() => setLayer('facts')}>
          <Icon of={IconInfoCircle} />
        </ActionIcon>
        <LazyMenu button={more} load={loadActions}>
          <TicketActions
            ticket={ticket}
            canTake={canTake}
            onTake={take}
            onLayer={setLayer}
            onOpen={onMerged}
            onUnread={onUnread}
          />
        </LazyMenu>
      </div>
      <Dialog isOpen={layer === 'facts'} onClose={close} title="Details" size={400} isSide>
        <Suspense>
          <TicketFacts ticket={ticket} />
        </Suspense>
      </Dialog>
      <Suspense>
        {layer && layer !== 'facts' && <TicketLayers layer={layer} ticket={ticket} onClose={close} onOpen={onMerged} />}
      </Suspense>
    </div>
  )
}
