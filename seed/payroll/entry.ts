import type { EntryType } from '@limber/contract/payroll/values.ts'
import type { PaidEntry } from '@limber/server/payroll/audit/audit.rules.ts'
import type { Period } from '@limber/server/payroll/entries/period.rules.ts'

/** An earning before taxes. */
export interface Earning {
  type: EntryType
  sub_type: string | null
  work_date: string
  amount: bigint
  booking_id: number | null
  onsite_session_id: number | null
}

/** An earning with its taxes and pay period. */
export interface Entry extends Earning {
  period: Period
  withheld: bigint
  employerTax: bigint
  isPaid: boolean
}

/** An entry as the tax rules group it. */
export type Row = PaidEntry & { entry: Entry }

/** The subtype of manual entries. */
export const MANUAL_ENTRY = 'entered by hand'
