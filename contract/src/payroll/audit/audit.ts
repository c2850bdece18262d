import { z } from 'zod'
import { type BodyOf, defineCall, type ReplyOf } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Day, Id, IdText, Moment, Version } from '#kit/values.ts'
import { Dollars, EntryType, FilingStatus, NotNegative, Order, Severity, Side } from '../values.ts'

/** The maximum number of entries that an audit lists and a fix corrects. */
export const MAX_DISCREPANCIES = 20_000
/** The longest range of an audit, in days. */
export const MAX_DAYS = 800

/** The default range of an audit in days, including today. */
export const DEFAULT_DAYS = 30

const Count = z.int().nonnegative()

const EarnerSummary = z.strictObject({
  filing_status: FilingStatus,
  employee_total_discrepancy: Dollars,
  employer_total_discrepancy: Dollars,
  /** Number of entries checked. */
  entries: Count,
  name: z.string().max(300).optional(),
  /** Number of entries with a discrepancy. */
  discrepancies: Count.optional(),
})

/** An entry whose recorded tax, including adjustments, differs from the calculated tax. discrepancy = recorded − calculated. */
export const Discrepancy = z.strictObject({
  payroll_id: Id,
  earner_id: Id,
  amount: NotNegative,
  /** Pay date. */
  date: Day,
  employee_discrepancy: z.strictObject({
    calculated_tax: NotNegative,
    withheld_tax: NotNegative,
    discrepancy: Dollars,
  }),
  employer_discrepancy: z.strictObject({
    calculated_tax: NotNegative,
    paid_tax: NotNegative,
    discrepancy: Dollars,
  }),
  earner_name: z.string().max(300).optional(),
  filing_status: FilingStatus.optional(),
  type: EntryType.optional(),
  severity: Severity.optional(),
  is_period_closed: z.boolean().optional(),
})
export type Discrepancy = z.infer<typeof Discrepancy>

const result = {
  period_start: Day,
  period_end: Day,
  total_entries_checked: Count,
  /** Counts entries, not sides. */
  total_discrepancies: Count,
  total_employee_discrepancy: Dollars,
  total_employer_discrepancy: Dollars,
  earner_summary: z.record(z.string().regex(/^[1-9]\d{0,15}$/), EarnerSummary),
  discrepancies: z.array(Discrepancy).max(MAX_DISCREPANCIES),
  significant: Count.optional(),
  warnings: Count.optional(),
  /** True when there are more discrepancies than listed. */
  is_cut: z.boolean().optional(),
  /** Settings version at the time of the audit. A fix is refused if the settings have changed since. */
  settings_version: Version.optional(),
  run_at: Moment.optional(),
  /** Tax years used, with their publications. */
  tables: z.array(z.strictObject({ year: z.int(), publications: z.array(z.string()) })).optional(),
  notice: z.string().optional(),
}

export const AuditResult = z.strictObject(result)
export type AuditResult = z.infer<typeof AuditResult>

const rangeRefusals = {
  start_after_end: [400, 'The start date is after the end date.'],
  range_too_long: [422, 'An audit can cover at most 800 days. Select a shorter range.'],
  no_tables: [422, 'There are no tax tables for {year}, so that year cannot be audited.'],
} as const

/** Compares recorded with calculated taxes for all pay dates in a range; the last 30 days by default. */
export const runAudit = defineCall({
  method: 'POST',
  path: '/api/payroll/audit',
  summary: 'Compare recorded taxes with calculated taxes',
  permission: 'payroll.audit',
  reads: true,
  body: z
    .strictObject({
      startDate: Day.optional(),
      endDate: Day.optional(),
      /** Progress is published as live updates with this id. */
      progressId: z
        .string()
        .regex(/^[\w-]{8,64}$/)
        .optional(),
    })
    .default({}),
  reply: AuditResult,
  refusals: rangeRefusals,
})

const Line = z.strictObject({ payroll_id: Id, side: Side })

/** The audit result that the user reviewed, and the lines to leave out. */
const FixBody = z.strictObject({
  ...result,
  exclude: z
    .array(Line)
    .max(2 * MAX_DISCREPANCIES)
    .default([]),
})

const changed = [409, 'The figures have changed. Review them again.'] as const
const BODY_LIMIT = 12 * 1024 * 1024

