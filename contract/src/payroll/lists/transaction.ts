import { z } from 'zod'
import { defineCall, type QueryOf, type ReplyOf } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Day, Id, IdText, Moment, Text } from '#kit/values.ts'
import { Dollars, Order } from '../values.ts'

export const TransactionType = z.enum(['net_pay', 'reimbursement', 'tax_deposit'])
export const TransactionStatus = z.enum(['pending', 'completed', 'failed'])

const filters = {
  earner_id: IdText.optional(),
  type: TransactionType.optional(),
  status: TransactionStatus.optional(),
  /** Days in the company's time zone, inclusive. */
  from: Day.optional(),
  to: Day.optional(),
}

/** The part of a correction included in a transaction. Negative amounts are withheld or deducted from a deposit. */
export const Settlement = z.object({
  id: Id,
  /** A tax audit fix, or an entry voided because the work did not take place. */
  correction: z.enum(['fix', 'void']),
  corrected_on: Day,
  operation_id: Id.nullable(),
  /** The voided entry. */
  payroll_id: Id.nullable(),
  transaction_id: Id,
  paid_on: Day,
  amount: Dollars,
})
export type Settlement = z.infer<typeof Settlement>

const Transaction = z.object({
  id: Id,
  createdAt: Moment,
  transactionType: TransactionType,
  amount: Dollars,
  status: TransactionStatus,
  earner_id: Id.nullable(),
  earner_name: z.string().nullable(),
  pay_period_id: Id.nullable(),
  settlements: z.array(Settlement),
})

const refusals = { start_after_end: [400, 'The start date is after the end date.'] } as const

/** Payments to earners and tax agencies. */
export const listTransactions = defineCall({
  method: 'GET',
  path: '/api/payroll/transactions',
  summary: 'List payroll transactions',
  permission: 'payroll.transactions',
  query: z.strictObject({
    ...pageQuery({ limit: 10 }),
    ...filters,
    sort: z.enum(['createdAt', 'amount', 'transactionType', 'status']).default('createdAt'),
    order: Order.default('desc'),
  }),
  reply: z.object({ transactions: z.array(Transaction), pagination: Pagination }),
  refusals,
})
export type TransactionQuery = QueryOf<typeof listTransactions>
export type TransactionList = ReplyOf<typeof listTransactions>

export const exportTransactions = exportCall(listTransactions, 'payroll-transactions')

/** A deposit is pending from the pay date until someone records the outcome. A failed deposit can still be completed. */
export const settleDeposit = defineCall({
  method: 'POST',
  path: '/api/payroll/transactions/:id/settle',
  summary: 'Mark a tax deposit as completed or failed',
  permission: 'payroll.transactions',
  params: z.strictObject({ id: IdText }),
  body: z.strictObject({ status: z.enum(['completed', 'failed']), note: Text(200).optional() }),
  reply: z.object({ transaction: Transaction }),
  refusals: {
    unknown: [404, 'This transaction does not exist.'],
    no_deposit: [422, 'Only tax deposits can be marked as completed or failed.'],
    settled: [409, 'This deposit already has this status or is already completed.'],
  },
})
