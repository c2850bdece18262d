import {
  type TicketChange,
  type TicketPriority,
  type TicketStatus,
  ticketStatusLabels,
} from '@limber/contract/support/tickets/ticket.ts'

/** Shorter texts occur in nearly every message, so only subjects and customers are searched. */
export const MIN_MESSAGE_SEARCH = 3

/** The ticket number in a search, as `#123` or `123`. */
export function ticketNumber(text: string): number | undefined {
  const [, digits] = /^#?([1-9]\d{0,8})$/.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** Whether a message arrived that the reader of this version has not seen. */
export const hasUnseenMessage = (seen: number | undefined, newestMessage: number) =>
  seen !== undefined && seen < newestMessage

export const statusEvent = (status: TicketStatus) => `Set to ${ticketStatusLabels[status]}`
export const priorityEvent = (priority: TicketPriority) => `Priority set to ${priority}`
/** The thread adds `by` and the worker's name. */
export const assignEvent = (name: string | undefined, isToSelf: boolean) =>
  isToSelf ? 'Assigned to self' : name === undefined ? 'Unassigned' : `Assigned to ${name}`

/** Why a ticket cannot be changed by a caller who saw this version. */
export function conflictOf(
  ticket: { merged_into_id: number | null; version: number } | undefined,
  seen: number | undefined,
): 'not_found' | 'merged' | 'stale' | undefined {
  if (!ticket) return 'not_found'
  if (ticket.merged_into_id) return 'merged'
  return seen !== undefined && seen !== ticket.version ? 'stale' : undefined
}

/** What a change writes: the column, the history event and the audit action. */
export function planChange(change: TicketChange, assignee: string | undefined, workerId: number) {
  if ('status' in change) {
    const { status } = change
    const event = { kind: 'status', text: statusEvent(status), workerId } as const
    return { column: 'status', value: status, event, action: 'ticket_status', fact: 'status' } as const
  }
  if ('priority' in change) {
    const { priority } = change
    const event = { kind: 'priority', text: priorityEvent(priority), workerId } as const
    return { column: 'priority', value: priority, event, action: 'ticket_priority', fact: 'priority' } as const
  }
  const text = assignEvent(assignee, change.workerId === workerId)
  const event = { kind: 'assigned', text, workerId } as const
  return { column: 'assignee_id', value: change.workerId, event, action: 'ticket_assigned', fact: 'assignee' } as const
}

/** The subject of every email of a ticket; the number helps people find it. */
export const emailSubject = ({ id, subject }: { id: number; subject: string }, isReply: boolean) =>
  `${isReply ? 'Re: ' : ''}[#${id}] ${subject}`

/** The email that confirms a new ticket. */
export const confirmationText = (content: string) =>
  `We received your request and will get back to you by email. To add something, reply to this email.\n\nYour request:\n\n${content}`

const MAX_REFERENCES = 10

/** Headers that make mail programs show the emails of a ticket as one conversation. */
export function threadHeaders(earlier: readonly string[]): Record<string, string> | undefined {
  const last = earlier.at(-1)
  if (!last) return undefined
  const [first = last] = earlier
  const kept = earlier.length > MAX_REFERENCES ? [first, ...earlier.slice(1 - MAX_REFERENCES)] : earlier
  return { 'In-Reply-To': last, References: kept.join(' ') }
}
