import type { Db } from '#platform/db/db.ts'
import { runWork } from '#platform/db/work.ts'
import type { Services } from '#platform/services.ts'
import { findSettings, type SettingsRow } from '../audit/audit.queries.ts'
import { yearOf } from '../audit/audit.rules.ts'
import { lockLedger } from '../lists/ledger.queries.ts'
import { findOpenDues, insertPayments, payEntriesDue } from '../runs/pay-run.queries.ts'
import { planRun } from '../runs/pay-run.rules.ts'
import { findStart } from '../settings/start.queries.ts'
import { readRate } from '../tax/amount.rules.ts'
import { planPeriod } from './period.queries.ts'
import { dayOf } from './period.rules.ts'
import { type PeriodForEntry, periodForEntry, settingsOn } from './period-for-entry.ts'
import { provisionalTaxes } from './provisional.rules.ts'
import {
  type CompletedSession,
  ensureEarners,
  findUnpaidSessions,
  insertSessionEntries,
  type SessionCursor,
  type SessionEntry,
  type SessionKind,
} from './session-pay.queries.ts'
import { arrivedLate, sessionColumns, sessionPay } from './session-pay.rules.ts'

const BATCH_SIZE = 2000

type JobServices = Pick<Services, 'db' | 'clock' | 'keyring'>

interface Batch {
  booked: number
  /** Years without tax tables, one element per waiting session. */
  missing: number[]
  /** Bookings that arrived after their pay date while no start of payroll is set. */
  late: number
  /** Cursor of the next batch; undefined at the end. */
  next: SessionCursor | undefined
}

interface Task {
  kind: SessionKind
  /** Only sessions from this day on. */
  from?: string
  /** Only these sessions. */
  ids?: readonly number[]
  after: SessionCursor | undefined
}

const createBatch = (services: JobServices, task: Task): Promise<Batch> =>
  runWork(services, { call: 'schedule payroll-sessions' }, async ({ db, now, audit, publish }) => {
    await lockLedger(db)
    const today = dayOf(now)
    const start = await findStart(db)
    const from = [task.from ?? '', start ?? ''].sort().at(-1) || undefined
    const found = await findUnpaidSessions(db, { ...task, from, now, limit: BATCH_SIZE })
    const settings = await findSettings(db)
    const sessions = start ? found : await leaveOutLate(db, found, settings)
    const stretchers = [...new Set(sessions.map(({ stretcher_id }) => stretcher_id))]
    const earners = await ensureEarners(db, stretchers, now)
    const periods = new Map<string, PeriodForEntry>()
    const entries: SessionEntry[] = []
    const missing: number[] = []
    for (const session of sessions) {
      const { stretcher_id, work_date } = session
      const daySettings = settingsOn(settings, work_date)
      const amount = sessionPay(task.kind, session, daySettings)
      if (amount === undefined) continue
      const period = periods.get(work_date) ?? (await periodForEntry(db, work_date, today, settings))
      periods.set(work_date, period)
      if (!period.isOpen) {
        missing.push(period.year)
        continue
      }
      const earner_id = earners.get(stretcher_id)
      if (earner_id === undefined) throw new Error(`Stretcher ${stretcher_id} is not an earner`)
      const taxes = provisionalTaxes(amount, readRate(daySettings.tax_rate), yearOf(period.pay_date))
      entries.push({
        earner_id,
        ...sessionColumns(task.kind, session.id),
        pay_period_id: period.id,
        work_date,
        pay_date: period.pay_date,
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
    const late = found.length - sessions.length
    return { booked, missing, late, next: found.length === BATCH_SIZE ? found.at(-1) : undefined }
  })

/**
 * Without bookings that another system sent after their pay date. Whoever connects a system sends its past, too, and
 * nobody has said yet from which day Limber pays.
 */
async function leaveOutLate(db: Db, sessions: readonly CompletedSession[], settings: readonly SettingsRow[]) {
  const own = new Map<string, Awaited<ReturnType<typeof planPeriod>>>()
  const timely: CompletedSession[] = []
  for (const session of sessions) {
    const { work_date, arrived_at } = session
    if (arrived_at) {
      const period =
        own.get(work_date) ?? (await planPeriod(db, work_date, settingsOn(settings, work_date).pay_frequency))
      own.set(work_date, period)
      if (arrivedLate(arrived_at, period)) continue
    }
    timely.push(session)
  }
  return timely
}

/** All bookings, and on-site sessions from the day the hourly rate was first set; both since payroll started. */
async function findTasks({ db }: JobServices): Promise<Task[]> {
  const rated = (await findSettings(db)).find(({ onsite_hourly_pay }) => onsite_hourly_pay !== null)
  const bookings: Task = { kind: 'booking', after: undefined }
  return rated ? [bookings, { kind: 'onsite', from: rated.effective_from, after: undefined }] : [bookings]
}

interface CreatedEntries {
  booked: number
  /** Sessions waiting for tax tables, and the missing years. */
  waiting?: number
  missingYears?: number[]
  /** Bookings that arrived after their pay date and make no wages until the start of payroll is set. */
  late?: number
}

/** Creates entries for completed sessions with the pay and the provisional rate of their work date. */
export async function createSessionEntries(services: JobServices): Promise<CreatedEntries> {
  return runTasks(services, await findTasks(services))
}

/** Creates the entries of these bookings, as far as they are completed and have none. */
export const createBookingEntries = (services: JobServices, ids: readonly number[]): Promise<CreatedEntries> =>
  runTasks(services, [{ kind: 'booking', ids, after: undefined }])

async function runTasks(services: JobServices, tasks: readonly Task[]): Promise<CreatedEntries> {
  let booked = 0
  let late = 0
  const missing: number[] = []
  for (const task of tasks) {
    let { after } = task
    do {
      const batch = await createBatch(services, { ...task, after })
      booked += batch.booked
      late += batch.late
      missing.push(...batch.missing)
      after = batch.next
    } while (after)
  }
  return {
    booked,
    ...(missing.length > 0 && { waiting: missing.length, missingYears: [...new Set(missing)] }),
    ...(late > 0 && { late }),
  }
}

/** A pay run: pays all due entries and settles open corrections with them. */
export const runPayroll = (services: JobServices): Promise<{ paid: number; settlements?: number }> =>
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
