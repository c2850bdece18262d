import type { EntryType } from '@limber/contract/payroll/values.ts'
import type { PaidEntry } from '@limber/server/payroll/audit/audit.rules.ts'
import type { Period } from '@limber/server/payroll/entries/period.rules.ts'

/** What was done, before taxes. */
export interface Earning {
  type: EntryType
  sub_type: string | null
  work_date: string
  amount: bigint
  booking_id: number | null
  onsite_session_id: number | null
}

/** An entry with its taxes, ready to be written. */
export interface Entry extends Earning {
  period: Period
  withheld: bigint
  employerTax: bigint
  isPaid: boolean
}

/** An entry as it is grouped and taxed. */
export type Row = PaidEntry & { entry: Entry }

/** How an entry is marked that somebody typed in. */
export const BY_HAND = 'entered by hand'
