import { ticketStatusLabels } from '@limber/contract/support/tickets/ticket.ts'
import { useQuery } from '@tanstack/react-query'
import { CallFailure } from '#platform/api/call-failure.ts'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { ticketQuery } from '../tickets/ticket.api.ts'
import { statusMeaning } from '../tickets/ticket-labels.ts'
import styles from './mentions.module.css'

/** What a ticket is about, in a few words. */
export function TicketPreview({ id }: { id: number }) {
  const { data, error } = useQuery({ ...ticketQuery(id), refetchInterval: false, staleTime: 60_000 })
  if (!data) {
    const isMissing = error instanceof CallFailure && error.status === 404
    return <span>{isMissing ? `No ticket has the number ${id}.` : error ? "Couldn't load the ticket" : 'Loading'}</span>
  }
  const { subject, status, customer, customer_email, assignee } = data
  return (
    <span className={styles.preview}>
      <b>{subject}</b>
      <span className={styles.facts}>
        <StatusBadge meaning={statusMeaning[status]}>{ticketStatusLabels[status]}</StatusBadge>
        {customer?.name ?? customer_email}, {assignee ? `assigned to ${assignee.name}` : 'unassigned'}
      </span>
    </span>
  )
}
