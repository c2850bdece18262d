import {
  MAX_TAGS_PER_TICKET,
  type TicketChange,
  type TicketKind,
  type TicketPriority,
  type TicketStatus,
  ticketKindLabels,
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
export const kindEvent = (kind: TicketKind | null) => (kind ? `Kind set to ${ticketKindLabels[kind]}` : 'Kind removed')
/** The thread adds `by` and the worker's name. */
export const assignEvent = (name: string | undefined, isToSelf: boolean) =>
  isToSelf ? 'Assigned to self' : name === undefined ? 'Unassigned' : `Assigned to ${name}`

/** What a change reads of a ticket. */
export interface ChangeableTicket {
  status: TicketStatus
  priority: TicketPriority
  assignee_id: number | null
  kind: TicketKind | null
  tags: number[]
  snoozed_at: Date | null
  snoozed_until: Date | null
  merged_into_id: number | null
  version: number
}

type Conflict = 'not_found' | 'merged' | 'stale' | 'closed_snooze' | 'too_many_tags'

/** Why a ticket cannot be changed by a caller who saw this version. */
export function conflictOf(
  ticket: Pick<ChangeableTicket, 'merged_into_id' | 'version' | 'status' | 'tags'> | undefined,
  seen: number | undefined,
  change: TicketChange,
): Conflict | undefined {
  if (!ticket) return 'not_found'
  if (ticket.merged_into_id) return 'merged'
  if (seen !== undefined && seen !== ticket.version) return 'stale'
  if ('snooze' in change && change.snooze && ticket.status === 'closed') return 'closed_snooze'
  const isFull = 'addTag' in change && ticket.tags.length >= MAX_TAGS_PER_TICKET && !ticket.tags.includes(change.addTag)
  return isFull ? 'too_many_tags' : undefined
}

export const snoozeOf = ({ snoozed_at, snoozed_until }: Pick<ChangeableTicket, 'snoozed_at' | 'snoozed_until'>) =>
  snoozed_at ? (snoozed_until?.toISOString() ?? 'reply') : null

/**
 * What a change writes: the columns, the history event, the audit action, and the value of a ticket before and after.
 * `name` is that of the new assignee or of the tag.
 */
export function planChange(change: TicketChange, name: string | undefined, workerId: number) {
  if ('status' in change) {
    const { status } = change
    return {
      columns: { status },
      event: { kind: 'status', text: statusEvent(status), workerId },
      action: 'ticket_status',
      fact: 'status',
      readValue: (ticket: ChangeableTicket) => ticket.status,
      value: status,
    } as const
  }
  if ('priority' in change) {
    const { priority } = change
    return {
      columns: { priority },
      event: { kind: 'priority', text: priorityEvent(priority), workerId },
      action: 'ticket_priority',
      fact: 'priority',
      readValue: (ticket: ChangeableTicket) => ticket.priority,
      value: priority,
    } as const
  }
  if ('kind' in change) {
    const { kind } = change
    return {
      columns: { kind },
      event: { kind: 'kind', text: kindEvent(kind), workerId },
      action: 'ticket_kind',
      fact: 'kind',
      readValue: (ticket: ChangeableTicket) => ticket.kind,
      value: kind,
    } as const
  }
  if ('addTag' in change || 'removeTag' in change) {
    const isAdded = 'addTag' in change
    const tag = isAdded ? change.addTag : change.removeTag
    return {
      columns: change,
      event: { kind: 'tags', text: `Tag ${name ?? tag} ${isAdded ? 'added' : 'removed'}`, workerId },
      action: isAdded ? 'ticket_tagged' : 'ticket_untagged',
      fact: 'tag',
      readValue: (ticket: ChangeableTicket) => (ticket.tags.includes(tag) ? tag : null),
      value: isAdded ? tag : null,
    } as const
  }
  if ('snooze' in change) {
    const until = change.snooze?.until ? new Date(change.snooze.until) : null
    const text = change.snooze ? (until ? 'Snoozed' : 'Snoozed until the customer replies') : 'Snooze ended'
    return {
      columns: { snooze: change.snooze && { until } },
      event: { kind: 'snoozed', text, workerId },
      action: 'ticket_snoozed',
      fact: 'snoozed',
      readValue: snoozeOf,
      value: change.snooze && (until?.toISOString() ?? 'reply'),
    } as const
  }
  return {
    columns: { assignee_id: change.workerId },
    event: { kind: 'assigned', text: assignEvent(name, change.workerId === workerId), workerId },
    action: 'ticket_assigned',
    fact: 'assignee',
    readValue: (ticket: ChangeableTicket) => ticket.assignee_id,
    value: change.workerId,
  } as const
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
