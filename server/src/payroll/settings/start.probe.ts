import { formatDay } from '@limber/contract/kit/formats/dates.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Probe, ProbeResult } from '#platform/telemetry/health.ts'
import { findLateBookings, findStart } from './start.queries.ts'

/** Warns while bookings make no wages because nobody said when payroll starts. */
export const payrollStartProbe: Probe = {
  name: 'payroll-start',
  title: 'Payroll start',
  async check({ db }): Promise<ProbeResult> {
    const start = await findStart(db)
    if (start) return { status: 'ok', summary: `Sessions since ${formatDay(start)} are paid.` }
    const late = await findLateBookings(db)
    if (late === 0) return { status: 'ok', summary: 'No start date is set. All sessions are paid.' }
    return {
      status: 'warning',
      summary: `${pluralize(late, 'booking')} arrived after the pay date and ${
        late === 1 ? 'is' : 'are'
      } not paid. Set the day on which payroll starts in the payroll settings.`,
    }
  },
}
