import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Id, IdText } from '#kit/values.ts'
import { Dollars, EntryType } from '../values.ts'
import { PayPeriod } from './period.ts'

/** Without canceled and voided entries; taxes include adjustments that were not undone. */
const PeriodTotals = z.object({
  entries: z.int(),
  earners: z.int(),
  amount: Dollars,
  withheld_tax: Dollars,
  employer_tax: Dollars,
  net_pay: Dollars,
})

/** At most this many earners are listed. */
export const MAX_STORY_EARNERS = 5

export const readPeriodStory = defineCall({
  method: 'GET',
  path: '/api/payroll/periods/story',
  summary: 'What a pay period pays, what changed since the period before, and what is still open',
  permission: 'payroll.details',
  /** Without a period: the next one to be paid, or the latest. */
  query: z.strictObject({ period_id: IdText.optional() }),
  reply: z.object({
    /** Null while there is no pay period, or if there is none with this id. */
    story: z
      .object({
        period: PayPeriod,
        before: PayPeriod.nullable(),
        next_id: Id.nullable(),
        totals: PeriodTotals,
        totals_before: PeriodTotals.nullable(),
        /** By type, the largest amount first. */
        types: z.array(z.object({ type: EntryType, entries: z.int(), amount: Dollars, amount_before: Dollars })),
        /** The earners whose pay changed most since the period before. */
        changes: z.array(z.object({ earner_id: Id, name: z.string(), amount: Dollars, amount_before: Dollars })),
        open: z.object({
          /** Entries that should have been paid. */
          overdue: z.object({ entries: z.int(), amount: Dollars }),
          /** Earners without a tax profile on the pay date, and the first of them. */
          without_profile: z.object({ count: z.int(), earners: z.array(z.object({ id: Id, name: z.string() })) }),
          /** Earlier paid periods that are not closed. */
          open_periods: z.int(),
        }),
      })
      .nullable(),
  }),
})
export type PeriodStory = NonNullable<ReplyOf<typeof readPeriodStory>['story']>
