import { listTimeline, type TimelineEntry } from '@limber/contract/support/timeline/timeline.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense, useRef, useState } from 'react'
import { useCan, useSession } from '#platform/session/session.tsx'
import { CustomerLink } from '#support/customers/customer-link.tsx'
import { Stars } from '#support/customers/tabs/stars.tsx'
import { userQuery } from '#support/customers/user.api.ts'
import { FailureView } from '#ui/feedback/failure-view.tsx'
import { BlockSkeleton, ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './latest-entries.module.css'
import { latestQuery } from './timeline.api.ts'
import { EntryAnswer, Figure } from './timeline-entry.tsx'
import { answerOf, iconOf, targetOf } from './timeline-labels.ts'
import { useTimelineNews } from './use-timeline-news.ts'

const SETTLE = 2_000

interface EntryProps {
  customerId: number
  entry: TimelineEntry
  onClose: () => void
}

/** What an entry says in full, and what can be done about it without leaving the page. */
function OpenEntry({ customerId, entry, onClose }: EntryProps) {
  const { at, link, quote } = entry
  const session = useSession()
  const mayRead = useCan(['users.overview', 'users.directory'])
  const { data: user } = useQuery({ ...userQuery(customerId), enabled: mayRead })
  const isClosed = user !== undefined && (user.accountStatus.isErased || user.accountStatus.mergedInto !== null)
  const answer = isClosed ? undefined : answerOf(entry, session)
  const target = link && targetOf(link, session)
  return (
    <div className={styles.open}>
      {quote && answer !== 'reply' && <p className={styles.whole}>{quote}</p>}
      <p className={styles.when}>
        <Moment at={at} form="moment" />
        {target && <Link {...target}>Open</Link>}
      </p>
      {answer && (
        <Suspense fallback={<BlockSkeleton height={96} />}>
          <EntryAnswer answer={answer} customerId={customerId} entry={entry} onClose={onClose} />
        </Suspense>
      )}
    </div>
  )
}

/** One line. It opens in place. */
function Entry({ customerId, entry }: Omit<EntryProps, 'onClose'>) {
  const { at, title, text, stars, tone, quote } = entry
  const [isOpen, setOpen] = useState(false)
  const line = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    line.current?.focus()
  }
  return (
    <li
      className={styles.entry}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        event.preventDefault()
        close()
      }}
    >
      <span className={styles.icon} data-tone={tone ?? undefined}>
        <Icon of={iconOf(entry)} size={14} />
      </span>
      <div className={styles.body}>
        <button
          ref={line}
          type="button"
          className={styles.line}
          aria-expanded={isOpen}
          onClick={() => setOpen((before) => !before)}
        >
          <b>{title}</b> {text}
          {stars !== null && <Stars rating={stars} />}
        </button>
        {isOpen ? (
          <OpenEntry customerId={customerId} entry={entry} onClose={close} />
        ) : (
          <>
            {quote && <p className={styles.quote}>{quote}</p>}
            <p className={styles.when}>
              <Moment at={at} form="age" />
              <Figure entry={entry} />
            </p>
          </>
        )}
      </div>
    </li>
  )
}

function useLatest(customerId: number, exceptTicket: number | undefined) {
  const cache = useQueryClient()
  const query = latestQuery(customerId, exceptTicket)
  useTimelineNews(customerId, () => void cache.invalidateQueries({ queryKey: query.queryKey }), SETTLE)
  return useQuery(query)
}

interface Props {
  customerId: number
  /** A ticket whose entries are on the screen already. */
  exceptTicket?: number
  /** What holds the list. It is not there when there is nothing to show. */
  within?: (entries: ReactNode) => ReactNode
}

function Latest({ customerId, exceptTicket, within = (entries) => entries }: Props) {
  const query = useLatest(customerId, exceptTicket)
  const { data, isError, error } = query
  if (isError && !data)
    return within(<FailureView error={error} title="Couldn't load the timeline" onRetry={() => void query.refetch()} />)
  if (!data) return within(<ListSkeleton rows={3} />)
  const { entries, failed, next } = data
  if (entries.length === 0 && failed.length === 0) return null
  return within(
    <section className={styles.part} aria-label="Timeline">
      <h3>Timeline</h3>
      {failed.length > 0 && <p className={styles.failed}>{failed.join(', ')} could not be loaded</p>}
      <ol className={styles.list}>
        {entries.map((entry) => (
          <Entry key={entry.key} customerId={customerId} entry={entry} />
        ))}
      </ol>
      {next && (
        <p className={styles.more}>
          <CustomerLink id={customerId}>Show everything</CustomerLink>
        </p>
      )}
    </section>,
  )
}

/** The last entries of a customer's timeline that the reader may see. */
export function LatestEntries(props: Props) {
  const mayRead = useCan(listTimeline.permission)
  return mayRead ? <Latest {...props} /> : null
}
