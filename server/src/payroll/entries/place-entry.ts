import type { Db } from '#platform/db/db.ts'
import type { SettingsRow } from '../audit/audit.queries.ts'
import { yearOf } from '../audit/audit.rules.ts'
import { taxYears } from '../tax/tables.rules.ts'
import { holdingOn } from './history.rules.ts'
import { ensurePeriod, planPeriod } from './period.queries.ts'

export function settingsOn(settings: readonly SettingsRow[], day: string): SettingsRow {
  const found = holdingOn(settings, day)
  if (!found) throw new Error(`There are no payroll settings for ${day}`)
  return found
}

/** Where an entry goes; nowhere without the tables of the year in which it would be paid. */
export type Place = { isOpen: true; id: number; pay_date: string } | { isOpen: false; year: number }

/** The period that pays for a day: its own, or the current one for what comes too late for it. */
export async function placeOf(db: Db, day: string, today: string, settings: readonly SettingsRow[]): Promise<Place> {
  // Looked at before anything is made: a very late session leaves no empty period behind.
  const own = await planPeriod(db, day, settingsOn(settings, day).pay_frequency)
  const isLate = own.closed_at !== null || own.pay_date < today
  const frequency = settingsOn(settings, isLate ? today : day).pay_frequency
  const { pay_date } = isLate ? await planPeriod(db, today, frequency) : own
  // Without the tables of its year nothing can be booked; it waits for them, and nobody else does.
  if (!taxYears.includes(yearOf(pay_date))) return { isOpen: false, year: yearOf(pay_date) }
  const { id } = await ensurePeriod(db, isLate ? today : day, frequency)
  return { isOpen: true, id, pay_date }
}
