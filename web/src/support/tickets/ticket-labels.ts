import { type TicketStatus, ticketStatusLabels } from '@limber/contract/support/tickets/ticket.ts'
import type { Meaning } from '#ui/feedback/status.tsx'
import { momentText } from '#ui/format/moment-text.ts'

export const statusMeaning: Record<TicketStatus, Meaning> = { open: 'amber', in_progress: 'blue', closed: 'plain' }

export const statusOptions = (Object.keys(ticketStatusLabels) as TicketStatus[]).map((value) => ({
  value,
  label: ticketStatusLabels[value],
}))

/** The text before an age: `waiting 7 min`, `waiting since Tue`. */
export const waitingText = (since: string, now: Date) =>
  /^(now|\d+ (min|h))$/.test(momentText(since, 'age', now)) ? 'waiting' : 'waiting since'
