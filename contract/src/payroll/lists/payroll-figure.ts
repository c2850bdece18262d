import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { type FigureDefinition, figurePage, figureReply, figureSearch } from '#kit/figure.ts'
import { Day, IdText } from '#kit/values.ts'

/** The figures of the payroll summary. Each is a sum by earner. */
export const payrollFigures = {
  totalEarnings: {
    label: 'Total earnings',
    formula: 'Pay before deductions of the paid entries. Voided entries do not count.',
    unit: 'dollars',
  },
  totalTaxes: {
    label: 'Total taxes',
    formula: 'What is withheld from earners, and the employer taxes.',
    unit: 'dollars',
    parts: ['employeeTaxes', 'employerTaxes'],
    signs: ['+'],
  },
  netPay: {
    label: 'Net pay',
    formula: 'Total earnings, less what is withheld from earners. Employer taxes are not part of it.',
    unit: 'dollars',
    parts: ['totalEarnings', 'employeeTaxes'],
    signs: ['−'],
  },
  employeeTaxes: {
    label: 'Withheld from earners',
    formula: 'Taxes withheld from paid entries, with adjustments that were not undone. Voided entries do not count.',
    unit: 'dollars',
  },
  employerTaxes: {
    label: 'Employer taxes',
    formula:
      'Taxes that the employer owes for paid entries, with adjustments that were not undone. Voided entries do not count.',
    unit: 'dollars',
  },
  pending: {
    label: 'Pending',
    formula: 'Pay before deductions of the entries that are not paid yet.',
    unit: 'dollars',
  },
  periodEarnings: {
    label: 'Earnings of the pay period',
    formula: 'Pay before deductions of the entries in the pay period. Voided and canceled entries do not count.',
    unit: 'dollars',
  },
  periodWithheld: {
    label: 'Withheld in the pay period',
    formula:
      'Taxes withheld from the entries in the pay period, with adjustments that were not undone. Voided and canceled entries do not count.',
    unit: 'dollars',
  },
  periodEmployerTaxes: {
    label: 'Employer taxes of the pay period',
    formula:
      'Taxes that the employer owes for the entries in the pay period, with adjustments that were not undone. Voided and canceled entries do not count.',
    unit: 'dollars',
  },
  periodNetPay: {
    label: 'Net pay of the pay period',
    formula: 'Earnings of the pay period, less what is withheld in it. Employer taxes are not part of it.',
    unit: 'dollars',
    parts: ['periodEarnings', 'periodWithheld'],
    signs: ['−'],
  },
  periodTaxes: {
    label: 'Taxes of the pay period',
    formula:
      'Withheld and employer taxes of the entries in the pay period, with adjustments that were not undone. Voided and canceled entries do not count.',
    unit: 'dollars',
    parts: ['periodWithheld', 'periodEmployerTaxes'],
    signs: ['+'],
  },
} as const satisfies Record<string, FigureDefinition>

export type PayrollFigure = keyof typeof payrollFigures
const PayrollFigure = z.enum(Object.keys(payrollFigures) as [PayrollFigure, ...PayrollFigure[]])

export const listPayrollFigure = defineCall({
  method: 'GET',
  path: '/api/payroll/figures/:figure',
  summary: 'The earners behind a payroll figure',
  permission: 'payroll.summary',
  params: z.strictObject({ figure: PayrollFigure }),
  query: z.strictObject({
    from: Day.optional(),
    to: Day.optional(),
    /** Limits the figures of a pay period to this one. */
    periodId: IdText.optional(),
    ...figureSearch,
    ...figurePage,
  }),
  reply: z.object(figureReply),
  refusals: { start_after_end: [400, 'The start date is after the end date.'] },
})

export const exportPayrollFigure = exportCall(listPayrollFigure, 'payroll-figure')
