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

const BATCH_SIZE = 2000

type Clockwork = Pick<Services, 'db' | 'clock' | 'keyring'>

interface Batch {
  booked: number
  /** Years without tax tables, one element per waiting session. */
  missing: number[]
  /** Cursor of the next batch; undefined at the end. */
  next: SessionMark | undefined
}

interface Task {
  kind: SessionKind
  /** Only sessions from this day on. */
  from?: string
  after: SessionMark | undefined
}

const bookBatch = (services: Clockwork, task: Task): Promise<Batch> =>
  runWork(services, { call: 'schedule payroll-sessions' }, async ({ db, now, audit, publish }) => {
    await lockLedger(db)
    const today = dayOf(now)
    const sessions = await findUnpaidSessions(db, { ...task, now, limit: BATCH_SIZE })
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
      if (earner_id === undefined) throw new Error(`Stretcher ${stretcher_id} is not an earner`)
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
    return { booked, missing, next: sessions.length === BATCH_SIZE ? sessions.at(-1) : undefined }
  })

/** All bookings, and on-site sessions from the day the hourly rate was first set. */
async function findTasks({ db }: Clockwork): Promise<Task[]> {
  const rated = (await findSettings(db)).find(({ onsite_hourly_pay }) => onsite_hourly_pay !== null)
  const bookings: Task = { kind: 'booking', after: undefined }
  return rated ? [bookings, { kind: 'onsite', from: rated.effective_from, after: undefined }] : [bookings]
}

interface Booked {
  booked: number
  /** Sessions waiting for tax tables, and the missing years. */
  waiting?: number
  missingYears?: number[]
}

/** Creates entries for completed sessions with the pay and the provisional rate of their work date. */
export async function bookSessions(services: Clockwork): Promise<Booked> {
  let booked = 0
  const missing: number[] = []
  for (const task of await findTasks(services)) {
    let { after } = task
    do {
      const batch = await bookBatch(services, { ...task, after })
      booked += batch.booked
      missing.push(...batch.missing)
      after = batch.next
    } while (after)
  }
  return missing.length === 0 ? { booked } : { booked, waiting: missing.length, missingYears: [...new Set(missing)] }
}

/** A pay run: pays all due entries and settles open corrections with them. */
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
