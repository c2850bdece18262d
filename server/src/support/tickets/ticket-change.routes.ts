import {
  assignTicket,
  changeTicket,
  changeTickets,
  setTicketPriority,
  setTicketStatus,
} from '@limber/contract/support/tickets/ticket.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { applyChange, lockUnmerged, showTicket } from './change-tickets.ts'
import { presentTicket } from './ticket.present.ts'
import { findTicketAndStats, type LockedTicket, lockTickets } from './ticket.queries.ts'
import { conflictOf } from './ticket.rules.ts'

export const ticketChangeRoutes = [
  serve(setTicketStatus, async (context) => {
    const { params, body, db } = context
    const ticket = await lockUnmerged(setTicketStatus, db, params.id, body.version)
    await applyChange(context, [ticket], { status: body.status })
    const row = await findTicketAndStats(db, ticket.id)
    if (!row) throw refuse(setTicketStatus, 'not_found')
    const { open = 0, in_progress = 0, closed = 0 } = row.stats
    return { ticket: presentTicket(row), stats: { open, in_progress, closed } }
  }),

  serve(assignTicket, async (context) => {
    const { params, body, db } = context
    const ticket = await lockUnmerged(assignTicket, db, params.id, body.version)
    const changed = await applyChange(context, [ticket], { workerId: body.workerId })
    if ('refusal' in changed) throw refuse(assignTicket, 'no_assignee')
    return showTicket(db, ticket.id)
  }),

  serve(setTicketPriority, async (context) => {
    const { params, body, db } = context
    const ticket = await lockUnmerged(setTicketPriority, db, params.id, body.version)
    await applyChange(context, [ticket], { priority: body.priority })
    return showTicket(db, ticket.id)
  }),

  serve(changeTicket, async (context) => {
    const { params, body, db } = context
    const ticket = await lockUnmerged(changeTicket, db, params.id, body.version)
    const conflict = conflictOf(ticket, body.version, body.change)
    if (conflict) throw refuse(changeTicket, conflict)
    const changed = await applyChange(context, [ticket], body.change)
    if ('refusal' in changed) throw refuse(changeTicket, changed.refusal)
    return showTicket(db, ticket.id)
  }),

  serve(changeTickets, async (context) => {
    const { tickets, change } = context.body
    const locked = await lockTickets(
      context.db,
      tickets.map(({ id }) => id),
    )
    const byId = new Map(locked.map((ticket) => [ticket.id, ticket]))
    const changeable: LockedTicket[] = []
    const refused = tickets.flatMap(({ id, version }) => {
      const ticket = byId.get(id)
      const conflict = conflictOf(ticket, version, change)
      if (ticket && !conflict) changeable.push(ticket)
      if (!conflict) return []
      // The same refusal texts as the call for one ticket.
      const { text } = refuse(changeTicket, conflict, { values: { into: ticket?.merged_into_id ?? '' } })
      return [{ id, subject: ticket?.subject ?? '', why: text }]
    })
    const changed = await applyChange(context, changeable, change)
    if ('refusal' in changed) throw refuse(changeTickets, changed.refusal)
    return {
      changed: changed.length,
      tickets: changed.map(({ id, version }) => ({ id, version: version + 1 })),
      refused,
    }
  }),
]
