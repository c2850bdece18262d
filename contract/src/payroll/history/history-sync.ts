import { z } from 'zod'
import { ExternalId, itemHead, Reference, Source } from '#kit/batch.ts'
import { defineCall } from '#kit/call.ts'
import { Money, parseMoney, stringifyMoney } from '#kit/money.ts'
import { resourceCalls } from '#kit/resource.ts'
import { Day, Email, Id, Moment } from '#kit/values.ts'
import { EntryType } from '../values.ts'

const MAX_AMOUNT = parseMoney('10000000')

// Always with four decimals, so that 100.0 and 100.00 are the same line.
const Amount = Money.refine((text) => !text.startsWith('-'), 'must not be negative')
  .refine((text) => !Money.safeParse(text).success || parseMoney(text) <= MAX_AMOUNT, 'must be at most 10,000,000')
  .transform((text) => stringifyMoney(parseMoney(text)))

/** Pay that somebody else paid, to a stretcher or a worker. It never changes; a wrong line is voided. */
export const HistoryItem = z.strictObject({
  ...itemHead,
  /** Exactly one of `stretcher` and `worker_email`. */
  stretcher: Reference.optional(),
  worker_email: Email.optional(),
  type: EntryType,
  amount: Amount,
  /** Required for wages; mileage and expense reimbursements are not taxed. */
  withheld: Amount.optional(),
  employer_tax: Amount.optional(),
  work_date: Day,
  pay_date: Day,
})
export type HistoryItem = z.output<typeof HistoryItem>

const record = {
  earner_id: Id,
  stretcher: Id.nullable(),
  worker_email: z.string().nullable(),
  type: EntryType,
  amount: Money,
  withheld: Money,
  employer_tax: Money,
  work_date: Day,
  pay_date: Day,
  created_at: Moment,
}

export const historyCalls = resourceCalls({
  name: 'payroll/history',
  scope: 'payroll',
  item: HistoryItem,
  record,
  shown: {
    earner_id: 12,
    stretcher: 4,
    worker_email: null,
    type: 'session',
    amount: '1840.0000',
    withheld: '331.2000',
    employer_tax: '140.7600',
    work_date: '2026-03-06',
    pay_date: '2026-03-13',
    created_at: '2026-11-17T17:20:00.000Z',
  },
  shownAs: 'check-2026-03-13-17',
  example: {
    external_id: 'check-2026-03-13-17',
    stretcher: 's-4',
    type: 'session',
    amount: '1840.00',
    withheld: '331.20',
    employer_tax: '140.76',
    work_date: '2026-03-06',
    pay_date: '2026-03-13',
  },
})

/** Removes a line from all figures. Its external id can then be sent again. */
export const voidHistory = defineCall({
  method: 'DELETE',
  path: '/api/v1/payroll/history/by-external-id/:source/:external_id',
  summary: 'Void a line of payroll/history, until January 31 of the next year',
  permission: 'api-key',
  scope: 'payroll:write',
  params: z.strictObject({ source: Source, external_id: ExternalId }),
  reply: z.object({ id: Id, external_ids: z.record(z.string(), z.string()), voided_at: Moment }),
  replyExample: {
    id: 3001,
    external_ids: { app: 'check-2026-03-13-17' },
    voided_at: '2026-11-17T17:20:00.000Z',
  },
  refusals: {
    not_found: [404, 'This record does not exist.'],
    year_closed: [409, 'The year {year} is closed, so this line can no longer be voided.'],
  },
})
