import { z } from 'zod'
import { defineCall, type ReplyOf, staleRefusal } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Day, Id, Moment, Version } from '#kit/values.ts'
import { Dollars, PayFrequency } from '../values.ts'

export const PayPeriod = z.object({
  id: Id,
  starts_on: Day,
  ends_on: Day,
  pay_date: Day,
  frequency: PayFrequency,
  status: z.enum(['open', 'closed']),
  closed_at: Moment.nullable(),
  closed_by: z.string().nullable(),
  entries: z.int(),
  amount: Dollars,
  version: Version,
})

export const listPeriods = defineCall({
  method: 'GET',
  path: '/api/payroll/periods',
  summary: 'List pay periods, newest first',
  permission: ['payroll.audit', 'payroll.details'],
  query: z.strictObject(pageQuery({ limit: 10 })),
  reply: z.object({ periods: z.array(PayPeriod), pagination: Pagination }),
})
export type PeriodList = ReplyOf<typeof listPeriods>

export const exportPeriods = exportCall(listPeriods, 'pay-periods')

export const closePeriod = defineCall({
  method: 'POST',
  path: '/api/payroll/periods/close',
  summary: 'Close a pay period permanently',
  permission: 'payroll.audit',
  body: z.strictObject({ period_id: Id, version: Version.optional() }),
  reply: PayPeriod,
  refusals: {
    unknown: [404, 'This pay period does not exist.'],
    already_closed: [409, 'This pay period is already closed.', PayPeriod],
    stale: staleRefusal('this pay period', PayPeriod),
    not_over: [422, 'A pay period can be closed on or after its pay date.'],
    has_pending: [422, 'This pay period still has unpaid entries: {count}.'],
  },
})
