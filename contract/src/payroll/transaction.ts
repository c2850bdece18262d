import { z } from 'zod'
import { defineCall, type QueryOf, type ReplyOf } from '#kit/call.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Day, Id, IdText, Moment } from '#kit/values.ts'
import { Dollars, Order } from './values.ts'

export const TransactionType = z.enum(['net_pay', 'reimbursement', 'tax_deposit'])
export const TransactionStatus = z.enum(['pending', 'completed', 'failed'])

const filters = {
  earner_id: IdText.optional(),
  type: TransactionType.optional(),
  status: TransactionStatus.optional(),
  /** Days in UTC, both included. */
  from: Day.optional(),
  to: Day.optional(),
}

const refusals = { start_after_end: [400, 'The start date is after the end date.'] } as const

/** Money that left for earners and tax offices, newest first unless told. */
export const listTransactions = defineCall({
  method: 'GET',
  path: '/api/payroll/transactions',
  summary: 'Payroll transactions, sorted and filtered',
  permission: 'payroll.transactions',
  query: z.strictObject({
    ...pageQuery({ limit: 10 }),
    ...filters,
    sort: z.enum(['createdAt', 'amount', 'transactionType', 'status']).default('createdAt'),
    order: Order.default('desc'),
  }),
  reply: z.object({
    transactions: z.array(
      z.object({
        id: Id,
        createdAt: Moment,
        transactionType: TransactionType,
        amount: Dollars,
        status: TransactionStatus,
        earner_id: Id.nullable(),
        earner_name: z.string().nullable(),
        pay_period_id: Id.nullable(),
      }),
    ),
    pagination: Pagination,
  }),
  refusals,
})
export type TransactionQuery = QueryOf<typeof listTransactions>
export type TransactionList = ReplyOf<typeof listTransactions>

export const exportTransactions = defineCall({
  method: 'GET',
  path: '/api/payroll/transactions/export',
  summary: 'The filtered payroll transactions as CSV',
  permission: 'payroll.transactions',
  query: z.strictObject(filters),
  reply: z.unknown(),
  replyType: 'stream',
  refusals,
})
