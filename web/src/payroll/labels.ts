import { companyDay } from '@limber/contract/kit/company.ts'
import { addDays, daysBetween } from '@limber/contract/kit/days.ts'
import { formatInteger, formatPercent } from '@limber/contract/kit/formats/numbers.ts'
import { DEFAULT_DAYS } from '@limber/contract/payroll/audit/audit.ts'
import type { Settlement } from '@limber/contract/payroll/lists/transaction.ts'
import type { Severity, Side } from '@limber/contract/payroll/values.ts'
import { now } from '#platform/clock.ts'
import type { Meaning } from '#ui/feedback/status.tsx'
import { optionsOf } from '#ui/form/options-of.ts'
import { dayText } from '#ui/format/day-text.ts'

const labels: Record<string, string> = {
  cancelled: 'canceled',
  married_jointly: 'married filing jointly',
  married_separately: 'married filing separately',
}
/** The label of a wire value inside a line of text: `sick_pay` becomes "sick pay". */
export const inlineLabel = (value: string) => labels[value] ?? value.replaceAll('_', ' ')
/** The label of a wire value on its own: "Sick pay". */
export function labelOf(value: string): string {
  const label = inlineLabel(value)
  return label.charAt(0).toUpperCase() + label.slice(1)
}
/** Filter options: all, or one of the values. */
export const filterOptions = (any: string, values: Iterable<string>) =>
  optionsOf(any, values).map(({ value, label }) => ({ value, label: labelOf(label) }))

export const entryName = (id: number) => `PR-${id}`

interface Correction {
  correction: Settlement['correction']
  corrected_on: string
}

export const correctionText = ({ correction, corrected_on }: Correction) =>
  correction === 'fix' ? `Correction on ${dayText(corrected_on)}` : `Pay voided on ${dayText(corrected_on)}`

export const settlementText = ({ correction, corrected_on }: Correction) =>
  `Settlement of ${correction === 'fix' ? 'the correction' : 'the pay voided'} on ${dayText(corrected_on)}`

export const sideLabels: Record<Side, string> = { employee: 'Employee', employer: 'Employer' }
export const severityLabels: Record<Severity, string> = { warning: 'Warning', significant: 'Significant' }
export const severityMeaning: Record<Severity, Meaning> = { warning: 'amber', significant: 'red' }
export const entryMeaning: Record<string, Meaning> = { paid: 'plain', pending: 'blue', cancelled: 'amber' }
export const transactionMeaning: Record<string, Meaning> = { completed: 'plain', pending: 'blue', failed: 'red' }

/** A rate as a percentage with all its digits: 0.195 becomes `19.5%`. */
export const percentText = (rate: number) => formatPercent(rate * 100)

export const today = () => companyDay(now())
/** Number of days in a range, including both ends. */
export const daysIn = (from: string, to: string) => daysBetween(from, to) + 1

/** The last 30 days including today, in the company's time zone. */
export function lastDays() {
  const endDate = today()
  return { startDate: addDays(endDate, 1 - DEFAULT_DAYS), endDate }
}

/** An exact decimal with thousands separators. */
export function exactText(amount: string): string {
  const [, sign = '', digits = '', fraction = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(amount) ?? []
  return `${sign && '−'}${formatInteger(BigInt(digits || '0'))}${fraction}`
}
