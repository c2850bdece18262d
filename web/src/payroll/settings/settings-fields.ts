import type { PayrollSettings } from '@limber/contract/payroll/settings/settings.ts'
import { dollarsText } from '../dollars.tsx'
import { labelOf, percentText, today } from '../labels.ts'
import type { SettingsChange } from './settings.api.ts'

export type SettingsValues = Pick<
  PayrollSettings,
  'basePay' | 'onsiteHourlyPay' | 'taxRate' | 'payFrequency' | 'uiRate'
>

export const settingsFields = [
  { name: 'basePay', label: 'Base pay', show: ({ basePay }: SettingsValues) => dollarsText(basePay) },
  {
    name: 'onsiteHourlyPay',
    label: 'On-site hourly pay',
    show: ({ onsiteHourlyPay }: SettingsValues) => (onsiteHourlyPay === null ? '--' : dollarsText(onsiteHourlyPay)),
  },
  { name: 'taxRate', label: 'Tax rate', show: ({ taxRate }: SettingsValues) => percentText(taxRate) },
  { name: 'payFrequency', label: 'Pay frequency', show: ({ payFrequency }: SettingsValues) => labelOf(payFrequency) },
  { name: 'uiRate', label: 'Employer UI rate', show: ({ uiRate }: SettingsValues) => percentText(uiRate) },
] as const

/** The settings on a day (today at the earliest), including scheduled changes. */
export const valuesOn = ({ history, ...settings }: PayrollSettings, day: string) =>
  history.find(({ effectiveFrom }) => effectiveFrom <= (day > today() ? day : today())) ?? settings

/** Only the changed fields are sent, so that changes by others to the other fields are kept. */
export function changedFields(base: SettingsValues, typed: SettingsChange): SettingsChange {
  const changed = settingsFields.filter(({ name }) => typed[name] !== undefined && typed[name] !== base[name])
  return {
    ...Object.fromEntries(changed.map(({ name }) => [name, typed[name]])),
    ...(typed.effectiveFrom ? { effectiveFrom: typed.effectiveFrom } : {}),
  }
}
