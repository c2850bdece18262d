import type { TextMessage } from '@limber/contract/support/message.ts'
import { IconAlertCircle, IconArrowRight, IconCheck, IconChecks, IconClock, IconPhoto } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { now } from '#platform/clock.ts'
import { Icon } from '#ui/icon.tsx'
import { Moment } from '#ui/moment.tsx'
import { numberText } from './text-search.ts'
import styles from './texts.module.css'
import { dayWords } from './tickets/ticket-thread.ts'

const fates = {
  waiting: [IconClock, 'On its way'],
  sent: [IconCheck, 'Sent'],
  delivered: [IconChecks, 'Delivered'],
  failed: [IconAlertCircle, 'Not delivered'],
} as const

function Fate({ state, error }: Pick<TextMessage, 'state' | 'error'>) {
  if (state === 'received') return null
  const [icon, words] = fates[state]
  return (
    <div className={styles.fate} data-failed={state === 'failed' || undefined}>
      <Icon of={icon} size={14} /> {error ? `${words}: ${error}` : words}
    </div>
  )
}

interface BubbleProps {
  message: TextMessage
  /** Messages of many people: whose it is leads to the conversation. */
  isStream: boolean
  onOpen: (number: string) => void
}

/** Words of others are never markup: they stand as they were typed. */
function Bubble({ message, isStream, onOpen }: BubbleProps) {
  const { from, to, body, dateSent, isOutgoing, state, error, customer, media } = message
  const other = isOutgoing ? to : from
  const name = customer?.name ?? numberText(other)
  const canOpen = isStream && /^\+?\d{3,15}$/.test(other)
  const whose = canOpen ? (
    <button type="button" className={styles.whose} onClick={() => onOpen(other)}>
      {name}
    </button>
  ) : (
    <b>{name}</b>
  )
  return (
    <li className={styles.message} data-outgoing={isOutgoing || undefined}>
      <div className={styles.who}>
        {isOutgoing ? <span>{numberText(from)}</span> : whose}
        <Icon of={IconArrowRight} size={14} />
        <span className={styles.hidden}>to</span>
        {isOutgoing ? whose : <span>{numberText(to)}</span>}
        <Moment at={dateSent} form="time" />
      </div>
      <div className={styles.bubble}>
        {body && <p>{body}</p>}
        {media > 0 && (
          <p className={styles.media}>
            <Icon of={IconPhoto} size={14} /> {media === 1 ? 'A picture' : `${media} pictures`}, not kept
          </p>
        )}
      </div>
      <Fate state={state} error={error} />
    </li>
  )
}

const dayOf = (at: string) => new Date(at).toDateString()

interface Props extends Omit<BubbleProps, 'message'> {
  /** Newest first, as the server sends them. */
  messages: readonly TextMessage[]
}

/** A page of messages as a conversation reads: the oldest above, the newest below and in sight. */
export function TextBubbles({ messages, ...rest }: Props) {
  const list = useRef<HTMLOListElement>(null)
  const inOrder = messages.toReversed()
  const newest = messages[0]?.id
  useEffect(() => {
    if (newest !== undefined && list.current) list.current.scrollTop = list.current.scrollHeight
  }, [newest])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
    <ol className={styles.thread} tabIndex={0} aria-label="Messages" ref={list}>
      {inOrder.flatMap((message, place) => {
        const before = inOrder[place - 1]
        const bubble = <Bubble key={message.id} message={message} {...rest} />
        if (before && dayOf(before.dateSent) === dayOf(message.dateSent)) return [bubble]
        return [
          <li key={`day-${message.id}`} className={styles.day}>
            {dayWords(message.dateSent, now())}
          </li>,
          bubble,
        ]
      })}
    </ol>
  )
}
