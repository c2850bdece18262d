import { addDays } from '@limber/contract/kit/days.ts'
import { formatDay } from '@limber/contract/kit/formats/dates.ts'
import type { Db } from '#platform/db/db.ts'
import type { Probe, ProbeResult } from '#platform/telemetry/health.ts'
import { findSettings, type SettingsRow } from '../audit/audit.queries.ts'
import { yearOf } from '../audit/audit.rules.ts'
import { effectiveOn } from '../entries/effective.rules.ts'
import { planPeriod } from '../entries/period.queries.ts'
import { dayOf } from '../entries/period.rules.ts'
import { countUnpaidSessions } from '../entries/session-pay.queries.ts'
import { findStart } from '../settings/start.queries.ts'
import { taxYears } from './tables.rules.ts'

/** Days of warning before the first session that cannot be paid. */
const WARNING_DAYS = 14

/** Number of sessions that are waiting for tax tables. */
async function countWaiting(db: Db, settings: readonly SettingsRow[], from: string, now: Date): Promise<number> {
  const rated = settings.find(({ onsite_hourly_pay }) => onsite_hourly_pay !== null)?.effective_from
  const start = await findStart(db)
  const since = start && start > from ? start : from
  const bookings = await countUnpaidSessions(db, 'booking', since, now)
  return rated ? bookings + (await countUnpaidSessions(db, 'onsite', rated > since ? rated : since, now)) : bookings
}

/** Checks that there are tax tables for current and upcoming pay dates. */
export const taxTablesProbe: Probe = {
  name: 'tax-tables',
  title: 'Tax tables',
  async check({ db, clock }): Promise<ProbeResult> {
    const today = dayOf(clock.now())
    const facts = [{ label: 'Tax years', value: taxYears.join(', ') }]
    const settings = await findSettings(db)
    for (const day of [today, addDays(today, WARNING_DAYS)]) {
      const { starts_on, pay_date } = await planPeriod(db, day, effectiveOn(settings, day)?.pay_frequency ?? 'biweekly')
      const year = yearOf(pay_date)
      if (taxYears.includes(year)) continue
      const isNow = day === today
      const waiting = isNow ? await countWaiting(db, settings, starts_on, clock.now()) : 0
      return {
        status: isNow ? 'down' : 'warning',
        summary: `There are no tax tables for ${year}. ${
          isNow
            ? `${waiting} ${waiting === 1 ? 'session is' : 'sessions are'} waiting to be paid.`
            : `Sessions from ${formatDay(starts_on)} on cannot be paid.`
        } Update Limber to a version with these tables.`,
        facts,
      }
    }
    return { status: 'ok', summary: `Tax tables are available for pay in the next ${WARNING_DAYS} days.`, facts }
  },
}
