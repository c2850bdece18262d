import { ticketStatusWords } from '@limber/contract/support/ticket.ts'
import type { UserTicket } from '@limber/contract/support/user.ts'
import { IconTicket } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { cx } from '#ui/class-names.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { Moment } from '#ui/moment.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { SectionCard } from '#ui/section-card.tsx'
import { StatusBadge } from '#ui/status.tsx'
import { TicketLink } from '../ticket-link.tsx'
import { statusMeaning } from '../tickets/ticket-words.ts'
import { userTicketsQuery } from './user.api.ts'
import styles from './user-tabs.module.css'

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
            <StatusBadge meaning={statusMeaning[ticket.status]}>{ticketStatusWords[ticket.status]}</StatusBadge>
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

/** What a customer asked: lately or still open, and before. */
export default function TicketsTab({ id }: { id: number }) {
  const query = useQuery(userTicketsQuery(id))
  return (
    <QueryView
      query={query}
      failure="Failed to fetch user tickets"
      isEmpty={({ recentTickets, ticketHistory }) => recentTickets.length + ticketHistory.length === 0}
      empty={
        <EmptyState icon={IconTicket} title="No tickets">
          What this customer asks stands here.
        </EmptyState>
      }
    >
      {({ recentTickets, ticketHistory }) => (
        <div className={styles.stack}>
          <Tickets title="Recent tickets" tickets={recentTickets} none="None open, and none in the last 90 days." />
          <Tickets title="Earlier tickets" tickets={ticketHistory} none="None before." />
        </div>
      )}
    </QueryView>
  )
}
