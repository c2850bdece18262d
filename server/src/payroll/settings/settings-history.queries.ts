import { CHANGED, type RecordHistory } from '#platform/audit/history.ts'

export const payrollSettingsHistory: RecordHistory = {
  subject: 'payroll_settings',
  isSingle: true,
  read: () => Promise.resolve({ name: 'Payroll settings', values: {} }),
  fields: [
    { name: 'effective_from', label: 'Effective from', kind: 'day' },
    { name: 'base_pay', label: 'Base pay', kind: 'money' },
    { name: 'onsite_hourly_pay', label: 'On-site hourly pay', kind: 'money' },
    { name: 'tax_rate', label: 'Tax rate' },
    { name: 'pay_frequency', label: 'Pay frequency' },
    { name: 'ui_rate', label: 'UI rate' },
    { name: 'starts_on', label: 'Payroll starts on', kind: 'day' },
  ],
  actions: { 'payroll.settings_changed': CHANGED, 'payroll.start_changed': CHANGED },
  // Pay is computed with the values of its day, so the past does not change. New values are entered from a day on.
  restores: [],
}
