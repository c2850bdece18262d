import {
  type TicketChange,
  type TicketPriority,
  type TicketStatus,
  ticketStatusWords,
} from '@limber/contract/support/tickets/ticket.ts'

/** Shorter texts are in nearly every message: they are looked for in subjects and customers alone. */
export const MIN_IN_MESSAGES = 3

/** The ticket that somebody looks for by its number, written as `#123` or `123`. */
export function ticketNumber(text: string): number | undefined {
  const [, digits] = /^#?([1-9]\d{0,8})$/.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** The version of a reader is behind a message: somebody wrote what the reader has not seen. */
export const isBehind = (seen: number | undefined, newestMessage: number) => seen !== undefined && seen < newestMessage

export const statusEvent = (status: TicketStatus) => `Set to ${ticketStatusWords[status]}`
export const priorityEvent = (priority: TicketPriority) => `Priority set to ${priority}`
/** What the thread says before `by` and who did it. */
export const assignEvent = (name: string | undefined, isToSelf: boolean) =>
  isToSelf ? 'Taken' : `Given to ${name ?? 'nobody'}`

/** Why a ticket cannot be changed by somebody who saw this version of it. */
export function conflictOf(
  ticket: { merged_into_id: number | null; version: number } | undefined,
  seen: number | undefined,
): 'not_found' | 'merged' | 'stale' | undefined {
  if (!ticket) return 'not_found'
  if (ticket.merged_into_id) return 'merged'
  return seen !== undefined && seen !== ticket.version ? 'stale' : undefined
}

/** What a change writes: the column, what the history says, and how the audit log calls it. */
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

/** The subject of every mail of a ticket: the number lets people find it again. */
export const mailSubject = ({ id, subject }: { id: number; subject: string }, isReply: boolean) =>
  `${isReply ? 'Re: ' : ''}[#${id}] ${subject}`

const MAX_REFERENCES = 10

/** What makes a mail program show the mails of a ticket as one conversation. */
export function threadHeaders(earlier: readonly string[]): Record<string, string> | undefined {
  const last = earlier.at(-1)
  if (!last) return undefined
  const [first = last] = earlier
  const kept = earlier.length > MAX_REFERENCES ? [first, ...earlier.slice(1 - MAX_REFERENCES)] : earlier
  return { 'In-Reply-To': last, References: kept.join(' ') }
}
