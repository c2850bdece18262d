import type { TenThousandths } from '@limber/contract/kit/money.ts'
import type { SessionRef } from '@limber/contract/payroll/entries/entry.ts'
import { readAmount } from '../tax/amount.rules.ts'
import { dayOf } from './period.rules.ts'

type Kind = SessionRef['kind']

interface Rates {
  base_pay: string
  onsite_hourly_pay: string | null
}

/** Gross pay of a session. Undefined for an on-site session on a day without an hourly rate. */
export function sessionPay(kind: Kind, { hours }: { hours: number }, of: Rates): TenThousandths | undefined {
  if (kind === 'booking') return readAmount(of.base_pay)
  return of.onsite_hourly_pay === null ? undefined : readAmount(of.onsite_hourly_pay) * BigInt(hours)
}

/** Whether another system sent a booking only after its pay period was paid or closed, as it does with old bookings. */
export const arrivedLate = (arrivedAt: Date | null, own: { pay_date: string; closed_at: Date | null }) =>
  arrivedAt !== null && (dayOf(arrivedAt) > own.pay_date || (own.closed_at !== null && arrivedAt > own.closed_at))

/** The columns that link an entry to its session. */
export const sessionColumns = (kind: Kind, id: number) =>
  kind === 'booking'
    ? { booking_id: id, onsite_session_id: null, sub_type: null }
    : { booking_id: null, onsite_session_id: id, sub_type: 'on-site' }
