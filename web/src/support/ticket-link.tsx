import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { placeAt } from '#platform/routing/places.ts'
import { useCan } from '#platform/session/session.tsx'

/** Leads to a ticket, for those who may open it. */
export function TicketLink({ id, children }: { id: number; children: ReactNode }) {
  const mayOpen = useCan('tickets.handle')
  if (!mayOpen) return children
  return (
    <Link {...placeAt('/support/tickets', { ticket: id })} preload={false}>
      {children}
    </Link>
  )
}
