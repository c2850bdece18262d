import type { Job } from '#platform/jobs/jobs.ts'
import type { Schedule } from '#platform/jobs/schedules.ts'
import { checkOnce, SCHEDULE_GRACE } from './audit/check-discrepancies.ts'
import { PAY_BOOKINGS } from './entries/booking-pay.ts'
import { createBookingEntries, createSessionEntries, runPayroll } from './entries/pay-sessions.ts'

export const payrollJobs: readonly Job[] = [
  { name: PAY_BOOKINGS, run: (services, data) => createBookingEntries(services, data.bookings as number[]) },
]

export const payrollSchedules: readonly Schedule[] = [
  {
    name: 'payroll-check',
    title: 'Check payroll for tax discrepancies',
    cron: '0 * * * *',
    zone: 'company',
    run: async (services) => {
      const { ran, result } = await checkOnce(services, { workerId: null, grace: SCHEDULE_GRACE })
      return ran
        ? { discrepancies: result?.total_discrepancies ?? null }
        : { skipped: 'Already checked within the last hour.' }
    },
  },
  {
    name: 'payroll-sessions',
    title: 'Create payroll entries for completed sessions',
    cron: '20 * * * *',
    zone: 'company',
    run: createSessionEntries,
  },
  { name: 'payroll-pay-day', title: 'Run payroll', cron: '0 6 * * *', zone: 'company', run: runPayroll },
]
