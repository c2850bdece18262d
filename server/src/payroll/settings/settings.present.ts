import type { PayrollSettings } from '@limber/contract/payroll/settings/settings.ts'
import { TAX_NOTICE } from '@limber/contract/payroll/values.ts'
import { publicationsOf } from '../audit/run-audit.ts'
import { effectiveOn } from '../entries/effective.rules.ts'
import { dollars } from '../lists/list.present.ts'
import { taxYears } from '../tax/tables.rules.ts'
import type { SettingsHistoryRow } from './settings.queries.ts'
import { stateOf } from './settings.rules.ts'
import type { StartRow } from './start.queries.ts'

const MAX_HISTORY = 100

const values = (row: SettingsHistoryRow) => ({
  basePay: dollars(row.base_pay),
  onsiteHourlyPay: row.onsite_hourly_pay === null ? null : dollars(row.onsite_hourly_pay),
  taxRate: dollars(row.tax_rate),
  payFrequency: row.pay_frequency,
  uiRate: dollars(row.ui_rate),
  effectiveFrom: row.effective_from,
  version: row.version,
})

/** Includes scheduled changes, so that two people who schedule changes also get a conflict. */
export const newestVersion = (...changes: readonly (readonly { version: number }[])[]) =>
  Math.max(...changes.flat().map(({ version }) => version))

interface Start {
  changes: readonly StartRow[]
  lateBookings: number
}

/** The settings in effect on a day, with every change. */
export function presentSettings(history: readonly SettingsHistoryRow[], start: Start, day: string): PayrollSettings {
  const current = effectiveOn(history, day)
  if (!current) throw new Error('No payroll settings exist')
  return {
    ...values(current),
    starts_on: start.changes[0]?.starts_on ?? null,
    start_changes: start.changes.slice(0, MAX_HISTORY).map((row) => ({
      starts_on: row.starts_on,
      version: row.version,
      changedAt: row.changed_at.toISOString(),
      changedBy: row.worker_name,
    })),
    late_bookings: start.changes[0]?.starts_on ? 0 : start.lateBookings,
    version: newestVersion(history, start.changes),
    history: history
      .toReversed()
      .slice(0, MAX_HISTORY)
      .map((row) => ({
        ...values(row),
        state: stateOf(history, row, day),
        changedAt: row.changed_at.toISOString(),
        changedBy: row.worker_name,
      })),
    taxYears: taxYears.map((year) => ({ year, sources: publicationsOf(year) })),
    notice: TAX_NOTICE,
  }
}
