import { z } from 'zod'
import { defineCall, type ReplyOf, staleRefusal } from '#kit/call.ts'
import { Day, Moment, Version } from '#kit/values.ts'
import { Dollars, NotNegative, PayFrequency, Rate } from '../values.ts'

const MAX_BASE_PAY = 100_000
const Pay = NotNegative.refine((value) => value <= MAX_BASE_PAY, 'must not be more than 100,000')

const Values = {
  /** Default gross of one session. */
  basePay: Dollars,
  /** Gross of one hour of an on-site session; none until it is first set, and on-site sessions before that day are not paid. */
  onsiteHourlyPay: Dollars.nullable(),
  /** Flat provisional rate at which withholding is booked when an entry is made. */
  taxRate: Rate,
  payFrequency: PayFrequency,
  /** The employer's own rate of California unemployment insurance. */
  uiRate: Rate,
}

/** What a change counts for today; replaced is one whose day was planned anew before it came. */
export const SettingsState = z.enum(['planned', 'replaced', 'in_force', 'past'])
export type SettingsState = z.infer<typeof SettingsState>

export const PayrollSettings = z.object({
  ...Values,
  effectiveFrom: Day,
  /** Of the newest change, from whichever day it holds. */
  version: Version,
  /** Every change, the latest to take effect first. */
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
  summary: 'The payroll settings of today, with their history',
  permission: 'payroll.settings',
  reply: PayrollSettings,
})

/** Only what is sent changes; it holds from a day on, today unless told, and on until something else was planned. The past keeps its own. */
export const changeSettings = defineCall({
  method: 'PATCH',
  path: '/api/payroll/settings',
  summary: 'Change payroll settings from a day on',
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
      version: Version.optional(),
    })
    .refine(
      ({ basePay, onsiteHourlyPay, taxRate, payFrequency, uiRate }) =>
        [basePay, onsiteHourlyPay, taxRate, payFrequency, uiRate].some((v) => v !== undefined),
      'Name at least one setting to change.',
    ),
  reply: PayrollSettings,
  refusals: {
    stale: staleRefusal('these settings', PayrollSettings),
    in_the_past: [422, 'A change holds from today on or later; the past keeps its settings.'],
    too_far: [422, 'A change can be planned at most one year ahead.'],
  },
})
export type SettingsReply = ReplyOf<typeof changeSettings>
