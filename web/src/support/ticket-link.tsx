import type { ReactNode } from 'react'
import { RecordLink } from '#platform/routing/record-link.tsx'

/** A link to a ticket, for workers who may open it. */
export const TicketLink = ({ id, children }: { id: number; children: ReactNode }) => (
  <RecordLink to="/support/tickets" search={{ ticket: id }} needs="tickets.handle">
    {children}
  </RecordLink>
)
