import { listTimeline, type TimelineEntry } from '@limber/contract/support/timeline/timeline.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useCan } from '#platform/session/session.tsx'
import { CustomerLink } from '#support/customers/customer-link.tsx'
import { FailureView } from '#ui/feedback/failure-view.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './latest-entries.module.css'
import { latestQuery } from './timeline.api.ts'
import { Figure, Sentence } from './timeline-entry.tsx'
import { iconOf } from './timeline-labels.ts'
import { useTimelineNews } from './use-timeline-news.ts'

const SETTLE = 2_000

function Entry({ entry }: { entry: TimelineEntry }) {
  const { at, tone, quote } = entry
  return (
    <li className={styles.entry}>
      <span className={styles.icon} data-tone={tone ?? undefined}>
        <Icon of={iconOf(entry)} size={14} />
      </span>
      <div className={styles.body}>
        <Sentence entry={entry} />
        {quote && <p className={styles.quote}>{quote}</p>}
        <p className={styles.when}>
          <Moment at={at} form="age" />
          <Figure entry={entry} />
        </p>
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
          <Entry key={entry.key} entry={entry} />
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
