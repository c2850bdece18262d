import { formatDay } from '@limber/contract/kit/formats/dates.ts'
import {
  addEntry,
  cancelEntry,
  listUnpaidSessions,
  MAX_UNPAID,
  type SessionRef,
  type UnpaidSession,
} from '@limber/contract/payroll/entries/entry.ts'
import { isWage, readDollars, writeDollars } from '@limber/contract/payroll/values.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { findSettings, type SettingsRow } from '../audit/audit.queries.ts'
import { yearOf } from '../audit/audit.rules.ts'
import { type EarnerRow, findEarner } from '../earners/earner.queries.ts'
import { findDetail } from '../lists/detail.queries.ts'
import { lockLedger } from '../lists/ledger.queries.ts'
import { presentDetail } from '../lists/list.present.ts'
import { findStart } from '../settings/start.queries.ts'
import { readRate } from '../tax/amount.rules.ts'
import { effectiveOn } from './effective.rules.ts'
import { cancelPending, insertEntry } from './entry.queries.ts'
import { dayOf } from './period.rules.ts'
import { periodForEntry } from './period-for-entry.ts'
import { provisionalTaxes } from './provisional.rules.ts'
import { findUnpaidSessionsOf, type UnpaidSessionRow } from './session-pay.queries.ts'
import { sessionColumns, sessionPay } from './session-pay.rules.ts'

const UNTAXED = { withheld: 0n, employerTax: 0n }

async function presentEntry(db: Db, id: number) {
  const row = await findDetail(db, id)
  if (!row) throw new Error('The entry no longer exists')
  return presentDetail(row)
}

/** The session to pay. Refused if it belongs to someone else, is not completed or already has an entry. */
async function requireSession(
  db: Db,
  { kind, person_id }: EarnerRow,
  one: SessionRef,
  now: Date,
): Promise<UnpaidSessionRow> {
  const [session] = kind === 'stretcher' ? await findUnpaidSessionsOf(db, person_id, now, { one }) : []
  if (!session) throw refuse(addEntry, 'no_session')
  const start = await findStart(db)
  if (start && session.work_date < start) throw refuse(addEntry, 'before_start', { values: { day: formatDay(start) } })
  return session
}

function presentUnpaid(session: UnpaidSessionRow, settings: readonly SettingsRow[]): UnpaidSession {
  const { kind, id, work_date, place, hours } = session
  const daySettings = effectiveOn(settings, work_date)
  const amount = daySettings && sessionPay(kind, session, daySettings)
  return {
    ...{ kind, id, work_date, place },
    hours: kind === 'onsite' ? hours : null,
    amount: amount === undefined ? null : writeDollars(amount),
  }
}

export const entryRoutes = [
  serve(listUnpaidSessions, async ({ params: { id }, db, now }) => {
    const earner = await findEarner(db, id)
    if (!earner) throw refuse(listUnpaidSessions, 'unknown')
    const settings = await findSettings(db)
    const own =
      earner.kind === 'stretcher'
        ? await findUnpaidSessionsOf(db, earner.person_id, now, { limit: MAX_UNPAID, from: await findStart(db) })
        : []
    return { sessions: own.map((session) => presentUnpaid(session, settings)) }
  }),

  serve(addEntry, async ({ body, db, now, audit, publish }) => {
    await lockLedger(db)
    const { earner_id, type } = body
    const today = dayOf(now)
    const earner = await findEarner(db, earner_id)
    if (!earner) throw refuse(addEntry, 'unknown')
    const session = body.session && (await requireSession(db, earner, body.session, now))
    const work_date = session?.work_date ?? body.work_date ?? today
    if (work_date > today) throw refuse(addEntry, 'not_yet')
    const settings = await findSettings(db)
    const daySettings = effectiveOn(settings, work_date)
    if (!daySettings) throw refuse(addEntry, 'too_early')
    const period = await periodForEntry(db, work_date, today, settings)
    if (!period.isOpen) throw refuse(addEntry, 'no_tables', { values: { year: period.year } })
    const amount = readDollars(body.amount)
    const { withheld, employerTax } = isWage(type)
      ? provisionalTaxes(amount, readRate(daySettings.tax_rate), yearOf(period.pay_date))
      : UNTAXED
    const paid = session
      ? sessionColumns(session.kind, session.id)
      : { booking_id: null, onsite_session_id: null, sub_type: null }
    const sub_type = body.sub_type ?? paid.sub_type
    const { id } = await insertEntry(
      db,
      {
        ...{ ...paid, earner_id, type, amount, withheld, work_date, sub_type },
        ...{ employer_tax: employerTax, pay_period_id: period.id, pay_date: period.pay_date },
      },
      now,
    )
    // No amounts: the audit log is open to people who may not see pay.
    const after = { earner_id, type, sub_type, work_date }
    audit({ action: 'payroll.entry_added', subject: 'payroll_entry', subjectId: id, after })
    publish('payroll', { earnerId: earner_id })
    return presentEntry(db, id)
  }),

  serve(cancelEntry, async ({ params: { id }, body: { reason }, db, audit, publish }) => {
    await lockLedger(db)
    const entry = await findDetail(db, id)
    if (!entry) throw refuse(cancelEntry, 'unknown')
    if (entry.type === 'session') throw refuse(cancelEntry, 'of_session')
    if (!(await cancelPending(db, id))) throw refuse(cancelEntry, 'not_pending')
    const change = { before: { status: 'pending' }, after: { status: 'cancelled' }, reason }
    audit({ action: 'payroll.entry_cancelled', subject: 'payroll_entry', subjectId: id, ...change })
    publish('payroll', { earnerId: entry.earner_id })
    return presentEntry(db, id)
  }),
]
