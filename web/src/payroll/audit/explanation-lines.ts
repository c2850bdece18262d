import { formatDay, formatDayRange } from '@limber/contract/kit/formats/dates.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Explanation } from '@limber/contract/payroll/audit/explanation.ts'
import type { Side } from '@limber/contract/payroll/values.ts'
import { dayText } from '#ui/format/day-text.ts'
import { dollarsText } from '../dollars.tsx'
import { exactText, inlineLabel } from '../labels.ts'

/** One line of an explanation. Inner lines are indented and not part of the sum. */
export interface Line {
  kind: 'head' | 'inner' | 'inner-total' | 'plain' | 'total'
  label: string
  working: string
  amount: string
}

type Component = Explanation['employee']['components'][number]

const line = (kind: Line['kind'], label: string, working: string, amount: string): Line => ({
  kind,
  label,
  working,
  amount,
})

/** The earner's W-4 and DE 4 in one line. */
export function taxProfileText({ profile }: Explanation): string {
  const { filing_status, effective_from, regular_allowances, estimated_allowances } = profile
  const extras = [
    profile.step2_checkbox && 'step 2 checked',
    profile.step3_credits > 0 && `step 3 ${dollarsText(profile.step3_credits)}`,
    profile.step4a_income > 0 && `step 4(a) ${dollarsText(profile.step4a_income)}`,
    profile.step4b_deductions > 0 && `step 4(b) ${dollarsText(profile.step4b_deductions)}`,
    profile.step4c_extra > 0 && `step 4(c) ${dollarsText(profile.step4c_extra)}`,
    regular_allowances > 0 && pluralize(regular_allowances, 'allowance'),
    estimated_allowances > 0 && pluralize(estimated_allowances, 'estimated deduction allowance'),
  ].filter((text) => text !== false)
  const filed = effective_from ? `W-4 and DE 4 effective ${dayText(effective_from)}` : 'no W-4 or DE 4 on file'
  return [inlineLabel(filing_status), filed, ...(extras.length > 0 ? extras : ['no allowances'])].join(', ')
}

/** The lines of one tax. A tax with a single step shows it next to the label. */
function componentLines({ label, rule, amount, share, steps }: Component, entries: number): Line[] {
  const parts = steps.filter(({ kind }) => kind === 'part')
  const isShort = parts.length === 1
  const inner = isShort ? [] : steps
  // The last total is the tax itself, which the head already shows unless several entries share it.
  const isShared = entries > 1
  const shown = inner.slice(0, -1)
  const last = steps.at(-1)
  const shared =
    isShared && last && amount !== 0
      ? [line('inner-total', `All ${entries} entries`, 'split by wages, rounded to the cent', exactText(last.amount))]
      : []
  return [
    line('head', label, isShort ? (parts[0]?.working ?? '') : rule, dollarsText(share)),
    ...shown.map((step) =>
      line(step.kind === 'total' ? 'inner-total' : 'inner', step.label, step.working, exactText(step.amount)),
    ),
    ...shared,
  ]
}

const recordedLabels: Record<Side, string> = { employee: 'Withheld', employer: 'Paid' }

export function sideLines(explanation: Explanation, side: Side): Line[] {
  const { components, calculated_tax, recorded, adjustments, discrepancy } = explanation[side]
  const word = recordedLabels[side]
  return [
    ...components.flatMap((component) => componentLines(component, explanation.wage_entries)),
    line('total', 'Calculated', '', dollarsText(calculated_tax)),
    line('plain', word, `recorded ${dayText(explanation.pay_date)}`, dollarsText(recorded)),
    ...(adjustments === 0 ? [] : [line('plain', 'Adjustments', 'from earlier fixes', dollarsText(adjustments, true))]),
    line('total', 'Difference', `${word.toLowerCase()} − calculated`, dollarsText(discrepancy, true)),
  ]
}

/** The basis of the calculation. */
export function basisLines(explanation: Explanation): Line[] {
  const { period, wage_entries, wages, amount, type, work_date, ytd_before, ytd_history, is_wage, year } = explanation
  const span = `${formatDayRange(period.starts_on, period.ends_on)}, ${period.frequency}, ${pluralize(wage_entries, 'entry', 'entries')}`
  return [
    line('head', 'Wages this pay period', span, dollarsText(wages)),
    line(
      'plain',
      'This entry',
      `${inlineLabel(type)}, ${dayText(work_date)}${is_wage ? '' : ', not wages'}`,
      dollarsText(amount),
    ),
    line(
      'plain',
      'Year to date before this pay date',
      `wages since ${formatDay(`${year}-01-01`)}${ytd_history > 0 ? `, ${dollarsText(ytd_history)} of it paid elsewhere` : ''}`,
      dollarsText(ytd_before),
    ),
    line('plain', 'Filing status', taxProfileText(explanation), ''),
  ]
}

/** The explanation as plain text, to paste into an email or a note. */
export function explanationText(explanation: Explanation): string {
  const rows = (lines: readonly Line[]) =>
    lines.map(
      ({ kind, label, working, amount }) =>
        `${kind.startsWith('inner') ? '  ' : ''}${[label, working, amount].filter(Boolean).join('\t')}`,
    )
  return [
    `PR-${explanation.payroll_id}, ${explanation.earner_name}, paid ${dayText(explanation.pay_date)}`,
    '',
    ...rows(basisLines(explanation)),
    '',
    'Employee side',
    ...rows(sideLines(explanation, 'employee')),
    '',
    'Employer side',
    ...rows(sideLines(explanation, 'employer')),
    '',
    ...explanation.likely_causes.map(({ text }) => text),
    explanation.notice,
  ].join('\n')
}
