import type { Services } from '#platform/services.ts'
import { runWork } from '#platform/work.ts'
import { findSettings } from './audit.queries.ts'
import { yearOf } from './audit.rules.ts'
import { lockLedger } from './ledger.queries.ts'
import { dayOf } from './period.rules.ts'
import { type Place, placeOf, settingsOn } from './place-entry.ts'
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

const PORTION = 2000

type Clockwork = Pick<Services, 'db' | 'clock' | 'keyring'>

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
