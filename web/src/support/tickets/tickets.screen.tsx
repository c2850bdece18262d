import { Button } from '@mantine/core'
import { IconLifebuoy, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { ahead } from '#platform/api/ahead.ts'
import { useCalmRefresh } from '#platform/api/calm-refresh.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { Can } from '#platform/session/session.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { MasterDetail } from '#ui/layout/master-detail.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { userTicketsKey } from '../customers/user.api.ts'
import { useChoosing } from './list/choosing.ts'
import { TicketFilters } from './list/ticket-filters.tsx'
import { TicketList } from './list/ticket-list.tsx'
import { DeskLine, TicketStats } from './list/ticket-stats.tsx'
import { useCompany } from './thread/ticket-company.ts'
import { TicketView } from './thread/ticket-detail.tsx'
import { TicketRail } from './thread/ticket-facts.tsx'
import { PAGE, ticketListsKey, ticketsQuery } from './ticket.api.ts'
import { filterOf, TicketSearch } from './ticket-search.ts'
import styles from './tickets.module.css'

const loadNew = () => import('./new-ticket.tsx')
const NewTicket = lazy(loadNew)

// At most one refresh per second, and every change is visible within two.
const CALM = 1_000

const nothing = <EmptyState icon={IconLifebuoy} title="Select a ticket to view details" />

/** The ticket list, one thread, and the reply box. */
export default function Tickets() {
  useCalmRefresh('tickets', ticketListsKey, CALM)
  useCalmRefresh('tickets', userTicketsKey, CALM)
  const company = useCompany()
  const [search, change] = useSearchState(TicketSearch)
  const [isOpening, setOpening] = useState(false)
  const query = useQuery(ticketsQuery({ ...filterOf(search), page: String(search.page), limit: String(PAGE) }))
  const { ticket } = search
  const choosing = useChoosing(query.isError ? [] : (query.data ?? []), ticket)
  const actions = (
    <Can permission="tickets.create">
      <Button leftSection={<Icon of={IconPlus} />} {...ahead(loadNew)} onClick={() => setOpening(true)}>
        New Ticket
      </Button>
    </Can>
  )
  const list = (
    <>
      <TicketFilters search={search} onChange={change} choosing={choosing} />
      <TicketList query={query} company={company} search={search} onChange={change} choosing={choosing} />
    </>
  )
  const detail = (
    <TicketView key={ticket} id={ticket} company={company.filter((one) => one.ticket === ticket)} onChange={change} />
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
        nothing={nothing}
        rail={<TicketRail id={ticket} />}
        onBack={() => change({ ticket: 0 })}
        isFilling
      />
      <Suspense>
        {isOpening && (
          <NewTicket onClose={() => setOpening(false)} onCreated={(created) => change({ ticket: created })} />
        )}
      </Suspense>
    </>
  )
}
