import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Ticket, TicketCompany } from '@limber/contract/support/tickets/ticket.ts'
import { Button } from '@mantine/core'
import { IconLifebuoy } from '@tabler/icons-react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { Pager } from '#ui/table/pager.tsx'
import { useLastPage } from '#ui/table/use-last-page.ts'
import { useOpeningRows } from '#ui/table/use-opening-rows.ts'
import { PAGE, ticketCountsQuery } from '../ticket.api.ts'
import { type ChangeSearch, filterOf, type TicketSearch } from '../ticket-search.ts'
import type { Choosing } from './choosing.ts'
import { ManyBar } from './many-bar.tsx'
import styles from './ticket-list.module.css'
import { TicketRow } from './ticket-row.tsx'

interface Props {
  query: UseQueryResult<Ticket[]>
  company: TicketCompany
  search: TicketSearch
  onChange: ChangeSearch
  choosing: Choosing
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
        {search.waiting && ', the longest wait first'}
        {data.isMore && search.q && ', and more that hold these words'}
      </span>
      {pages > 1 && <Pager page={search.page} pages={pages} onPage={(page) => onChange({ page })} />}
    </div>
  )
}

function Rows({
  tickets,
  company,
  search,
  choosing,
}: Pick<Props, 'company' | 'search' | 'choosing'> & { tickets: Ticket[] }) {
  return useOpeningRows(tickets).map((ticket) => (
    <TicketRow
      key={ticket.id}
      ticket={ticket}
      others={company.filter((one) => one.ticket === ticket.id)}
      isOpen={ticket.id === search.ticket}
      words={search.q}
      choosing={choosing}
    />
  ))
}

/** Tickets, last changed or longest waiting first. After a failed refresh the rows are hidden: they may be outdated. */
export function TicketList({ query, company, search, onChange, choosing }: Props) {
  const isFiltered = Object.keys(filterOf(search)).length > 0
  const isQueueOnly = isFiltered && Object.keys(filterOf({ ...search, waiting: '' })).length === 0
  const clear = (
    <Button
      variant="default"
      onClick={() => onChange({ q: '', status: '', priority: '', assignee: '', waiting: '', page: 1 })}
    >
      {isQueueOnly ? 'Show all tickets' : 'Clear the filters'}
    </Button>
  )
  const empty = (
    <EmptyState
      icon={IconLifebuoy}
      title={isQueueOnly ? 'Nobody waits for an answer' : isFiltered ? 'No ticket is found' : 'There are no tickets'}
      {...(isFiltered && { action: clear })}
    >
      {isQueueOnly ? '' : isFiltered ? 'Try other words or filters.' : 'What customers ask stands here.'}
    </EmptyState>
  )
  const shown = (query.isError ? { ...query, data: undefined } : query) as UseQueryResult<Ticket[]>
  return (
    <QueryView
      query={shown}
      failure="Tickets could not be loaded"
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
            data-choosing={choosing.isOn || undefined}
          >
            <Rows tickets={tickets} company={company} search={search} choosing={choosing} />
          </div>
          <Foot search={search} onChange={onChange} />
          {choosing.isOn && <ManyBar choosing={choosing} />}
        </>
      )}
    </QueryView>
  )
}
