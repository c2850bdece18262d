import { addDays } from '@limber/contract/kit/days.ts'
import { stringifyMoney } from '@limber/contract/kit/money.ts'
import { changeSettings, type PayrollSettings, readSettings } from '@limber/contract/payroll/settings/settings.ts'
import { readDollars } from '@limber/contract/payroll/values.ts'
import type { Db } from '#platform/db/db.ts'
import { checkVersion } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { effectiveOn } from '../entries/effective.rules.ts'
import { dayOf } from '../entries/period.rules.ts'
import { lockLedger } from '../lists/ledger.queries.ts'
import { newestVersion, presentSettings } from './settings.present.ts'
import { findSettingsHistory, insertSettings } from './settings.queries.ts'
import { updateScheduledChanges } from './settings.rules.ts'
import { findLateBookings, findStartChanges, insertStart } from './start.queries.ts'

const MAX_DAYS_AHEAD = 366
const FIRST_START = '2000-01-01'

const loadStart = async (db: Db) => ({ changes: await findStartChanges(db), lateBookings: await findLateBookings(db) })

async function show(db: Db, now: Date): Promise<PayrollSettings> {
  return presentSettings(await findSettingsHistory(db), await loadStart(db), dayOf(now))
}

const text = <T>(value: number | undefined, otherwise: T) =>
  value === undefined ? otherwise : stringifyMoney(readDollars(value))

export const settingsRoutes = [
  serve(readSettings, ({ db, now }) => show(db, now)),

  serve(changeSettings, async ({ body, db, worker, now, audit, publish }) => {
    await lockLedger(db)
    const today = dayOf(now)
    const history = await findSettingsHistory(db)
    const current = effectiveOn(history, today)
    if (!current) throw new Error('No payroll settings exist')
    const start = await loadStart(db)
    const newest = { version: newestVersion(history, start.changes) }
    await checkVersion(changeSettings, newest, body.version, () => presentSettings(history, start, today))
    const by = { changed_at: now, worker_id: worker.workerId }
    const { starts_on } = body
    if (starts_on != null && (starts_on < FIRST_START || starts_on > addDays(today, MAX_DAYS_AHEAD)))
      throw refuse(changeSettings, 'start_out_of_range')
    const startBefore = start.changes[0]?.starts_on ?? null
    if (starts_on !== undefined && starts_on !== startBefore) {
      const { version } = await insertStart(db, starts_on, worker.workerId, now)
      audit({
        action: 'payroll.start_changed',
        subject: 'payroll_settings',
        subjectId: version,
        before: { starts_on: startBefore },
        after: { starts_on },
      })
      publish('payroll.settings')
    }
    const { basePay, onsiteHourlyPay, taxRate, payFrequency, uiRate } = body
    const isOnlyStart = [basePay, onsiteHourlyPay, taxRate, payFrequency, uiRate].every((value) => value === undefined)
    if (isOnlyStart) return show(db, now)
    const effective_from = body.effectiveFrom ?? today
    if (effective_from < today) throw refuse(changeSettings, 'in_the_past')
    if (effective_from > addDays(today, MAX_DAYS_AHEAD)) throw refuse(changeSettings, 'too_far')
    // Fields not in the body keep the values scheduled for that day.
    const then = effectiveOn(history, effective_from) ?? current
    const next = {
      effective_from,
      base_pay: text(basePay, then.base_pay),
      onsite_hourly_pay: text(onsiteHourlyPay, then.onsite_hourly_pay),
      tax_rate: text(taxRate, then.tax_rate),
      pay_frequency: payFrequency ?? then.pay_frequency,
      ui_rate: text(uiRate, then.ui_rate),
    }
    const { version } = await insertSettings(db, { ...next, ...by })
    const plans = updateScheduledChanges(history, next)
    for (const plan of plans) await insertSettings(db, { ...plan, ...by })
    const { base_pay, onsite_hourly_pay, tax_rate, pay_frequency, ui_rate } = then
    audit({
      action: 'payroll.settings_changed',
      subject: 'payroll_settings',
      subjectId: version,
      before: { base_pay, onsite_hourly_pay, tax_rate, pay_frequency, ui_rate },
      after: { ...next, ...(plans.length > 0 && { plans }) },
    })
    publish('payroll.settings')
    return show(db, now)
  }),
]
