import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Day, Id, Moment } from '#kit/values.ts'
import { Dollars } from '../values.ts'

/** What was earned and taxed in all: paid entries with their adjustments, without those that were taken back. */
export const readSummary = defineCall({
  method: 'GET',
  path: '/api/payroll/summary',
  summary: 'Payroll in all: earnings, taxes, net pay, and what is due next',
  permission: 'payroll.summary',
  query: z.strictObject({ from: Day.optional(), to: Day.optional() }),
  reply: z.object({
    totalEarnings: Dollars,
    /** Withheld from earners and owed by the employer, with adjustments. */
    totalTaxes: Dollars,
    lastUpdated: Moment.nullable(),
    employeeTaxes: Dollars,
    employerTaxes: Dollars,
    netPay: Dollars,
    entries: z.int(),
    earners: z.int(),
    pending: z.object({ entries: z.int(), amount: Dollars }),
    nextPayDate: Day.nullable(),
    /**
     * What corrections of paid entries left open, whenever they were paid: the next pay runs settle it. All transactions and
     * what is open here come to the net pay and the taxes of all time.
     */
    unsettled: z.object({ owed: Dollars, toWithhold: Dollars, deposits: Dollars }),
    periods: z.array(
      z.object({
        id: Id,
        startsOn: Day,
        endsOn: Day,
        payDate: Day,
        isClosed: z.boolean(),
        earnings: Dollars,
        taxes: Dollars,
        entries: z.int(),
      }),
    ),
  }),
  refusals: { start_after_end: [400, 'The start date is after the end date.'] },
})
export type PayrollSummary = ReplyOf<typeof readSummary>
