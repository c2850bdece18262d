import type { TicketDetail } from '@limber/contract/support/ticket.ts'
import { IconAlertCircle, IconClock, IconLock } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { now } from '#platform/clock.ts'
import { Avatar } from '#ui/avatar.tsx'
import { Icon } from '#ui/icon.tsx'
import { Moment } from '#ui/moment.tsx'
import styles from './ticket-messages.module.css'
import { dayWords, type ThreadItem, threadOf } from './ticket-thread.ts'

type Message = TicketDetail['messages'][number]

interface BubbleProps {
  kind: 'customer' | 'staff' | 'note'
  name: string
  at: string
  mark?: ReactNode
  children: string
}

/** What somebody said. Words of others are never markup: they stand as they were typed. */
function Bubble({ kind, name, at, mark, children }: BubbleProps) {
  return (
    <li className={styles.message} data-kind={kind}>
      {kind === 'customer' ? <Avatar name={name} tone="plain" /> : <Avatar name={name} />}
      <div className={styles.bubble}>
        <div className={styles.who}>
          <b>{name}</b>
          <Moment at={at} form="time" />
          {mark}
        </div>
        <p className={styles.words}>{children}</p>
      </div>
    </li>
  )
}

function Delivery({ of: delivery }: { of: Message['delivery'] }) {
  if (delivery === 'waiting')
    return (
      <span className={styles.delivery}>
        <Icon of={IconClock} size={14} /> On its way
      </span>
    )
  if (delivery === 'failed')
    return (
      <span className={styles.delivery} data-failed>
        <Icon of={IconAlertCircle} size={14} /> Not delivered
      </span>
    )
  return null
}

const noteMark = (
  <span className={styles.noteMark}>
    <Icon of={IconLock} size={14} /> Internal note
  </span>
)

function Item({ item, customer }: { item: ThreadItem; customer: string }) {
  if (item.kind === 'day') return <li className={styles.day}>{dayWords(item.at, now())}</li>
  if (item.kind === 'event') {
    const { text, worker } = item.event
    return (
      <li className={styles.event}>
        {text}
        {worker && ` by ${worker.name}`} · <Moment at={item.at} form="time" />
      </li>
    )
  }
  if (item.kind === 'note') {
    const { worker, content } = item.note
    return (
      <Bubble kind="note" name={worker.name} at={item.at} mark={noteMark}>
        {content}
      </Bubble>
    )
  }
  const { from_customer, worker, content, delivery } = item.message
  if (!from_customer)
    return (
      <Bubble kind="staff" name={worker?.name ?? 'Staff'} at={item.at} mark={<Delivery of={delivery} />}>
        {content}
      </Bubble>
    )
  return (
    <Bubble
      kind="customer"
      name={customer}
      at={item.at}
      mark={worker && <span className={styles.delivery}>noted by {worker.name}</span>}
    >
      {content}
    </Bubble>
  )
}

/** Keeps the newest in sight, unless somebody is reading further up. */
function useNewestInSight(newest: string | undefined) {
  const list = useRef<HTMLOListElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    const element = list.current
    if (element && newest && isAtEnd.current) element.scrollTop = element.scrollHeight
  }, [newest])
  const onScroll = () => {
    const element = list.current
    if (element) isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 120
  }
  return { ref: list, onScroll }
}

/** The thread of a ticket: messages, internal notes and what happened, the newest in sight. */
export function TicketMessages({ ticket }: { ticket: TicketDetail }) {
  const items = threadOf(ticket)
  const sight = useNewestInSight(items.at(-1)?.key)
  const hidden = ticket.messageCount - ticket.messages.length
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
    <ol className={styles.thread} tabIndex={0} aria-label="Messages" {...sight}>
      {hidden > 0 && <li className={styles.event}>{hidden.toLocaleString('en-US')} older messages are not shown.</li>}
      {items.map((item) => (
        <Item key={item.key} item={item} customer={ticket.customer?.name ?? ticket.customer_email} />
      ))}
    </ol>
  )
}
