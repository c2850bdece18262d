import type { ViewQueue } from '@limber/contract/support/queues/queue.ts'
import type { TicketKind, TicketPriority, TicketStatus } from '@limber/contract/support/tickets/ticket.ts'

/** The filter of a saved view. */
export interface ViewFilter {
  queue: ViewQueue | null
  status: TicketStatus | null
  priority: TicketPriority | null
  kind: TicketKind | null
  assignee: string | null
  tag_id: number | null
}

/** An open ticket without an assignee that is not snoozed. */
export interface FreeTicket {
  id: number
  status: TicketStatus
  priority: TicketPriority
  kind: TicketKind | null
  tags: readonly number[]
  waiting_since: Date | null
  is_due_soon: boolean
}

/** Whether a view can show tickets that nobody is assigned to. */
export const showsFree = ({ queue, status, assignee }: ViewFilter): boolean =>
  queue !== 'mine' && queue !== 'snoozed' && status !== 'closed' && (assignee === null || assignee === 'none')

/** Whether a free ticket is in a view. */
export function isInView(ticket: FreeTicket, view: ViewFilter): boolean {
  if (!showsFree(view)) return false
  if (view.queue === 'waiting' && ticket.waiting_since === null) return false
  if (view.queue === 'breaching' && !ticket.is_due_soon) return false
  if (view.queue === 'high' && ticket.priority !== 'high') return false
  if (view.status !== null && view.status !== ticket.status) return false
  if (view.priority !== null && view.priority !== ticket.priority) return false
  if (view.kind !== null && view.kind !== ticket.kind) return false
  return view.tag_id === null || ticket.tags.includes(view.tag_id)
}

/** A worker who can get a ticket. */
export interface Taker {
  id: number
  name: string
  /** Open tickets. */
  load: number
  lastAt: Date | null
}

/** The worker with the fewest open tickets; among equals, who waited longest for one. */
export function nextTaker(takers: readonly Taker[], maxOpen: number): Taker | undefined {
  const waited = ({ lastAt }: Taker) => lastAt?.getTime() ?? Number.NEGATIVE_INFINITY
  return takers
    .filter(({ load }) => load < maxOpen)
    .toSorted((a, b) => a.load - b.load || Math.sign(waited(a) - waited(b)) || a.id - b.id)[0]
}
