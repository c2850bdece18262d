import type {
  Adjustment,
  AuditResult,
  CheckReply,
  Discrepancy,
  FixPreview,
} from '@limber/contract/payroll/audit/audit.ts'
import type { Explanation } from '@limber/contract/payroll/audit/explanation.ts'
import type { EarnerReply } from '@limber/contract/payroll/earners/earner.ts'
import type { EntryReply } from '@limber/contract/payroll/lists/detail.ts'
import type { PayrollSettings } from '@limber/contract/payroll/settings/settings.ts'

const NOTICE = 'These figures are for reference only and are not tax advice.'

export const makeDiscrepancy = (more: Partial<Discrepancy> = {}): Discrepancy => ({
  payroll_id: 20418,
  earner_id: 3,
  amount: 2140,
  date: '2026-11-13',
  employee_discrepancy: { calculated_tax: 429.25, withheld_tax: 385.2, discrepancy: -44.05 },
  employer_discrepancy: { calculated_tax: 163.71, paid_tax: 236.47, discrepancy: 72.76 },
  earner_name: 'Marisol Vega',
  filing_status: 'single',
  type: 'session',
  severity: 'significant',
  is_period_closed: false,
  ...more,
})

/** A difference of less than one cent, on one side only. */
export const makeWarning = (more: Partial<Discrepancy> = {}): Discrepancy =>
  makeDiscrepancy({
    payroll_id: 20402,
    earner_id: 4,
    earner_name: 'Renata Solis',
    filing_status: 'married_jointly',
    amount: 1650,
    employee_discrepancy: { calculated_tax: 210.93, withheld_tax: 210.9263, discrepancy: -0.0037 },
    employer_discrepancy: { calculated_tax: 126.23, paid_tax: 126.23, discrepancy: 0 },
    severity: 'warning',
    ...more,
  })

export const makeAudit = (discrepancies: Discrepancy[], more: Partial<AuditResult> = {}): AuditResult => ({
  period_start: '2026-10-16',
  period_end: '2026-11-14',
  total_entries_checked: 184,
  total_discrepancies: discrepancies.length,
  total_employee_discrepancy: -44.0537,
  total_employer_discrepancy: 72.76,
  earner_summary: {
    3: {
      filing_status: 'single',
      employee_total_discrepancy: -44.05,
      employer_total_discrepancy: 72.76,
      entries: 92,
      name: 'Marisol Vega',
      discrepancies: 1,
    },
    4: {
      filing_status: 'married_jointly',
      employee_total_discrepancy: -0.0037,
      employer_total_discrepancy: 0,
      entries: 92,
      name: 'Renata Solis',
      discrepancies: 1,
    },
  },
  discrepancies,
  significant: discrepancies.filter(({ severity }) => severity === 'significant').length,
  warnings: discrepancies.filter(({ severity }) => severity === 'warning').length,
  is_cut: false,
  settings_version: 3,
  run_at: '2026-11-14T17:32:00.000Z',
  tables: [{ year: 2026, publications: ['IRS Pub 15-T (2026)', 'EDD rates for 2026'] }],
  notice: NOTICE,
  ...more,
})

export const makePreview = (more: Partial<FixPreview> = {}): FixPreview => ({
  lines: 3,
  entries: 2,
  employee_total: 44.0537,
  employer_total: -72.76,
  closed_lines: 0,
  can_undo: true,
  by_earner: [
    {
      earner_id: 3,
      name: 'Marisol Vega',
      employee_lines: 1,
      employee_total: 44.05,
      employer_lines: 1,
      employer_total: -72.76,
    },
  ],
  ...more,
})

export const makeCheck = (more: Partial<CheckReply> = {}): CheckReply => ({
  ran: false,
  state: 'done',
  checked_at: '2026-11-14T17:00:00.000Z',
  next_check_at: '2026-11-14T18:00:00.000Z',
  fixed_since: false,
  result: {
    period_start: '2026-10-16',
    period_end: '2026-11-14',
    total_entries_checked: 184,
    total_discrepancies: 2,
    significant: 1,
    warnings: 1,
    total_employee_discrepancy: -44.0537,
    total_employer_discrepancy: 72.76,
  },
  ...more,
})

const component = (label: string, share: number, steps: Explanation['employee']['components'][number]['steps']) => ({
  key: label,
  label,
  rule: `Rule of ${label}`,
  year: 2026,
  amount: share,
  share,
  steps,
})

