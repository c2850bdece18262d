import { runWork } from '#platform/db/work.ts'
import type { Services } from '#platform/services.ts'
import { findSettings } from '../audit/audit.queries.ts'
import { yearOf } from '../audit/audit.rules.ts'
import { lockLedger } from '../lists/ledger.queries.ts'
import { findOpenDues, insertPayments, payEntriesDue } from '../runs/pay-run.queries.ts'
import { planRun } from '../runs/pay-run.rules.ts'
import { readRate } from '../tax/amount.rules.ts'
import { dayOf } from './period.rules.ts'
import { type Place, placeOf, settingsOn } from './place-entry.ts'
import { bookProvisionally } from './provisional.rules.ts'
import {
  ensureEarners,
  findUnpaidSessions,
  insertSessionEntries,
  type SessionEntry,
  type SessionKind,
  type SessionMark,
} from './session-pay.queries.ts'
import { paysFor, sessionPay } from './session-pay.rules.ts'

const PORTION = 2000

type Clockwork = Pick<Services, 'db' | 'clock' | 'keyring'>

interface Portion {
  booked: number
  /** The years whose tables are missing, once for each session that waits for them. */
  missing: number[]
  /** Where to go on; nothing when all were looked at. */
  next: SessionMark | undefined
}

interface Task {
  kind: SessionKind
  /** The first day whose sessions are paid; all unless told. */
  from?: string
  after: SessionMark | undefined
}

const bookPortion = (services: Clockwork, task: Task): Promise<Portion> =>
  runWork(services, { call: 'schedule payroll-sessions' }, async ({ db, now, audit, publish }) => {
    await lockLedger(db)
    const today = dayOf(now)
    const sessions = await findUnpaidSessions(db, { ...task, now, limit: PORTION })
    const settings = await findSettings(db)
    const stretchers = [...new Set(sessions.map(({ stretcher_id }) => stretcher_id))]
    const earners = await ensureEarners(db, stretchers, now)
    const places = new Map<string, Place>()
    const entries: SessionEntry[] = []
    const missing: number[] = []
    for (const session of sessions) {
      const { stretcher_id, work_date } = session
      const holding = settingsOn(settings, work_date)
      const amount = sessionPay(task.kind, session, holding)
      if (amount === undefined) continue
      const place = places.get(work_date) ?? (await placeOf(db, work_date, today, settings))
      places.set(work_date, place)
      if (!place.isOpen) {
        missing.push(place.year)
        continue
      }
      const earner_id = earners.get(stretcher_id)
      if (earner_id === undefined) throw new Error(`Stretcher ${stretcher_id} is no earner`)
      const taxes = bookProvisionally(amount, readRate(holding.tax_rate), yearOf(place.pay_date))
      entries.push({
        earner_id,
        ...paysFor(task.kind, session.id),
        pay_period_id: place.id,
        work_date,
        pay_date: place.pay_date,
        amount,
        withheld: taxes.withheld,
        employer_tax: taxes.employerTax,
      })
    }
    const booked = await insertSessionEntries(db, entries, now)
    if (booked > 0) {
      audit({ action: 'payroll.sessions_booked', subject: 'payroll', after: { booked } })
      publish('payroll')
    }
    return { booked, missing, next: sessions.length === PORTION ? sessions.at(-1) : undefined }
  })

/** What is to be paid for: all bookings, and on-site sessions since there is a rate for them. */
async function findTasks({ db }: Clockwork): Promise<Task[]> {
  const rated = (await findSettings(db)).find(({ onsite_hourly_pay }) => onsite_hourly_pay !== null)
  const bookings: Task = { kind: 'booking', after: undefined }
  return rated ? [bookings, { kind: 'onsite', from: rated.effective_from, after: undefined }] : [bookings]
}

interface Booked {
  booked: number
  /** Sessions that wait, and the years whose tables they wait for. */
  waiting?: number
  missingYears?: number[]
}

/** Completed bookings and on-site sessions become entries at the pay and the provisional rate of their day. */
export async function bookSessions(services: Clockwork): Promise<Booked> {
  let booked = 0
  const missing: number[] = []
  for (const task of await findTasks(services)) {
    let { after } = task
    do {
      const portion = await bookPortion(services, { ...task, after })
      booked += portion.booked
      missing.push(...portion.missing)
      after = portion.next
    } while (after)
  }
  return missing.length === 0 ? { booked } : { booked, waiting: missing.length, missingYears: [...new Set(missing)] }
}

/** A pay run: entries whose pay date has come are paid, and what corrections left open is settled with them. */
export const payEntries = (services: Clockwork): Promise<{ paid: number; settlements?: number }> =>
  runWork(services, { call: 'schedule payroll-pay-day' }, async ({ db, now, audit, publish }) => {
    await lockLedger(db)
    const { paid, groups } = await payEntriesDue(db, dayOf(now), now)
    if (paid === 0) return { paid }
    const payments = planRun(groups, await findOpenDues(db))
    await insertPayments(db, payments, now)
    const settlements = payments.reduce((sum, { lines }) => sum + lines.length, 0)
    const done = { paid, ...(settlements > 0 && { settlements }) }
    audit({ action: 'payroll.paid', subject: 'payroll', after: done })
    publish('payroll')
    return done
  })
