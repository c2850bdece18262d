import { TicketPriority, TicketStatus } from '@limber/contract/support/tickets/ticket.ts'
import { z } from 'zod'

/** The URL parameters of Support Tickets. */
export const TicketSearch = z.object({
  q: z.string().max(100).catch(''),
  status: TicketStatus.or(z.literal('')).catch(''),
  priority: TicketPriority.or(z.literal('')).catch(''),
  /** A worker's id, `me` or `none`. */
  assignee: z
    .string()
    .regex(/^(me|none|[1-9]\d{0,14}|)$/)
    .catch(''),
  /** Only customers waiting for a reply, longest wait first. */
  waiting: z.enum(['yes', '']).catch(''),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
  ticket: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).catch(0),
})
export type TicketSearch = z.output<typeof TicketSearch>
export type ChangeSearch = (change: Partial<TicketSearch>, how?: { replace?: boolean }) => void

/** The filter as call parameters. */
export const filterOf = ({ q, status, priority, assignee, waiting }: TicketSearch) => ({
  ...(q && { search: q }),
  ...(status && { status }),
  ...(priority && { priority }),
  ...(assignee && { assignee }),
  ...(waiting && { waiting }),
})
