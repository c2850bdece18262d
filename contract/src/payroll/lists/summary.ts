import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Day, Id, Moment } from '#kit/values.ts'
import { Dollars } from '../values.ts'

/** Totals of paid entries with their adjustments, without voided entries. */
export const readSummary = defineCall({
  method: 'GET',
  path: '/api/payroll/summary',
  summary: 'Get payroll totals: earnings, taxes, net pay and what is due next',
  permission: 'payroll.summary',
  query: z.strictObject({ from: Day.optional(), to: Day.optional() }),
  reply: z.object({
    totalEarnings: Dollars,
    /** Withheld from earners and paid by the employer, with adjustments. */
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
     * Corrections of paid entries that the next pay runs will settle, whatever the date range. All transactions plus these
     * amounts equal the all-time net pay and taxes.
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
