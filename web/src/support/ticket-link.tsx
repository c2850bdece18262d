import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCan } from '#platform/session/session.tsx'

/** Leads to a ticket, for those who may open it. */
export function TicketLink({ id, children }: { id: number; children: ReactNode }) {
  const mayOpen = useCan('tickets.handle')
  if (!mayOpen) return children
  return (
    <Link to="/support/tickets" search={{ ticket: id } as never} preload={false}>
      {children}
    </Link>
  )
}
