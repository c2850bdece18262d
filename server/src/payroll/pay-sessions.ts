import type { Db } from '#platform/db.ts'
import type { Services } from '#platform/services.ts'
import { runWork } from '#platform/work.ts'
import { findSettings, type SettingsRow } from './audit.queries.ts'
import { yearOf } from './audit.rules.ts'
import { holdingOn } from './history.rules.ts'
import { lockLedger } from './ledger.queries.ts'
import { ensurePeriod, planPeriod } from './period.queries.ts'
import { dayOf } from './period.rules.ts'
import { bookProvisionally } from './provisional.rules.ts'
import {
  ensureEarners,
  findUnpaidSessions,
  insertSessionEntries,
  payDue,
  type SessionEntry,
  type SessionMark,
} from './session-pay.queries.ts'
import { readAmount, readRate } from './tax/amount.rules.ts'
import { taxYears } from './tax/tables.rules.ts'

const PORTION = 2000

type Clockwork = Pick<Services, 'db' | 'clock' | 'keyring'>

function settingsOn(settings: readonly SettingsRow[], day: string): SettingsRow {
  const found = holdingOn(settings, day)
  if (!found) throw new Error(`There are no payroll settings for ${day}`)
  return found
}

type Place = { isOpen: true; id: number; pay_date: string } | { isOpen: false; year: number }

/** The period that pays for a day: its own, or the current one for what comes too late for it. */
async function placeOf(db: Db, day: string, today: string, settings: readonly SettingsRow[]): Promise<Place> {
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

interface Portion {
  booked: number
  /** The years whose tables are missing, once for each session that waits for them. */
  missing: number[]
  /** Where to go on; nothing when all were looked at. */
  next: SessionMark | undefined
}

const bookPortion = (services: Clockwork, after: SessionMark | undefined): Promise<Portion> =>
  runWork(services, { call: 'schedule payroll-sessions' }, async ({ db, now, audit, live }) => {
    await lockLedger(db)
    const today = dayOf(now)
    const sessions = await findUnpaidSessions(db, PORTION, after)
    const settings = await findSettings(db)
    const stretchers = [...new Set(sessions.map(({ stretcher_id }) => stretcher_id))]
    const earners = await ensureEarners(db, stretchers, now)
    const places = new Map<string, Place>()
    const entries: SessionEntry[] = []
    const missing: number[] = []
    for (const { booking_id, stretcher_id, work_date } of sessions) {
      const place = places.get(work_date) ?? (await placeOf(db, work_date, today, settings))
      places.set(work_date, place)
      if (!place.isOpen) {
        missing.push(place.year)
        continue
      }
      const { base_pay, tax_rate } = settingsOn(settings, work_date)
      const earner_id = earners.get(stretcher_id)
      if (earner_id === undefined) throw new Error(`Stretcher ${stretcher_id} is no earner`)
      const amount = readAmount(base_pay)
      const { withheld, employerTax } = bookProvisionally(amount, readRate(tax_rate), yearOf(place.pay_date))
      entries.push({
        earner_id,
        booking_id,
        pay_period_id: place.id,
        work_date,
        pay_date: place.pay_date,
        amount,
        withheld,
        employer_tax: employerTax,
      })
    }
    const booked = await insertSessionEntries(db, entries, now)
    if (booked > 0) {
      audit({ action: 'payroll.sessions_booked', subject: 'payroll', after: { booked } })
      live('payroll')
    }
    return { booked, missing, next: sessions.length === PORTION ? sessions.at(-1) : undefined }
  })

interface Booked {
  booked: number
  /** Sessions that wait, and the years whose tables they wait for. */
  waiting?: number
  missingYears?: number[]
}

/** Completed sessions become entries at the base pay and the provisional rate of their day. */
export async function bookSessions(services: Clockwork): Promise<Booked> {
  let booked = 0
  const missing: number[] = []
  let after: SessionMark | undefined
  do {
    const portion = await bookPortion(services, after)
    booked += portion.booked
    missing.push(...portion.missing)
    after = portion.next
  } while (after)
  return missing.length === 0 ? { booked } : { booked, waiting: missing.length, missingYears: [...new Set(missing)] }
}

/** Entries whose pay date has come are paid. */
export const payEntries = (services: Clockwork): Promise<{ paid: number }> =>
  runWork(services, { call: 'schedule payroll-pay-day' }, async ({ db, now, audit, live }) => {
    const paid = await payDue(db, dayOf(now), now)
    if (paid > 0) {
      audit({ action: 'payroll.paid', subject: 'payroll', after: { paid } })
      live('payroll')
    }
    return { paid }
  })