export const makeExplanation = (more: Partial<Explanation> = {}): Explanation => ({
  payroll_id: 20418,
  earner_id: 3,
  earner_name: 'Marisol Vega',
  type: 'session',
  status: 'paid',
  amount: 2140,
  is_wage: true,
  work_date: '2026-10-26',
  pay_date: '2026-11-13',
  period: { id: 9, starts_on: '2026-10-26', ends_on: '2026-11-08', frequency: 'biweekly', is_closed: false },
  wages: 2140,
  wage_entries: 1,
  ytd_before: 44_310,
  ytd_history: 0,
  profile: {
    filing_status: 'single',
    effective_from: '2024-01-01',
    step2_checkbox: false,
    step3_credits: 0,
    step4a_income: 0,
    step4b_deductions: 0,
    step4c_extra: 0,
    regular_allowances: 0,
    estimated_allowances: 0,
  },
  employee: {
    components: [
      component('Federal income tax', 172.95, [
        { kind: 'part', label: 'Annual wages', working: '2,140.00 × 26', amount: '55640.00' },
        { kind: 'part', label: 'Less line 1g', working: 'W-4 step 2 not checked', amount: '-8600.00' },
        { kind: 'total', label: 'Adjusted annual wage', working: '', amount: '47040.00' },
        { kind: 'part', label: 'Per pay period', working: '4,496.80 ÷ 26', amount: '172.95' },
        { kind: 'total', label: 'Federal income tax', working: '', amount: '172.95' },
      ]),
      component('Social Security', 256.3, [
        { kind: 'part', label: 'Social Security', working: '6.2%, base not exceeded', amount: '256.30' },
        { kind: 'total', label: 'Social Security', working: '', amount: '256.30' },
      ]),
    ],
    calculated_tax: 429.25,
    recorded: 385.2,
    adjustments: 0,
    discrepancy: -44.05,
    severity: 'significant',
  },
  employer: {
    components: [
      component('Medicare', 163.71, [
        { kind: 'part', label: 'Medicare', working: '1.45%', amount: '163.71' },
        { kind: 'total', label: 'Medicare', working: '', amount: '163.71' },
      ]),
    ],
    calculated_tax: 163.71,
    recorded: 236.47,
    adjustments: 0,
    discrepancy: 72.76,
    severity: 'significant',
  },
  likely_causes: [
    { side: 'employee', cause: 'provisional_rate', text: 'Withheld at the flat provisional rate of 18%.' },
  ],
  year: 2026,
  sources: [{ publication: 'IRS Pub 15-T (2026)', sources: ['https://www.irs.gov/pub/irs-pdf/p15t.pdf'] }],
  notice: NOTICE,
  ...more,
})

export const makeAdjustment = (more: Partial<Adjustment> = {}): Adjustment => ({
  id: 1,
  operation_id: 7,
  date: '2026-11-14T17:40:00.000Z',
  payroll_id: 20418,
  earner_id: 3,
  earner_name: 'Marisol Vega',
  side: 'employee',
  before: 385.2,
  after: 429.25,
  difference: 44.05,
  reason: 'Tax audit for Oct 16 – Nov 14, 2026',
  by: 'Priya Raman',
  status: 'applied',
  can_undo: true,
  ...more,
})

export const makeSettings = (more: Partial<PayrollSettings> = {}): PayrollSettings => {
  const values = { basePay: 44, onsiteHourlyPay: 36, taxRate: 0.2, payFrequency: 'biweekly', uiRate: 0.034 } as const
  const { version = 3 } = more
  const settings = { ...values, effectiveFrom: '2026-09-30', version, ...more }
  const { basePay, onsiteHourlyPay, taxRate, payFrequency, uiRate, effectiveFrom } = settings
  const now = { basePay, onsiteHourlyPay, taxRate, payFrequency, uiRate, effectiveFrom, version }
  return {
    history: [{ ...now, state: 'in_force', changedAt: '2026-09-24T22:00:00.000Z', changedBy: 'Robin Vale' }],
    taxYears: [{ year: 2026, sources: ['IRS Pub 15-T (2026)'] }],
    notice: NOTICE,
    starts_on: null,
    start_changes: [],
    late_bookings: 0,
    ...settings,
  }
}

export const makeDetail = (more: Partial<EntryReply> = {}): EntryReply => ({
  id: 501,
  earner_id: 3,
  earner_name: 'Marisol Vega',
  type: 'session',
  sub_type: null,
  amount: 44,
  withheld_tax: 8.8,
  employer_tax: 3.366,
  net_pay: 35.2,
  employee_adjustment: 0,
  employer_adjustment: 0,
  status: 'paid',
  work_date: '2026-11-02',
  pay_date: '2026-11-13',
  pay_period_id: 9,
  period_start: '2026-10-26',
  period_end: '2026-11-08',
  is_period_closed: false,
  booking_id: 88,
  onsite_session_id: null,
  void_reason: null,
  customer_id: 61,
  ...more,
})

export const makeEarner = (more: Partial<EarnerReply> = {}): EarnerReply => {
  const profile: EarnerReply['history'][number] = {
    id: 1,
    filing_status: 'single',
    step2_checkbox: false,
    step3_credits: 0,
    step4a_income: 0,
    step4b_deductions: 0,
    step4c_extra: 0,
    regular_allowances: 1,
    estimated_allowances: 0,
    effective_from: '2024-01-01',
    recorded_at: '2024-01-01T16:00:00.000Z',
    recorded_by: null,
  }
  return {
    id: 3,
    name: 'Marisol Vega',
    kind: 'stretcher',
    person_id: 12,
    profile,
    history: [profile],
    dues: [],
    year_to_date: {
      year: 2026,
      wages: 44_310,
      reimbursements: 120,
      withheld: 7_975.8,
      employer_tax: 3_389.715,
      history: { wages: 0, reimbursements: 0, withheld: 0, employer_tax: 0 },
      wage_bases: [],
    },
    ...more,
  }
}
