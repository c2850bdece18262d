import { IconAlertCircle, IconCheck, IconChecks, IconClock } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useRef } from 'react'
import { now } from '#platform/clock.ts'
import { useCan } from '#platform/session/session.tsx'
import { cx } from '#ui/layout/class-names.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { hasMention } from './mentions/mentions.ts'
import styles from './thread.module.css'
import { dayWords } from './tickets/thread/ticket-thread.ts'

interface ThreadProps {
  /** Identifies the newest entry. When it changes, the list scrolls to it unless the reader has scrolled up. */
  newest: string | number | undefined
  /** The viewer wrote the newest entry: always scroll to it. */
  isOwn: boolean
  children: ReactNode
}

const END_TOLERANCE = 120
/** Between the edge of the list and its newest message. */
const EDGE = 12

const newestMessage = (list: HTMLElement) => [...list.querySelectorAll(`.${styles.bubble}`)].at(-1)

/** Scrolls to the end, or to the beginning of the newest message if that is longer than the list is high. */
function scrollToNewest(list: HTMLElement) {
  const end = list.scrollHeight - list.clientHeight
  const message = newestMessage(list)
  const start = message ? message.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop : end
  list.scrollTop = Math.max(0, Math.min(end, start - EDGE))
}

/** A conversation, oldest first, scrolled to the newest. */
export function Thread({ newest, isOwn, children }: ThreadProps) {
  const list = useRef<HTMLOListElement>(null)
  const isAtEnd = useRef(true)
  const follow = useEffectEvent((isNew: boolean) => {
    const element = list.current
    if (element && isOwn && (isNew || isAtEnd.current)) element.scrollTop = element.scrollHeight
    else if (element && isAtEnd.current) scrollToNewest(element)
  })
  useEffect(() => {
    if (newest !== undefined) follow(true)
  }, [newest])
  useEffect(() => {
    const element = list.current
    if (!element) return
    // A rotated phone, an open keyboard or a growing reply box reduces the height, and files that load make the last
    // message taller.
    const sizes = new ResizeObserver(() => follow(false))
    sizes.observe(element)
    const message = newest === undefined ? undefined : newestMessage(element)
    if (message) sizes.observe(message)
    return () => sizes.disconnect()
  }, [newest])
  const onScroll = () => {
    const element = list.current
    if (element) isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < END_TOLERANCE
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <ol className={styles.thread} tabIndex={0} aria-label="Messages" ref={list} onScroll={onScroll}>
      {children}
    </ol>
  )
}

/** A separator between days. */
export const ThreadDay = ({ at }: { at: string }) => <li className={styles.day}>{dayWords(at, now())}</li>

export const Bubble = ({ className, children }: { className?: string | undefined; children: ReactNode }) => (
  <div className={cx(styles.bubble, className)}>{children}</div>
)

const MentionText = lazy(() =>
  import('./mentions/mention-text.tsx').then((loaded) => ({ default: loaded.MentionText })),
)

/** User text, never interpreted as markup. Numbers of tickets open them. */
export function PlainText({ children }: { children: string }) {
  const mayOpen = useCan('tickets.handle')
  if (!mayOpen || !hasMention(children)) return <p className={styles.words}>{children}</p>
  return (
    <div className={styles.words}>
      <Suspense fallback={children}>
        <MentionText>{children}</MentionText>
      </Suspense>
    </div>
  )
}

const deliveryStates = {
  waiting: [IconClock, 'Sending'],
  sent: [IconCheck, 'Sent'],
  delivered: [IconChecks, 'Delivered'],
  failed: [IconAlertCircle, 'Not delivered'],
} as const

/** The delivery state of an outgoing message. */
export function DeliveryState({ of: state, reason }: { of: keyof typeof deliveryStates; reason?: string | null }) {
  const [icon, label] = deliveryStates[state]
  return (
    <span className={styles.fate} data-failed={state === 'failed' || undefined}>
      <Icon of={icon} size={14} /> {reason ? `${label}: ${reason}` : label}
    </span>
  )
}
