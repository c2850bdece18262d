import type { TicketLinkKind } from '@limber/contract/support/related/related.ts'
import type { TicketTask } from '@limber/contract/support/tickets/ticket-task.ts'
import { momentText } from '#ui/format/moment-text.ts'

export const linkLabels: Record<TicketLinkKind, string> = {
  split_from: 'Split from',
  split_into: 'Split off',
  follow_up_of: 'Follow-up of',
  followed_by: 'Continued in',
  related: 'Linked',
}

export function taskText({ kind, booking }: Pick<TicketTask, 'kind' | 'booking'>): string {
  if (kind === 'callback' || !booking) return 'Call back'
  const when = momentText(booking.startsAt, 'moment')
  if (kind === 'cancel_booking') return `Cancel the session on ${when}`
  return `Move the session on ${when}${booking.wantedAt ? ` to ${momentText(booking.wantedAt, 'moment')}` : ''}`
}
