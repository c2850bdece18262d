import { z } from 'zod'
import { defineCall, type QueryOf, type ReplyOf } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Day, Id, IdText } from '#kit/values.ts'
import { Dollars, EntryStatus, EntryType, Order } from '../values.ts'

const filters = {
  earner_id: IdText.optional(),
  period_id: IdText.optional(),
  type: EntryType.optional(),
  status: EntryStatus.optional(),
  /** Pay dates, inclusive. */
  from: Day.optional(),
  to: Day.optional(),
}

const order = {
  sort: z.enum(['date', 'amount', 'net_pay', 'withheld_tax', 'type', 'status', 'earner']).default('date'),
  order: Order.default('desc'),
}

export const PayrollDetail = z.object({
  id: Id,
  earner_id: Id,
  earner_name: z.string(),
  type: EntryType,
  sub_type: z.string().nullable(),
  amount: Dollars,
  /** As recorded on the pay date, without adjustments. */
  withheld_tax: Dollars,
  employer_tax: Dollars,
  net_pay: Dollars,
  employee_adjustment: Dollars,
  employer_adjustment: Dollars,
  status: EntryStatus,
  work_date: Day,
  pay_date: Day,
  pay_period_id: Id,
  period_start: Day,
  period_end: Day,
  is_period_closed: z.boolean(),
  booking_id: Id.nullable(),
  onsite_session_id: Id.nullable(),
  /** Why the paid entry was voided. */
  void_reason: z.string().nullable(),
})
export type PayrollDetail = z.infer<typeof PayrollDetail>

const refusals = { start_after_end: [400, 'The start date is after the end date.'] } as const

export const listDetails = defineCall({
  method: 'GET',
  path: '/api/payroll/details',
  summary: 'List payroll entries',
  permission: 'payroll.details',
  query: z.strictObject({ ...pageQuery({ limit: 10 }), ...filters, ...order }),
  reply: z.object({
    details: z.array(PayrollDetail),
    /** Totals of all matching entries, as recorded. Canceled entries count only when the status filter selects them. */
    totals: z.object({ amount: Dollars, withheld_tax: Dollars, net_pay: Dollars }),
    pagination: Pagination,
  }),
  refusals,
})
export type DetailQuery = QueryOf<typeof listDetails>
export type DetailList = ReplyOf<typeof listDetails>

export const exportDetails = exportCall(listDetails, 'payroll-details')

export const readDetail = defineCall({
  method: 'GET',
  path: '/api/payroll/details/:id',
  summary: 'Get a payroll entry',
  permission: 'payroll.details',
  params: z.strictObject({ id: IdText }),
  /** With the customer of the booking. */
  reply: PayrollDetail.extend({ customer_id: Id.nullable() }),
  refusals: { unknown: [404, 'This payroll entry does not exist.'] },
})
export type EntryReply = ReplyOf<typeof readDetail>
