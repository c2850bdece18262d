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

/** A conversation, oldest first, scrolled to the newest. */
export function Thread({ newest, isOwn, children }: ThreadProps) {
  const list = useRef<HTMLOListElement>(null)
  const isAtEnd = useRef(true)
  const scrollToEnd = useEffectEvent(() => {
    const element = list.current
    if (element && (isOwn || isAtEnd.current)) element.scrollTop = element.scrollHeight
  })
  useEffect(() => {
    if (newest !== undefined) scrollToEnd()
  }, [newest])
  useEffect(() => {
    const element = list.current
    if (!element) return
    // A rotated phone, an open keyboard or a growing reply box reduces the height, and files that load make the last
    // entry taller: stay at the end.
    const sizes = new ResizeObserver(() => {
      if (isAtEnd.current) element.scrollTop = element.scrollHeight
    })
    sizes.observe(element)
    if (newest !== undefined && element.lastElementChild) sizes.observe(element.lastElementChild)
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
