import type { TicketPriority } from '@limber/contract/support/tickets/ticket.ts'

// On its own, so that screens without tickets do not load their contract.
export const priorityLabels: Record<TicketPriority, string> = { low: 'Low', medium: 'Medium', high: 'High' }

export const priorityOptions = (['high', 'medium', 'low'] as const).map((value) => ({
  value,
  label: priorityLabels[value],
}))
