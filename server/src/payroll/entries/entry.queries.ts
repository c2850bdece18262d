import { stringifyMoney, type TenThousandths } from '@limber/contract/kit/money.ts'
import type { EntryType } from '@limber/contract/payroll/values.ts'
import type { Db } from '#platform/db/db.ts'

export interface ManualEntry {
  earner_id: number
  type: EntryType
  sub_type: string | null
  amount: TenThousandths
  withheld: TenThousandths
  employer_tax: TenThousandths
  pay_period_id: number
  work_date: string
  pay_date: string
  booking_id: number | null
  onsite_session_id: number | null
}

export const insertEntry = (db: Db, { amount, withheld, employer_tax, ...entry }: ManualEntry, now: Date) =>
  db
    .insertInto('payroll_entries')
    .values({
      ...entry,
      amount: stringifyMoney(amount),
      withheld: stringifyMoney(withheld),
      employer_tax: stringifyMoney(employer_tax),
      created_at: now,
      paid_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()

/** Cancels a pending entry. Atomic: returns false when it was already canceled or paid. */
export async function cancelPending(db: Db, id: number): Promise<boolean> {
  const cancelled = await db
    .updateTable('payroll_entries')
    .set({ status: 'cancelled' })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returning('id')
    .executeTakeFirst()
  return cancelled !== undefined
}
