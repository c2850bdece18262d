import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Day, IdText } from '#kit/values.ts'
import { TicketKind } from '../tickets/ticket.ts'
import { Backlog, ReportGroup, ReportRow, TicketChannel } from './figure.ts'

export const MAX_REPORT_DAYS = 732

export const readSupportReport = defineCall({
  method: 'GET',
  path: '/api/support/report',
  summary: 'Volume, response times, promises, satisfaction and backlog of support tickets',
  permission: 'tickets.handle',
  query: z.strictObject({
    /** Days of the company, both included. */
    from: Day,
    to: Day,
    by: ReportGroup.default('week'),
    channel: TicketChannel.or(z.literal('')).default(''),
    kind: TicketKind.or(z.enum(['none', ''])).default(''),
    tag: IdText.or(z.literal('')).default(''),
    /** A worker's id or `none`. */
    assignee: z.union([IdText, z.enum(['none', ''])]).default(''),
  }),
  reply: z.object({ rows: z.array(ReportRow), total: ReportRow, backlog: z.array(Backlog) }),
  refusals: { range: [422, 'Select a first day, and a last day at most two years later.'] },
})
export type SupportReport = ReplyOf<typeof readSupportReport>

export const exportSupportReport = exportCall(readSupportReport, 'support-report')
