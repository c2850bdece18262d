import { companyDay } from '@limber/contract/kit/company.ts'
import { formatPhone } from '@limber/contract/kit/formats/numbers.ts'
import type { TextMessage } from '@limber/contract/support/texts/message.ts'
import { VisuallyHidden } from '@mantine/core'
import { IconArrowRight, IconPhoto } from '@tabler/icons-react'
import { Moment } from '#ui/format/moment.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { Bubble, DeliveryState, PlainText, Thread, ThreadDay } from '../thread.tsx'
import styles from './texts.module.css'

interface MessageProps {
  message: TextMessage
  /** Messages of many people: each name opens the conversation. */
  isStream: boolean
  /** The name of the conversation; several people may share a number. */
  conversationName: string | null
  onOpen: (number: string) => void
}

function Message({ message, isStream, conversationName, onOpen }: MessageProps) {
  const { from, to, body, dateSent, isOutgoing, state, error, customer, media } = message
  const other = isOutgoing ? to : from
  const name = conversationName ?? customer?.name ?? formatPhone(other)
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
        {isOutgoing ? <span>{formatPhone(from)}</span> : whose}
        <Icon of={IconArrowRight} size={14} />
        <VisuallyHidden>to</VisuallyHidden>
        {isOutgoing ? whose : <span>{formatPhone(to)}</span>}
        <Moment at={dateSent} form="time" />
      </div>
      <Bubble className={styles.bubble}>
        {body && <PlainText>{body}</PlainText>}
        {media > 0 && (
          <p className={styles.media}>
            <Icon of={IconPhoto} size={14} /> {media === 1 ? 'An image' : `${media} images`}, not saved
          </p>
        )}
      </Bubble>
      {state !== 'received' && <DeliveryState of={state} reason={error} />}
    </li>
  )
}

const dayOf = (at: string) => companyDay(new Date(at))

interface Props extends Omit<MessageProps, 'message'> {
  /** Newest first, as the server sends them. */
  messages: readonly TextMessage[]
}

/** A page of messages, oldest first. */
export function TextBubbles({ messages, ...rest }: Props) {
  const inOrder = messages.toReversed()
  const [newest] = messages
  return (
    // Among the messages of many people, an outgoing one is rarely the viewer's own.
    <Thread newest={newest?.id} isOwn={newest?.isOutgoing === true && !rest.isStream}>
      {inOrder.flatMap((message, place) => {
        const before = inOrder[place - 1]
        const bubble = <Message key={message.id} message={message} {...rest} />
        if (before && dayOf(before.dateSent) === dayOf(message.dateSent)) return [bubble]
        return [<ThreadDay key={`day-${message.id}`} at={message.dateSent} />, bubble]
      })}
    </Thread>
  )
}
