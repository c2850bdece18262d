import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { Day, Id, IdText } from '#kit/values.ts'
import { Dollars, EntryStatus, EntryType, FilingStatus, Severity, Side } from '../values.ts'

/** One line. The amount is exact decimal text; before the final rounding it can have up to ten decimals. */
export const Step = z.object({
  kind: z.enum(['part', 'total']),
  label: z.string(),
  working: z.string(),
  amount: z.string().regex(/^-?\d+\.\d{2,10}$/),
})

const Component = z.object({
  key: z.string(),
  label: z.string(),
  rule: z.string(),
  year: z.int(),
  /** For all entries paid together. The parts of each block of steps add up to its total; the last total is this amount. */
  amount: Dollars,
  /** This entry's share of the amount. */
  share: Dollars,
  steps: z.array(Step),
})

const side = {
  components: z.array(Component),
  /** The sum of the shares. */
  calculated_tax: Dollars,
  recorded: Dollars,
  adjustments: Dollars,
  discrepancy: Dollars,
  severity: Severity.nullable(),
}

export const explainEntry = defineCall({
  method: 'GET',
  path: '/api/payroll/entries/:id/explanation',
  summary: "Explain an entry's taxes step by step",
  permission: 'payroll.audit',
  params: z.strictObject({ id: IdText }),
  reply: z.object({
    payroll_id: Id,
    earner_id: Id,
    earner_name: z.string(),
    type: EntryType,
    status: EntryStatus,
    amount: Dollars,
    is_wage: z.boolean(),
    work_date: Day,
    pay_date: Day,
    period: z.object({ id: Id, starts_on: Day, ends_on: Day, frequency: z.string(), is_closed: z.boolean() }),
    /** Wages paid together with this entry, which the taxes are computed on. */
    wages: Dollars,
    wage_entries: z.int(),
    /** Earlier wages of the year, with those from elsewhere. */
    ytd_before: Dollars,
    /** The part of `ytd_before` that somebody else paid. */
    ytd_history: Dollars,
    profile: z.object({
      filing_status: FilingStatus,
      effective_from: Day.nullable(),
      step2_checkbox: z.boolean(),
      step3_credits: Dollars,
      step4a_income: Dollars,
      step4b_deductions: Dollars,
      step4c_extra: Dollars,
      regular_allowances: z.int(),
      estimated_allowances: z.int(),
    }),
    employee: z.object(side),
    employer: z.object(side),
    likely_causes: z.array(z.object({ side: Side, cause: z.string(), text: z.string() })),
    year: z.int(),
    sources: z.array(z.object({ publication: z.string(), sources: z.array(z.string()) })),
    notice: z.string(),
  }),
  refusals: {
    unknown: [404, 'This payroll entry does not exist.'],
    not_paid: [422, 'Only paid entries are audited.'],
    voided: [422, 'This entry was voided, so there is nothing to audit.'],
    no_tables: [422, 'There are no tax tables for {year}.'],
  },
})
export type Explanation = ReplyOf<typeof explainEntry>
