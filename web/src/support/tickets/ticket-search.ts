import { Day } from '@limber/contract/kit/values.ts'
import { TicketChannel, TicketFigure } from '@limber/contract/support/report/figure.ts'
import { TicketKind, TicketPriority, TicketQueue, TicketStatus } from '@limber/contract/support/tickets/ticket.ts'
import { z } from 'zod'

/** The URL parameters of Support Tickets. */
export const TicketSearch = z.object({
  /** A queue of the desk; of `waiting`, the longest wait is first. */
  queue: TicketQueue.or(z.literal('')).catch(''),
  q: z.string().max(100).catch(''),
  status: TicketStatus.or(z.literal('')).catch(''),
  priority: TicketPriority.or(z.literal('')).catch(''),
  /** A worker's id, `me` or `none`. */
  assignee: z
    .string()
    .regex(/^(me|none|[1-9]\d{0,14}|)$/)
    .catch(''),
  kind: TicketKind.or(z.enum(['none', ''])).catch(''),
  /** A tag's id. */
  tag: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).catch(0),
  /** What a number of the support report counts, and its days. */
  figure: TicketFigure.or(z.literal('')).catch(''),
  from: Day.or(z.literal('')).catch(''),
  to: Day.or(z.literal('')).catch(''),
  channel: TicketChannel.or(z.literal('')).catch(''),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
  ticket: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).catch(0),
})
export type TicketSearch = z.output<typeof TicketSearch>
export type ChangeSearch = (change: Partial<TicketSearch>, how?: { replace?: boolean }) => void

/** The filter as call parameters. */
export const filterOf = ({ queue, q, status, priority, assignee, kind, tag, ...report }: TicketSearch) => ({
  ...(queue && { queue }),
  ...(q && { search: q }),
  ...(status && { status }),
  ...(priority && { priority }),
  ...(assignee && { assignee }),
  ...(kind && { kind }),
  ...(tag > 0 && { tag: String(tag) }),
  ...(report.figure && { figure: report.figure, from: report.from, to: report.to }),
  ...(report.channel && { channel: report.channel }),
})
