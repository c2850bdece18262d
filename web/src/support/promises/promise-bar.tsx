import { formatMinutes, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { TicketPromise } from '@limber/contract/support/promises/promise.ts'
import type { TicketDetail } from '@limber/contract/support/tickets/ticket.ts'
import { Button } from '@mantine/core'
import { IconAlarm, IconCircleCheck, IconClock, IconPlayerPause } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTick } from '#ui/format/moment.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { dueMoment, leftText, reasonText } from './due-text.ts'
import styles from './promise-bar.module.css'

const Timers = lazy(() => import('./timers-dialog.tsx').then((file) => ({ default: file.TimersDialog })))

/** How much of the time is used, by the clock on the wall. */
function shareOf({ startedAt, dueAt }: TicketPromise, now: Date): number {
  const start = Date.parse(startedAt)
  const total = Date.parse(dueAt ?? startedAt) - start
  return total <= 0 ? 1 : Math.min(1, Math.max(0, (now.getTime() - start) / total))
}

const kindText = { first: 'First response', next: 'next response' }

/** `First response in 18 min, next response in 31 min.` */
function tookText(promises: readonly TicketPromise[]): string {
  const [first, ...others] = promises.filter(({ tookMinutes }) => tookMinutes !== null)
  const last = others.at(-1)
  const texts = [first, last].flatMap((one) =>
    one && one.tookMinutes !== null ? `${kindText[one.kind]} in ${formatMinutes(one.tookMinutes)}` : [],
  )
  const text = texts.join(', ')
  return text && `${text[0]?.toUpperCase()}${text.slice(1)}.`
}

interface Shown {
  tone: 'amber' | 'red' | 'green' | 'plain'
  icon: typeof IconClock
  title: string
  why: string
  end?: ReactNode
}

function running(promise: TicketPromise, dueAt: string, now: Date): Shown {
  const left = leftText(dueAt, now, promise.startedAt)
  const isLate = left.tone === 'red'
  return {
    tone: left.tone === 'plain' ? 'plain' : left.tone,
    icon: isLate ? IconAlarm : IconClock,
    title: isLate ? `The response was due ${dueMoment(dueAt, now)}.` : `Respond by ${dueMoment(dueAt, now)}.`,
    why: reasonText(promise),
    end: (
      <>
        <span className={styles.track} aria-hidden="true">
          <i style={{ width: `${Math.round(shareOf(promise, now) * 100)}%` }} />
        </span>
        <b className={styles.left}>{left.tone === 'amber' ? `${left.text} left` : left.text}</b>
      </>
    ),
  }
}

function ended(promises: readonly TicketPromise[]): Shown | undefined {
  const judged = promises.filter(({ state }) => state === 'kept' || state === 'missed')
  const missed = judged.filter(({ state }) => state === 'missed').length
  if (judged.length === 0) return undefined
  const why = tookText(promises)
  if (missed > 0) {
    const title = judged.length === 1 ? 'The promise was missed.' : `${missed} of ${judged.length} promises missed.`
    return { tone: 'red', icon: IconAlarm, title, why }
  }
  const title = ['', 'The promise was kept.', 'Both promises kept.'][judged.length]
  return {
    tone: 'green',
    icon: IconCircleCheck,
    title: title ?? `All ${pluralize(judged.length, 'promise')} kept.`,
    why,
  }
}

function shownOf({ promise, promises, status, snoozed }: TicketDetail, now: Date): Shown | undefined {
  if (!promise) return undefined
  if (promise.state === 'running' && promise.dueAt) return running(promise, promise.dueAt, now)
  if (status === 'closed') return ended(promises)
  const isPaused = promise.state === 'paused'
  const why =
    isPaused && promise.leftMinutes !== null ? `${formatMinutes(promise.leftMinutes)} of business hours left.` : ''
  if (isPaused && snoozed)
    return { tone: 'plain', icon: IconPlayerPause, title: 'Paused while the ticket is snoozed.', why }
  return {
    tone: 'plain',
    icon: IconPlayerPause,
    title: 'Paused while we wait for the customer.',
    why: tookText(promises),
  }
}

/** By when we promised to respond, above the thread. */
export default function PromiseBar({ ticket }: { ticket: TicketDetail }) {
  const now = useTick(ticket.promise?.state === 'running')
  const [isOpen, setOpen] = useState(false)
  const shown = shownOf(ticket, now)
  if (!shown) return null
  const { tone, icon, title, why, end } = shown
  return (
    <div className={styles.bar} data-tone={tone} role="status">
      <Icon of={icon} size={16} />
      <p className={styles.words}>
        <b>{title}</b> <span className={styles.why}>{why}</span>
      </p>
      {end}
      {!end && (
        <Button variant="subtle" size="compact-sm" className={styles.more ?? ''} onClick={() => setOpen(true)}>
          Show timers
        </Button>
      )}
      <Suspense>{isOpen && <Timers promises={ticket.promises} onClose={() => setOpen(false)} />}</Suspense>
    </div>
  )
}