export const previewFix = defineCall({
  method: 'POST',
  path: '/api/payroll/fix-discrepancies/preview',
  summary: 'Preview the adjustments of a fix, by earner and side',
  permission: 'payroll.audit',
  reads: true,
  bodyLimit: BODY_LIMIT,
  body: FixBody,
  reply: z.object({
    lines: Count,
    entries: Count,
    employee_total: Dollars,
    employer_total: Dollars,
    /** Lines in closed periods. They can be fixed, but the fix cannot be undone. */
    closed_lines: Count,
    can_undo: z.boolean(),
    by_earner: z.array(
      z.object({
        earner_id: Id,
        name: z.string(),
        employee_lines: Count,
        employee_total: Dollars,
        employer_lines: Count,
        employer_total: Dollars,
      }),
    ),
  }),
  refusals: { ...rangeRefusals, figures_changed: changed },
})
export type FixPreview = ReplyOf<typeof previewFix>

/** Adds one adjustment per entry and side. The body only states what the user reviewed; the server recomputes every amount. */
export const fixDiscrepancies = defineCall({
  method: 'POST',
  path: '/api/payroll/fix-discrepancies',
  summary: 'Correct the discrepancies of an audit with adjustments',
  permission: 'payroll.audit',
  stepUp: true,
  bodyLimit: BODY_LIMIT,
  body: FixBody,
  reply: z.object({
    operation_id: Id.nullable(),
    applied: Count,
    employee_total: Dollars,
    employer_total: Dollars,
    can_undo: z.boolean(),
  }),
  refusals: { ...rangeRefusals, figures_changed: changed },
})
export type FixBody = BodyOf<typeof fixDiscrepancies>

export const Adjustment = z.object({
  id: Id,
  operation_id: Id,
  date: Moment,
  payroll_id: Id,
  earner_id: Id,
  earner_name: z.string(),
  side: Side,
  before: Dollars,
  after: Dollars,
  difference: Dollars,
  reason: z.string(),
  by: z.string().nullable(),
  status: z.enum(['applied', 'undone']),
  can_undo: z.boolean(),
})
export type Adjustment = z.infer<typeof Adjustment>

export const listAdjustments = defineCall({
  method: 'GET',
  path: '/api/payroll/adjustments',
  summary: 'Adjustments, newest first',
  permission: 'payroll.audit',
  query: z.strictObject({
    ...pageQuery({ limit: 10 }),
    earner_id: IdText.optional(),
    payroll_id: IdText.optional(),
    operation_id: IdText.optional(),
    side: Side.optional(),
    status: z.enum(['applied', 'undone']).optional(),
    order: Order.default('desc'),
  }),
  reply: z.object({ adjustments: z.array(Adjustment), pagination: Pagination }),
})

export const exportAdjustments = exportCall(listAdjustments, 'payroll-adjustments')

/** Undoes a whole fix while all its pay periods are open. If an entry was fixed more than once, the newest fix comes first. */
export const undoFix = defineCall({
  method: 'POST',
  path: '/api/payroll/adjustments/undo',
  summary: 'Undo a fix',
  permission: 'payroll.audit',
  body: z.strictObject({ operation_id: Id }),
  reply: z.object({ operation_id: Id, undone: Count }),
  refusals: {
    unknown: [404, 'This fix does not exist.'],
    already_undone: [409, 'This fix has already been undone.'],
    period_closed: [409, 'This fix can no longer be undone because one of its pay periods is closed.'],
    later_fix: [409, 'A later fix corrected the same entries. Undo that one first.'],
    voided: [409, 'This fix can no longer be undone because one of its entries has been voided.'],
  },
})

/** Checks the last 30 days for discrepancies, at most once an hour for all callers. Otherwise returns the last result. */
export const checkDiscrepancies = defineCall({
  method: 'POST',
  path: '/api/payroll/check-discrepancies',
  summary: 'Check for discrepancies, at most once an hour',
  permission: 'payroll.audit',
  reads: true,
  reply: z.object({
    /** Whether this call started the check. */
    ran: z.boolean(),
    state: z.enum(['running', 'done', 'failed']),
    checked_at: Moment,
    next_check_at: Moment,
    /** Whether a fix was applied or undone after the check, which makes its result outdated. */
    fixed_since: z.boolean(),
    result: z
      .object({
        period_start: Day,
        period_end: Day,
        total_entries_checked: Count,
        total_discrepancies: Count,
        significant: Count,
        warnings: Count,
        total_employee_discrepancy: Dollars,
        total_employer_discrepancy: Dollars,
      })
      .nullable(),
  }),
  refusals: { no_tables: rangeRefusals.no_tables },
})
export type CheckReply = ReplyOf<typeof checkDiscrepancies>
