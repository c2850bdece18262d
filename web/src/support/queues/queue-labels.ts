import { type TicketKind, type TicketQueue, ticketKindLabels } from '@limber/contract/support/tickets/ticket.ts'

export const queueLabels: Record<TicketQueue, string> = {
  mine: 'My open',
  unassigned: 'Unassigned',
  breaching: 'Breaching soon',
  waiting: 'Waiting longest',
  high: 'High priority',
  watching: 'Watching',
  snoozed: 'Snoozed',
}

export const kindOptions = (Object.keys(ticketKindLabels) as TicketKind[]).map((value) => ({
  value,
  label: ticketKindLabels[value],
}))
