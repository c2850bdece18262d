import { IconAlertCircle, IconCheck, IconChecks, IconClock } from '@tabler/icons-react'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { now } from '#platform/clock.ts'
import { cx } from '#ui/layout/class-names.ts'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './thread.module.css'
import { dayWords } from './tickets/thread/ticket-thread.ts'

interface ThreadProps {
  /** Names the newest entry: when it changes, it is brought into sight, unless somebody is reading further up. */
  newest: string | number | undefined
  /** The newest is what one has just written oneself: it is brought into sight wherever one was reading. */
  isOwn: boolean
  children: ReactNode
}

const NEAR_THE_END = 120

/** A conversation: the oldest above, the newest below and in sight. */
export function Thread({ newest, isOwn, children }: ThreadProps) {
  const list = useRef<HTMLOListElement>(null)
  const isAtEnd = useRef(true)
  const bringIntoSight = useEffectEvent(() => {
    const element = list.current
    if (element && (isOwn || isAtEnd.current)) element.scrollTop = element.scrollHeight
  })
  useEffect(() => {
    if (newest !== undefined) bringIntoSight()
  }, [newest])
  useEffect(() => {
    const element = list.current
    if (!element) return
    // A turned phone, an open keyboard or a growing reply leaves less room: whoever was at the end stays there.
    const sizes = new ResizeObserver(() => {
      if (isAtEnd.current) element.scrollTop = element.scrollHeight
    })
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [])
  const onScroll = () => {
    const element = list.current
    if (element) isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_THE_END
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
    <ol className={styles.thread} tabIndex={0} aria-label="Messages" ref={list} onScroll={onScroll}>
      {children}
    </ol>
  )
}

/** Where another day begins. */
export const ThreadDay = ({ at }: { at: string }) => <li className={styles.day}>{dayWords(at, now())}</li>

/** The frame around what somebody said. */
export const Bubble = ({ className, children }: { className?: string | undefined; children: ReactNode }) => (
  <div className={cx(styles.bubble, className)}>{children}</div>
)

/** Words of others are never markup: they stand as they were typed. */
export const Words = ({ children }: { children: string }) => <p className={styles.words}>{children}</p>

const fates = {
  waiting: [IconClock, 'On its way'],
  sent: [IconCheck, 'Sent'],
  delivered: [IconChecks, 'Delivered'],
  failed: [IconAlertCircle, 'Not delivered'],
} as const

/** What became of a message that left the house. */
export function Fate({ of: state, reason }: { of: keyof typeof fates; reason?: string | null }) {
  const [icon, words] = fates[state]
  return (
    <span className={styles.fate} data-failed={state === 'failed' || undefined}>
      <Icon of={icon} size={14} /> {reason ? `${words}: ${reason}` : words}
    </span>
  )
}
