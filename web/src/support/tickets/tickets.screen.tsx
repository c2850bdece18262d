import { exportTickets } from '@limber/contract/support/tickets/ticket.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { prefetchOnHover } from '#platform/api/prefetch-on-hover.ts'
import { useThrottledRefresh } from '#platform/api/throttled-refresh.ts'
import { useIntent } from '#platform/routing/intent.ts'
import { useRecentRecord } from '#platform/routing/recent-records.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { Can } from '#platform/session/session.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { MasterDetail } from '#ui/layout/master-detail.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { LazyExportButton } from '#ui/table/lazy-export-button.tsx'
import { userTicketsKey } from '../customers/user.api.ts'
import { useSelection } from './list/selection.ts'
import { TicketFilters } from './list/ticket-filters.tsx'
import { TicketList } from './list/ticket-list.tsx'
import { DeskLine, TicketStats } from './list/ticket-stats.tsx'
import { useTicketPresence } from './thread/ticket-presence.ts'
import { PAGE, ticketListsKey, ticketQuery, ticketsQuery } from './ticket.api.ts'
import { filterOf, TicketSearch } from './ticket-search.ts'
import styles from './tickets.module.css'

const loadNew = () => import('./new-ticket.tsx')
const NewTicket = lazy(loadNew)
// Loads with the data of the ticket, not before the list.
const TicketView = lazy(() => import('./thread/ticket-detail.tsx'))
const DeskSummary = lazy(async () => ({ default: (await import('./desk-summary.tsx')).DeskSummary }))
const MailboxAlert = lazy(() => import('#support/mailboxes/mailbox-alert.tsx'))
const TicketRail = lazy(() => import('./thread/ticket-facts.tsx').then((file) => ({ default: file.TicketRail })))

// At most one refresh per second, and every change is visible within two.
const REFRESH_EVERY = 1_000

/** Remembers the open ticket for the palette. */
function Opened({ id }: { id: number }) {
  const { data } = useQuery(ticketQuery(id))
  useRecentRecord('ticket', id, data?.subject)
  return null
}

/** The ticket list, one thread, and the reply box. */
export default function Tickets() {
  useThrottledRefresh('tickets', ticketListsKey, REFRESH_EVERY)
  useThrottledRefresh('tickets', userTicketsKey, REFRESH_EVERY)
  const presence = useTicketPresence()
  const [search, change] = useSearchState(TicketSearch)
  const [isOpening, setOpening] = useState(false)
  useIntent('new', () => setOpening(true))
  const query = useQuery(ticketsQuery({ ...filterOf(search), page: String(search.page), limit: String(PAGE) }))
  const { ticket } = search
  const selection = useSelection(query.isError ? [] : (query.data ?? []), ticket)
  const actions = (
    <>
      <LazyExportButton call={exportTickets} query={filterOf(search)} />
      <Can permission="tickets.create">
        <Button leftSection={<Icon of={IconPlus} />} {...prefetchOnHover(loadNew)} onClick={() => setOpening(true)}>
          New Ticket
        </Button>
      </Can>
    </>
  )
  const list = (
    <>
      <Suspense>
        <MailboxAlert />
      </Suspense>
      <TicketFilters search={search} onChange={change} selection={selection} />
      <TicketList query={query} presence={presence} search={search} onChange={change} selection={selection} />
    </>
  )
  const onTicket = presence.filter((one) => one.ticket === ticket)
  const detail = (
    <Suspense fallback={<TextSkeleton lines={8} />}>
      <TicketView key={ticket} id={ticket} presence={onTicket} onChange={change} />
    </Suspense>
  )
  return (
    <>
      <PageHead title="Support Tickets" actions={actions} isOneLine>
        <DeskLine search={search} onChange={change} isReset={query.isError} />
      </PageHead>
      <div className={styles.stats}>
        <TicketStats search={search} onChange={change} isReset={query.isError} />
      </div>
      <MasterDetail
        listName="Tickets"
        list={list}
        detail={ticket ? detail : null}
        placeholder={
          <Suspense>
            <DeskSummary />
          </Suspense>
        }
        rail={
          <Suspense>
            <TicketRail id={ticket} />
          </Suspense>
        }
        onBack={() => change({ ticket: 0 })}
        isFilling
      />
      {ticket > 0 && <Opened id={ticket} />}
      <Suspense>
        {isOpening && (
          <NewTicket onClose={() => setOpening(false)} onCreated={(created) => change({ ticket: created })} />
        )}
      </Suspense>
    </>
  )
}
