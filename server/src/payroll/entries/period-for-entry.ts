import type { Db } from '#platform/db/db.ts'
import type { SettingsRow } from '../audit/audit.queries.ts'
import { yearOf } from '../audit/audit.rules.ts'
import { taxYears } from '../tax/tables.rules.ts'
import { effectiveOn } from './effective.rules.ts'
import { ensurePeriod, planPeriod } from './period.queries.ts'

export function settingsOn(settings: readonly SettingsRow[], day: string): SettingsRow {
  const found = effectiveOn(settings, day)
  if (!found) throw new Error(`No payroll settings for ${day}`)
  return found
}

/** The pay period of an entry, or the year whose tax tables are missing. */
export type PeriodForEntry = { isOpen: true; id: number; pay_date: string } | { isOpen: false; year: number }

/** The pay period for work on a day: its own, or the current one if that is closed or already paid. */
export async function periodForEntry(
  db: Db,
  day: string,
  today: string,
  settings: readonly SettingsRow[],
): Promise<PeriodForEntry> {
  // Plan before creating, so that a very late session does not create an empty period.
  const own = await planPeriod(db, day, settingsOn(settings, day).pay_frequency)
  const isLate = own.closed_at !== null || own.pay_date < today
  const frequency = settingsOn(settings, isLate ? today : day).pay_frequency
  const { pay_date } = isLate ? await planPeriod(db, today, frequency) : own
  // Without tax tables for that year the entry has to wait; other entries do not.
  if (!taxYears.includes(yearOf(pay_date))) return { isOpen: false, year: yearOf(pay_date) }
  const { id } = await ensurePeriod(db, isLate ? today : day, frequency)
  return { isOpen: true, id, pay_date }
}
