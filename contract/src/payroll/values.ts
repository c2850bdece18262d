import { z } from 'zod'
import { Dollars, readDollars, writeDollars } from '#kit/dollars.ts'

export { Dollars, readDollars, writeDollars }
export const NotNegative = Dollars.refine((value) => value >= 0, 'must not be negative')

/** A rate from 0 to 1 with at most four decimals: 0.18 is 18%. */
export const Rate = Dollars.refine((value) => value >= 0 && value <= 1, 'must be between 0 and 1')

export const FilingStatus = z.enum(['single', 'married_jointly', 'married_separately', 'head_of_household'])
export type FilingStatus = z.infer<typeof FilingStatus>

export const PayFrequency = z.enum(['weekly', 'biweekly', 'semimonthly', 'monthly'])
export type PayFrequency = z.infer<typeof PayFrequency>

export const EntryType = z.enum([
  'session',
  'bonus',
  'commission',
  'mileage',
  'sick_pay',
  'break_time_pay',
  'expense_reimbursement',
])
export type EntryType = z.infer<typeof EntryType>

/** Entry types that are taxable wages. Mileage and expense reimbursements are not. */
export const wageTypes: readonly EntryType[] = ['session', 'bonus', 'commission', 'sick_pay', 'break_time_pay']
export const isWage = (type: EntryType) => wageTypes.includes(type)

export const EntryStatus = z.enum(['pending', 'paid', 'cancelled'])
export type EntryStatus = z.infer<typeof EntryStatus>

export const Side = z.enum(['employee', 'employer'])
export type Side = z.infer<typeof Side>

/** A discrepancy of less than one cent is a warning; one cent or more is significant. */
export const Severity = z.enum(['warning', 'significant'])
export type Severity = z.infer<typeof Severity>

/** Shown next to all calculated taxes. */
export const TAX_NOTICE = 'These figures are for reference only and are not tax advice.'

export const Order = z.enum(['asc', 'desc'])
export type Order = z.infer<typeof Order>
