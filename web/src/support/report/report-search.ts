import { Day } from '@limber/contract/kit/values.ts'
import { ReportGroup, TicketChannel } from '@limber/contract/support/report/figure.ts'
import { TicketKind } from '@limber/contract/support/tickets/ticket.ts'
import { z } from 'zod'

/** The URL parameters of the support report. */
export const ReportSearch = z.object({
  /** Empty: the last 30 days. */
  from: Day.or(z.literal('')).catch(''),
  to: Day.or(z.literal('')).catch(''),
  by: ReportGroup.catch('week'),
  channel: TicketChannel.or(z.literal('')).catch(''),
  kind: TicketKind.or(z.enum(['none', ''])).catch(''),
  /** A tag's id. */
  tag: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).catch(0),
  /** A worker's id or `none`. */
  assignee: z
    .string()
    .regex(/^(none|[1-9]\d{0,14}|)$/)
    .catch(''),
})
export type ReportSearch = z.output<typeof ReportSearch>
