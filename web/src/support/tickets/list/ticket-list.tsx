import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Ticket, TicketPresence, TicketQueue } from '@limber/contract/support/tickets/ticket.ts'
import { Button } from '@mantine/core'
import { IconLifebuoy } from '@tabler/icons-react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { NextStep } from '#platform/routing/next-step.tsx'
import { queuesQuery } from '#support/queues/queue.api.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { Pager } from '#ui/table/pager.tsx'
import { useLastPage } from '#ui/table/use-last-page.ts'
import { useProgressiveRows } from '#ui/table/use-progressive-rows.ts'
import { PAGE, ticketCountsQuery, ticketQuery } from '../ticket.api.ts'
import { type ChangeSearch, filterOf, TicketSearch } from '../ticket-search.ts'
import type { TicketSelection } from './selection.ts'
import styles from './ticket-list.module.css'
import { TicketRow } from './ticket-row.tsx'

// Loads when somebody selects tickets.
const BulkBar = lazy(() => import('./bulk-bar.tsx').then((file) => ({ default: file.BulkBar })))

const emptyHints: Partial<Record<TicketQueue, string>> = {
  breaching: 'Tickets appear here an hour before their response is due. Support leads set the targets under Promises.',
  watching: 'Open a ticket and select More, Watch to follow it here.',
}

const emptyQueues = {
  mine: 'You have no open tickets',
  unassigned: 'Every ticket is assigned',
  breaching: 'Nothing is breaching soon',
  waiting: 'No one is waiting for a reply',
  high: 'No ticket has high priority',
  watching: 'You watch no open tickets',
  snoozed: 'No ticket is snoozed',
}

interface Props {
  query: UseQueryResult<Ticket[]>
  presence: TicketPresence
  search: TicketSearch
  onChange: ChangeSearch
  selection: TicketSelection
}

function Foot({ search, onChange }: Pick<Props, 'search' | 'onChange'>) {
  const query = useQuery(ticketCountsQuery(filterOf(search)))
  const { data } = query
  useLastPage(
    query,
    ({ matching }) => Math.ceil(matching / PAGE),
    search.page,
    (page, how) => onChange({ page }, how),
  )
  if (!data) return null
  const pages = Math.max(1, Math.ceil(data.matching / PAGE))
  return (
    <div className={styles.foot}>
      <span>
        {data.isMore && !search.q && 'More than '}
        {pluralize(data.matching, 'ticket')}
        {search.queue === 'waiting' && ', longest wait first'}
        {search.queue === 'breaching' && ', first due first'}
        {data.isMore && search.q && ', and more that contain these words'}
      </span>
      {pages > 1 && <Pager page={search.page} pages={pages} onPage={(page) => onChange({ page })} />}
    </div>
  )
}

/**
 * Where the open ticket was before it left the list: someone assigned or closed it. It stays there until the worker leaves
 * it, so that they keep their place.
 */
function useGonePlace(tickets: readonly Ticket[], search: TicketSearch, isOld: boolean): number | undefined {
  const [seen, setSeen] = useState<{ list: string; ticket: number; place: number }>()
  const { ticket, page } = search
  const list = JSON.stringify([filterOf(search), page])
  const place = tickets.findIndex(({ id }) => id === ticket)
  const isSeen = seen?.list === list && seen.ticket === ticket
  if (place >= 0 && !isOld && !(isSeen && seen.place === place)) setSeen({ list, ticket, place })
  return place < 0 && isSeen ? seen.place : undefined
}

type RowsProps = Pick<Props, 'presence' | 'search' | 'selection'> & { tickets: Ticket[]; isOld: boolean }

function Rows({ tickets, isOld, presence, search, selection }: RowsProps) {
  const { data } = useQuery(queuesQuery)
  const place = useGonePlace(tickets, search, isOld)
  const { data: gone } = useQuery({ ...ticketQuery(search.ticket), enabled: place !== undefined })
  const rows = useProgressiveRows(tickets).map((ticket) => ({ ticket, isGone: false }))
  if (place !== undefined && gone) rows.splice(place, 0, { ticket: gone, isGone: true })
  return rows.map(({ ticket, isGone }) => (
    <TicketRow
      key={ticket.id}
      ticket={ticket}
      others={presence.filter((one) => one.ticket === ticket.id)}
      isOpen={ticket.id === search.ticket}
      isMarked={data?.unread.includes(ticket.id) ?? false}
      isGone={isGone}
      search={search.q}
      selection={selection}
    />
  ))
}

/** Tickets, last changed or longest waiting first. After a failed refresh the rows are hidden: they may be outdated. */
export function TicketList({ query, presence, search, onChange, selection }: Props) {
  const isFiltered = Object.keys(filterOf(search)).length > 0
  const isQueueOnly = isFiltered && Object.keys(filterOf({ ...search, queue: '' })).length === 0
  const { data: counts } = useQuery({ ...queuesQuery, enabled: isQueueOnly })
  const unassigned = search.queue === 'unassigned' ? 0 : (counts?.queues.unassigned ?? 0)
  const show = (more: Partial<TicketSearch>) => onChange({ ...TicketSearch.parse({}), ticket: search.ticket, ...more })
  const clear =
    isQueueOnly && unassigned > 0 ? (
      <Button variant="default" onClick={() => show({ queue: 'unassigned' })}>
        Show {pluralize(unassigned, 'unassigned ticket')}
      </Button>
    ) : (
      <Button variant="default" onClick={() => show({})}>
        {isQueueOnly ? 'Show all tickets' : 'Clear filters'}
      </Button>
    )
  const empty = (
    <EmptyState
      icon={IconLifebuoy}
      title={
        isQueueOnly && search.queue ? emptyQueues[search.queue] : isFiltered ? 'No tickets found' : 'No tickets yet'
      }
      action={
        isFiltered ? (
          clear
        ) : (
          <NextStep to="/support/mailboxes" needs="notifications.send">
            Add a mailbox
          </NextStep>
        )
      }
    >
      {isQueueOnly
        ? search.queue && emptyHints[search.queue]
        : isFiltered
          ? 'Try other words or filters.'
          : 'Tickets from customers appear here. Select “New Ticket” to add one.'}
    </EmptyState>
  )
  const shown = (query.isError ? { ...query, data: undefined } : query) as UseQueryResult<Ticket[]>
  return (
    <QueryView
      query={shown}
      failure="Couldn't load tickets"
      loading={
        <p className={styles.loading} role="status">
          Loading tickets...
        </p>
      }
      isEmpty={(tickets) => tickets.length === 0 && search.page === 1}
      empty={empty}
    >
      {(tickets) => (
        <>
          <div
            className={styles.rows}
            data-old={query.isPlaceholderData || undefined}
            data-selecting={selection.isOn || undefined}
          >
            <Rows {...{ tickets, presence, search, selection }} isOld={query.isPlaceholderData} />
          </div>
          <Foot search={search} onChange={onChange} />
          <Suspense>{selection.isOn && <BulkBar selection={selection} />}</Suspense>
        </>
      )}
    </QueryView>
  )
}
