import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { TicketDetail } from '@limber/contract/support/tickets/ticket.ts'
import { IconLock } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { useSession } from '#platform/session/session.tsx'
import { Bubble, DeliveryState, PlainText, Thread, ThreadDay } from '#support/thread.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Avatar } from '#ui/layout/avatar.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './ticket-messages.module.css'
import { type ThreadItem, threadOf } from './ticket-thread.ts'

const MessageEmail = lazy(() => import('#support/mailboxes/message-email.tsx'))
const TicketRating = lazy(() => import('#support/ratings/ticket-rating.tsx'))
const MessageFiles = lazy(() => import('#support/files/message-files.tsx'))

type Message = TicketDetail['messages'][number]

interface EntryProps {
  kind: 'customer' | 'worker' | 'note'
  name: string
  at: string
  mark?: ReactNode
  /** The message, if it is not a note. */
  message?: Message
  ticketId?: number
  children: string
}

function Entry({ kind, name, at, mark, message, ticketId = 0, children }: EntryProps) {
  const { id = 0, email, files = [] } = message ?? {}
  const text = <PlainText>{children}</PlainText>
  return (
    <li className={styles.message} data-kind={kind}>
      {kind === 'customer' ? <Avatar name={name} tone="plain" /> : <Avatar name={name} />}
      <Bubble className={styles.bubble}>
        <div className={styles.who}>
          <b>{name}</b>
          <Moment at={at} form="time" />
          {mark}
        </div>
        {email ? (
          <Suspense fallback={text}>
            <MessageEmail ticketId={ticketId} messageId={id} email={email} files={files}>
              {children}
            </MessageEmail>
          </Suspense>
        ) : (
          <>
            {text}
            <Suspense>{files.length > 0 && <MessageFiles files={files} />}</Suspense>
          </>
        )}
      </Bubble>
    </li>
  )
}

const noteMark = (
  <span className={styles.mark} data-note>
    <Icon of={IconLock} size={14} /> Internal note
  </span>
)

function Item({ item, customer, ticketId }: { item: ThreadItem; customer: string; ticketId: number }) {
  if (item.kind === 'day') return <ThreadDay at={item.at} />
  if (item.kind === 'event') {
    const { text, worker } = item.event
    return (
      <li className={styles.event}>
        {text}
        {worker && ` by ${worker.name}`} · <Moment at={item.at} form="time" />
      </li>
    )
  }
  if (item.kind === 'rating')
    return (
      <Suspense>
        <TicketRating rating={item.rating} name={customer} />
      </Suspense>
    )
  if (item.kind === 'note') {
    const { worker, content } = item.note
    return (
      <Entry kind="note" name={worker.name} at={item.at} mark={noteMark}>
        {content}
      </Entry>
    )
  }
  const { message } = item
  const { from_customer, worker, content, delivery, sender } = message
  // Successful delivery is the normal case, so only the others are shown.
  if (!from_customer)
    return (
      <Entry
        kind="worker"
        name={worker?.name ?? 'Support'}
        at={item.at}
        message={message}
        mark={(delivery === 'waiting' || delivery === 'failed') && <DeliveryState of={delivery} />}
      >
        {content}
      </Entry>
    )
  return (
    <Entry
      kind="customer"
      name={sender ? (sender.name ?? sender.address) : customer}
      at={item.at}
      message={message}
      ticketId={ticketId}
      mark={
        <>
          {sender?.name && <span className={styles.mark}>{sender.address}</span>}
          {worker && <span className={styles.mark}>entered by {worker.name}</span>}
        </>
      }
    >
      {content}
    </Entry>
  )
}

/** The worker who wrote an entry. */
function writerOf(item: ThreadItem): number | undefined {
  if (item.kind === 'note') return item.note.worker.id
  return item.kind === 'message' ? item.message.worker?.id : undefined
}

/** The thread of a ticket: messages, internal notes and events, scrolled to the newest. */
export function TicketMessages({ ticket }: { ticket: TicketDetail }) {
  const items = threadOf(ticket)
  const newest = items.at(-1)
  const { workerId } = useSession()
  const hidden = ticket.messageCount - ticket.messages.length
  return (
    <Thread newest={newest?.key} isOwn={newest !== undefined && writerOf(newest) === workerId}>
      {hidden > 0 && <li className={styles.event}>{formatInteger(hidden)} older messages are not shown.</li>}
      {items.map((item) => (
        <Item
          key={item.key}
          item={item}
          customer={ticket.customer?.name ?? ticket.customer_email}
          ticketId={ticket.id}
        />
      ))}
    </Thread>
  )
}
