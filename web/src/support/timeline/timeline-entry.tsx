import { formatMoney } from '@limber/contract/kit/formats/money.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { TimelineEntry } from '@limber/contract/support/timeline/timeline.ts'
import { IconArrowRight, IconChevronDown } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { lazy, memo, Suspense } from 'react'
import { useSession } from '#platform/session/session.tsx'
import { Stars } from '#support/customers/tabs/stars.tsx'
import { BlockSkeleton } from '#ui/feedback/skeleton.tsx'
import { Moment } from '#ui/format/moment.tsx'
import type { MomentForm } from '#ui/format/moment-text.ts'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './timeline.module.css'
import { answerOf, iconOf, targetOf } from './timeline-labels.ts'

export const EntryAnswer = lazy(() => import('./entry-answer.tsx'))

const answerLabels = { reply: 'Reply', note: 'Add a note', text: 'Text back', credits: 'Grant credits' }

function Sentence({ entry }: { entry: TimelineEntry }) {
  const { title, text, link, stars } = entry
  const session = useSession()
  const target = link && targetOf(link, session)
  return (
    <p className={styles.sentence}>
      <b>{title}</b> {target ? <Link {...target}>{text || 'Open'}</Link> : text}
      {stars !== null && <Stars rating={stars} />}
    </p>
  )
}

/** The amount in dollars, or a balance before and after. */
export function Figure({ entry: { amount, balance } }: { entry: TimelineEntry }) {
  if (amount !== null) return <span className={styles.amount}>{formatMoney(amount)}</span>
  if (balance === null) return null
  const [before, after] = balance
  return (
    <span className={styles.balance}>
      {formatInteger(before)} <Icon of={IconArrowRight} size={13} /> <b>{formatInteger(after)}</b>
    </span>
  )
}

interface Props {
  customerId: number
  entry: TimelineEntry
  form: MomentForm
  isPlanned: boolean
  isOpen: boolean
  /** No further account changes: the account was erased or merged. */
  isClosed: boolean
  /** Opens or closes an entry. The same function each time, so that a thousand lines are not drawn again for one. */
  onToggle: (key: string, isOpen: boolean) => void
}

function Line({ customerId, entry, form, isPlanned, isOpen, isClosed, onToggle }: Props) {
  const session = useSession()
  const answer = isClosed ? undefined : answerOf(entry, session)
  const { key, at, tone, quote } = entry
  const of = `${entry.title} ${entry.text}`.trim()
  const toggle = () => onToggle(key, isOpen)
  return (
    <li
      className={styles.entry}
      data-row
      data-entry={key}
      data-open={isOpen || undefined}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target === event.currentTarget && answer) toggle()
        if (event.key === 'Escape' && isOpen) {
          event.preventDefault()
          toggle()
        }
      }}
    >
      <span className={styles.icon} data-tone={tone ?? undefined} data-planned={isPlanned || undefined}>
        <Icon of={iconOf(entry)} size={15} />
      </span>
      <div className={styles.body}>
        <Sentence entry={entry} />
        {quote && !(isOpen && answer === 'reply') && <p className={styles.quote}>{quote}</p>}
        {isOpen && answer && (
          <Suspense fallback={<BlockSkeleton height={96} />}>
            <EntryAnswer answer={answer} customerId={customerId} entry={entry} onClose={toggle} />
          </Suspense>
        )}
      </div>
      <div className={styles.end}>
        {answer && (
          <button
            type="button"
            className={styles.answer}
            aria-expanded={isOpen}
            aria-label={`${isOpen ? 'Close' : answerLabels[answer]}: ${of}`}
            onClick={toggle}
          >
            {isOpen ? 'Close' : answerLabels[answer]} <Icon of={IconChevronDown} size={13} />
          </button>
        )}
        <Figure entry={entry} />
        <span className={styles.when}>
          <Moment at={at} form={form} />
        </span>
      </div>
    </li>
  )
}

/** One line. Where the reader can answer, it opens in place. */
export const TimelineLine = memo(Line)
