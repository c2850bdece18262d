import { inTransaction } from '#platform/db.ts'
import type { Services } from '#platform/services.ts'
import { findSettings, type SettingsRow } from './audit.queries.ts'
import { yearOf } from './audit.rules.ts'
import { holdingOn } from './history.rules.ts'
import { lockLedger } from './ledger.queries.ts'
import { ensurePeriod } from './period.queries.ts'
import { dayOf } from './period.rules.ts'
import { bookProvisionally } from './provisional.rules.ts'
import {
  ensureEarners,
  findUnpaidSessions,
  insertSessionEntries,
  payDue,
  type SessionEntry,
} from './session-pay.queries.ts'
import { readAmount, readRate } from './tax/amount.rules.ts'

const PORTION = 2000

type Clockwork = Pick<Services, 'db' | 'clock'>

function settingsOn(settings: readonly SettingsRow[], day: string): SettingsRow {
  const found = holdingOn(settings, day)
  if (!found) throw new Error(`There are no payroll settings for ${day}`)
  return found
}

async function bookPortion({ db, clock }: Clockwork): Promise<{ found: number; booked: number }> {
  const now = clock.now()
  const today = dayOf(now)
  return inTransaction(db, async (tx) => {
    await lockLedger(tx)
    const sessions = await findUnpaidSessions(tx, PORTION)
    if (sessions.length === 0) return { found: 0, booked: 0 }
    const settings = await findSettings(tx)
    const stretchers = [...new Set(sessions.map(({ stretcher_id }) => stretcher_id))]
    const earners = await ensureEarners(tx, stretchers, now)
    const entries: SessionEntry[] = []
    for (const { booking_id, stretcher_id, work_date } of sessions) {
      const { base_pay, tax_rate, pay_frequency } = settingsOn(settings, work_date)
      const own = await ensurePeriod(tx, work_date, pay_frequency)
      // What comes too late for its own period is paid with the current one.
      const isLate = own.closed_at !== null || own.pay_date < today
      const period = isLate ? await ensurePeriod(tx, today, settingsOn(settings, today).pay_frequency) : own
      const earner_id = earners.get(stretcher_id)
      if (earner_id === undefined) throw new Error(`Stretcher ${stretcher_id} is no earner`)
      const amount = readAmount(base_pay)
      const { withheld, employerTax } = bookProvisionally(amount, readRate(tax_rate), yearOf(period.pay_date))
      entries.push({
        earner_id,
        booking_id,
        pay_period_id: period.id,
        work_date,
        pay_date: period.pay_date,
        amount,
        withheld,
        employer_tax: employerTax,
      })
    }
    return { found: sessions.length, booked: await insertSessionEntries(tx, entries, now) }
  })
}

/** Completed sessions become entries at the base pay and the provisional rate of their day. */
export async function bookSessions(services: Clockwork): Promise<{ booked: number }> {
  let booked = 0
  for (;;) {
    const portion = await bookPortion(services)
    booked += portion.booked
    if (portion.found < PORTION) return { booked }
  }
}

/** Entries whose pay date has come are paid. */
export async function payEntries({ db, clock }: Clockwork): Promise<{ paid: number }> {
  const now = clock.now()
  return { paid: await inTransaction(db, (tx) => payDue(tx, dayOf(now), now)) }
}
