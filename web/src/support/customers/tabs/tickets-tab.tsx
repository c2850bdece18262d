import type { UserTicket } from '@limber/contract/support/customers/user.ts'
import { ticketStatusLabels } from '@limber/contract/support/tickets/ticket.ts'
import { Button } from '@mantine/core'
import { IconPlus, IconTicket } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { linkTo } from '#platform/routing/links.ts'
import { Can, useCan } from '#platform/session/session.tsx'
import { TicketLink } from '#support/ticket-link.tsx'
import { statusMeaning } from '#support/tickets/ticket-labels.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { cx } from '#ui/layout/class-names.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { userQuery, userTicketsQuery } from '../user.api.ts'
import styles from './user-tabs.module.css'

const NewTicket = lazy(() => import('#support/tickets/new-ticket.tsx'))

function Tickets({ title, tickets, none }: { title: string; tickets: readonly UserTicket[]; none: string }) {
  return (
    <SectionCard title={title} count={tickets.length} isFlush={tickets.length > 0}>
      {tickets.length === 0 && <p className={styles.none}>{none}</p>}
      {tickets.map((ticket) => (
        <article key={ticket.id} className={styles.item} aria-label={ticket.subject}>
          <div className={styles.itemHead}>
            <span className={styles.itemTitle}>
              <TicketLink id={ticket.id}>{ticket.subject}</TicketLink>
            </span>
            {ticket.priority === 'high' && <span className={styles.urgent}>High priority</span>}
            <StatusBadge meaning={statusMeaning[ticket.status]}>{ticketStatusLabels[ticket.status]}</StatusBadge>
          </div>
          <p className={cx(styles.words, styles.clamped)}>{ticket.content}</p>
          <span className={styles.meta}>
            <Moment at={ticket.createdAt} />
          </span>
        </article>
      ))}
    </SectionCard>
  )
}

/** Creates a ticket for this customer and opens it if the worker may handle tickets. */
function NewTicketButton({ id }: { id: number }) {
  const [isOpening, setOpening] = useState(false)
  const { data: user } = useQuery(userQuery(id))
  const mayHandle = useCan('tickets.handle')
  const navigate = useNavigate()
  const go = (ticket: number) => void (mayHandle && navigate(linkTo('/support/tickets', { ticket })))
  return (
    <>
      <Button variant="default" leftSection={<Icon of={IconPlus} />} onClick={() => setOpening(true)}>
        New Ticket
      </Button>
      <Suspense>
        {isOpening && user && (
          <NewTicket customer={user.personalInfo.email} onClose={() => setOpening(false)} onCreated={go} />
        )}
      </Suspense>
    </>
  )
}

/** A customer's tickets: recent or open ones, and earlier ones. */
export default function TicketsTab({ id }: { id: number }) {
  const query = useQuery(userTicketsQuery(id))
  const create = (
    <Can permission="tickets.create">
      <NewTicketButton id={id} />
    </Can>
  )
  return (
    <QueryView
      query={query}
      failure="Failed to fetch user tickets"
      isEmpty={({ recentTickets, ticketHistory }) => recentTickets.length + ticketHistory.length === 0}
      empty={
        <EmptyState icon={IconTicket} title="No tickets" action={create}>
          This customer's tickets will appear here.
        </EmptyState>
      }
    >
      {({ recentTickets, ticketHistory }) => (
        <div className={styles.stack}>
          <Tickets
            title="Recent tickets"
            tickets={recentTickets}
            none="No open tickets and none in the last 90 days."
          />
          <Tickets title="Earlier tickets" tickets={ticketHistory} none="No earlier tickets." />
          <div>{create}</div>
        </div>
      )}
    </QueryView>
  )
}
