import { addEntry, cancelEntry } from '@limber/contract/payroll/entry.ts'
import { isWage, readDollars } from '@limber/contract/payroll/values.ts'
import type { Db } from '#platform/db.ts'
import { refuse } from '#platform/refusal.ts'
import { serve } from '#platform/routes.ts'
import { findSettings } from './audit.queries.ts'
import { yearOf } from './audit.rules.ts'
import { findDetail } from './detail.queries.ts'
import { findEarner } from './earner.queries.ts'
import { cancelPending, insertEntry } from './entry.queries.ts'
import { holdingOn } from './history.rules.ts'
import { lockLedger } from './ledger.queries.ts'
import { presentDetail } from './list.present.ts'
import { dayOf } from './period.rules.ts'
import { placeOf } from './place-entry.ts'
import { bookProvisionally } from './provisional.rules.ts'
import { readRate } from './tax/amount.rules.ts'

const UNTAXED = { withheld: 0n, employerTax: 0n }

async function shown(db: Db, id: number) {
  const row = await findDetail(db, id)
  if (!row) throw new Error('The entry is gone')
  return presentDetail(row)
}

export const entryRoutes = [
  serve(addEntry, async ({ body, db, now, audit, live }) => {
    await lockLedger(db)
    const { earner_id, type, work_date, sub_type = null } = body
    const today = dayOf(now)
    if (!(await findEarner(db, earner_id))) throw refuse(addEntry, 'unknown')
    if (work_date > today) throw refuse(addEntry, 'not_yet')
    const settings = await findSettings(db)
    const holding = holdingOn(settings, work_date)
    if (!holding) throw refuse(addEntry, 'too_early')
    const place = await placeOf(db, work_date, today, settings)
    if (!place.isOpen) throw refuse(addEntry, 'no_tables', { words: { year: place.year } })
    const amount = readDollars(body.amount)
    const { withheld, employerTax } = isWage(type)
      ? bookProvisionally(amount, readRate(holding.tax_rate), yearOf(place.pay_date))
      : UNTAXED
    const { id } = await insertEntry(
      db,
      {
        ...{ earner_id, type, sub_type, amount, withheld, work_date },
        ...{ employer_tax: employerTax, pay_period_id: place.id, pay_date: place.pay_date },
      },
      now,
    )
    audit({ action: 'payroll.entry_added', subject: 'payroll_entry', subjectId: id, after: body })
    live('payroll', { earnerId: earner_id })
    return shown(db, id)
  }),

  serve(cancelEntry, async ({ params: { id }, body: { reason }, db, audit, live }) => {
    await lockLedger(db)
    const entry = await findDetail(db, id)
    if (!entry) throw refuse(cancelEntry, 'unknown')
    if (entry.booking_id !== null || entry.type === 'session') throw refuse(cancelEntry, 'of_session')
    if (!(await cancelPending(db, id))) throw refuse(cancelEntry, 'not_pending')
    const change = { before: { status: 'pending' }, after: { status: 'cancelled' }, reason }
    audit({ action: 'payroll.entry_cancelled', subject: 'payroll_entry', subjectId: id, ...change })
    live('payroll', { earnerId: entry.earner_id })
    return shown(db, id)
  }),
]
