import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import {
  type ChangedTickets,
  type ChangeTickets,
  type Ticket,
  type TicketChange,
  ticketKindLabels,
  ticketStatusLabels,
} from '@limber/contract/support/tickets/ticket.ts'

/** The result of a bulk change: `12 tickets closed`. */
export function changedText(change: TicketChange, count: number, assignee: string | undefined): string {
  const tickets = pluralize(count, 'ticket')
  if ('kind' in change)
    return change.kind === null ? `Kind removed from ${tickets}` : `${tickets} set to ${ticketKindLabels[change.kind]}`
  if ('addTag' in change) return `Tag added to ${tickets}`
  if ('removeTag' in change) return `Tag removed from ${tickets}`
  if ('snooze' in change) return change.snooze ? `${tickets} snoozed` : `Snooze of ${tickets} ended`
  if ('priority' in change) return `${tickets} set to ${change.priority} priority`
  if ('workerId' in change)
    return change.workerId === null ? `${tickets} unassigned` : `${tickets} assigned to ${assignee}`
  return change.status === 'closed' ? `${tickets} closed` : `${tickets} set to ${ticketStatusLabels[change.status]}`
}

const MAX_NAMED = 5

/** The refused tickets and why: `#12 Late again, #15 Refund: Someone else changed this ticket. Reload and try again.` */
export function refusedText(refused: ChangedTickets['refused']): string {
  const reasons = [...new Set(refused.map(({ why }) => why))]
  return reasons
    .map((reason) => {
      const left = refused.filter(({ why }) => why === reason)
      const names = left.slice(0, MAX_NAMED).map(({ id, subject }) => `#${id}${subject && ` ${subject}`}`)
      const more = left.length > MAX_NAMED ? ` and ${left.length - MAX_NAMED} more` : ''
      return `${names.join(', ')}${more}: ${reason}`
    })
    .join(' ')
}

const previousValue = (ticket: Ticket, change: TicketChange): TicketChange => {
  if ('status' in change) return { status: ticket.status }
  if ('priority' in change) return { priority: ticket.priority }
  if ('kind' in change) return { kind: ticket.kind }
  // Only tickets that did not have the tag, or had it, were changed.
  if ('addTag' in change) return { removeTag: change.addTag }
  if ('removeTag' in change) return { addTag: change.removeTag }
  if ('snooze' in change) return { snooze: ticket.snoozed }
  return { workerId: ticket.assignee?.id ?? null }
}

/** The calls that undo a bulk change: one for each previous value. */
export function undoCalls(
  before: readonly Ticket[],
  change: TicketChange,
  { tickets }: ChangedTickets,
): ChangeTickets[] {
  const groups = new Map<string, ChangeTickets>()
  for (const { id, version } of tickets) {
    const ticket = before.find((one) => one.id === id)
    if (!ticket) continue
    const was = previousValue(ticket, change)
    const key = JSON.stringify(was)
    const group = groups.get(key) ?? { tickets: [], change: was }
    group.tickets.push({ id, version })
    groups.set(key, group)
  }
  return [...groups.values()]
}
