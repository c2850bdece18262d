import { companyDay } from '@limber/contract/kit/company.ts'
import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { type TicketStatus, ticketStatusLabels } from '@limber/contract/support/tickets/ticket.ts'
import { useQuery } from '@tanstack/react-query'
import { now } from '#platform/clock.ts'
import { StatStrip } from '#ui/charts/stat-strip.tsx'
import { momentText } from '#ui/format/moment-text.ts'
import { formatUpTo } from '#ui/format/row-count.ts'
import { ticketCountsQuery } from '../ticket.api.ts'
import { type ChangeSearch, filterOf, type TicketSearch } from '../ticket-search.ts'
import styles from '../tickets.module.css'

interface Props {
  search: TicketSearch
  onChange: ChangeSearch
  /** The list failed to load: show no figures. */
  isReset: boolean
}

/** How many tickets are waiting and since when, with a switch to the longest wait first. */
export function DeskLine({ search, onChange, isReset }: Props) {
  const { data, isError } = useQuery(ticketCountsQuery(filterOf(search)))
  if (!data || isError || isReset) return 'Customer questions and who is handling them.'
  const { waiting, oldestWaiting } = data.desk
  const isWaitingOnly = search.queue === 'waiting'
  const toggle = (
    <button
      type="button"
      className={styles.turn}
      onClick={() => onChange({ queue: isWaitingOnly ? '' : 'waiting', status: '', page: 1 })}
    >
      {isWaitingOnly ? 'Show all tickets' : 'Longest wait first'}
    </button>
  )
  if (waiting === 0 || !oldestWaiting) return <>No one is waiting for a reply. {isWaitingOnly && toggle}</>
  const isToday = companyDay(new Date(oldestWaiting)) === companyDay(now())
  const since = momentText(oldestWaiting, isToday ? 'time' : 'day')
  return (
    <>
      {pluralize(waiting, 'ticket')} waiting for a reply, the first since {since}. {toggle}
    </>
  )
}

/** All tickets by status, independent of the filter. A click filters by status; a second click clears it. */
export function TicketStats({ search, onChange, isReset }: Props) {
  const { data, isError } = useQuery(ticketCountsQuery(filterOf(search)))
  const isUnknown = isReset || isError
  const known = isUnknown ? undefined : data
  const notes: Record<TicketStatus, string | undefined> = {
    open: known && `${known.desk.highOpen} high priority`,
    in_progress: known && `${known.desk.mineInProgress} assigned to you`,
    closed: known && `${formatUpTo(known.desk.closedLately)} changed this week`,
  }
  const stats = (Object.keys(ticketStatusLabels) as TicketStatus[]).map((id) => ({
    id,
    label: ticketStatusLabels[id],
    value: known ? formatInteger(known.stats[id]) : isUnknown ? '0' : '--',
    ...(notes[id] && { note: notes[id] }),
  }))
  return (
    <StatStrip
      label="Filter by status"
      stats={stats}
      chosen={search.status || null}
      onChoose={(status) => onChange({ status: (status ?? '') as TicketSearch['status'], page: 1 })}
      isSlim
    />
  )
}
