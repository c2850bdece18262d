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

/** A value as a person says it: `sick_pay` is sick pay. */
export const said = (value: string) => value.replaceAll('_', ' ')
/** What a filter offers: anything, or one of the values in words. */
export const saidOptions = (any: string, values: Iterable<string>) =>
  optionsOf(any, values).map(({ value, label }) => ({ value, label: said(label) }))

/** How a payroll entry is named. */
export const entryName = (id: number) => `PR-${id}`

interface Correction {
  correction: Settlement['correction']
  corrected_on: string
}

/** `Correction of Nov 3`, or the taking back of an entry. */
export const correctionText = ({ correction, corrected_on }: Correction) =>
  correction === 'fix' ? `Correction of ${dayText(corrected_on)}` : `Pay taken back on ${dayText(corrected_on)}`

/** How a settlement is named in the payment that it is part of. */
export const settlementText = ({ correction, corrected_on }: Correction) =>
  `Settlement of ${correction === 'fix' ? 'the correction' : 'pay taken back'} of ${dayText(corrected_on)}`

export const sideWord: Record<Side, string> = { employee: 'Employee', employer: 'Employer' }
export const severityWord: Record<Severity, string> = { warning: 'Warning', significant: 'Significant' }
export const severityMeaning: Record<Severity, Meaning> = { warning: 'amber', significant: 'red' }
export const entryMeaning: Record<string, Meaning> = { paid: 'plain', pending: 'blue', cancelled: 'amber' }
export const transactionMeaning: Record<string, Meaning> = { completed: 'plain', pending: 'blue', failed: 'red' }

/** A share as a percentage, to all its digits: 0.195 is `19.5%`. */
export const percentText = (rate: number) => formatPercent(rate * 100)

export const today = () => companyDay(now())
/** Days from one to another, both counted. */
export const daysIn = (from: string, to: string) => daysBetween(from, to) + 1

/** The last 30 days, today included, by the calendar of the payroll. */
export function lastDays() {
  const endDate = today()
  return { startDate: addDays(endDate, 1 - DEFAULT_DAYS), endDate }
}

/** An exact decimal with its thousands set apart. */
export function exactText(amount: string): string {
  const [, sign = '', digits = '', fraction = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(amount) ?? []
  return `${sign && '−'}${formatInteger(BigInt(digits || '0'))}${fraction}`
}
