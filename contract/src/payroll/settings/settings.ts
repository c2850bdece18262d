import { z } from 'zod'
import { defineCall, staleRefusal } from '#kit/call.ts'
import { Day, Moment, Version } from '#kit/values.ts'
import { Dollars, NotNegative, PayFrequency, Rate } from '../values.ts'

const MAX_BASE_PAY = 100_000
const Pay = NotNegative.refine((value) => value <= MAX_BASE_PAY, 'must be at most 100,000')

const Values = {
  /** Default gross pay per session. */
  basePay: Dollars,
  /** Gross pay per hour of an on-site session. Null until it is first set; earlier on-site sessions are not paid automatically. */
  onsiteHourlyPay: Dollars.nullable(),
  /** Flat provisional withholding rate for new entries. */
  taxRate: Rate,
  payFrequency: PayFrequency,
  /** The employer's California unemployment insurance (UI) rate. */
  uiRate: Rate,
}

/** The state of a change as of today. Replaced: another change was scheduled for the same day before it took effect. */
export const SettingsState = z.enum(['planned', 'replaced', 'in_force', 'past'])
export type SettingsState = z.infer<typeof SettingsState>

export const PayrollSettings = z.object({
  ...Values,
  effectiveFrom: Day,
  /** Sessions before this day make no wages. One value for the company, without an effective date; null: not set. */
  starts_on: Day.nullable(),
  /** Every change of `starts_on`, newest first. */
  start_changes: z.array(
    z.object({ starts_on: Day.nullable(), version: Version, changedAt: Moment, changedBy: z.string().nullable() }),
  ),
  /** Bookings that arrived after their pay date and make no wages while `starts_on` is not set, at the last hourly run. */
  late_bookings: z.int(),
  /** Version of the newest change, whenever it takes effect. */
  version: Version,
  /** Every change, latest effective date first. */
  history: z.array(
    z.object({
      ...Values,
      effectiveFrom: Day,
      version: Version,
      state: SettingsState,
      changedAt: Moment,
      changedBy: z.string().nullable(),
    }),
  ),
  taxYears: z.array(z.object({ year: z.int(), sources: z.array(z.string()) })),
  notice: z.string(),
})
export type PayrollSettings = z.infer<typeof PayrollSettings>

export const readSettings = defineCall({
  method: 'GET',
  path: '/api/payroll/settings',
  summary: 'Get the current payroll settings and their history',
  permission: 'payroll.settings',
  reply: PayrollSettings,
})

/**
 * Changes only the fields in the body, from the effective date (today by default) until the next scheduled change. Never
 * changes the past. `starts_on` has no effective date: it applies at once to sessions without an entry, and null clears it.
 */
export const changeSettings = defineCall({
  method: 'PATCH',
  path: '/api/payroll/settings',
  summary: 'Change payroll settings from an effective date',
  permission: 'payroll.settings',
  stepUp: true,
  body: z
    .strictObject({
      basePay: Pay.optional(),
      onsiteHourlyPay: Pay.optional(),
      taxRate: Rate.optional(),
      payFrequency: PayFrequency.optional(),
      uiRate: Rate.refine((value) => value < 1, 'must be below 1').optional(),
      effectiveFrom: Day.optional(),
      starts_on: Day.nullish(),
      version: Version.optional(),
    })
    .refine(
      ({ basePay, onsiteHourlyPay, taxRate, payFrequency, uiRate, starts_on }) =>
        [basePay, onsiteHourlyPay, taxRate, payFrequency, uiRate, starts_on].some((v) => v !== undefined),
      'Change at least one setting.',
    ),
  reply: PayrollSettings,
  refusals: {
    stale: staleRefusal('these settings', PayrollSettings),
    in_the_past: [422, 'Changes must take effect today or later.'],
    too_far: [422, 'A change can be scheduled at most one year ahead.'],
    start_out_of_range: [422, 'Payroll must start between January 1, 2000 and one year from today.'],
  },
})
