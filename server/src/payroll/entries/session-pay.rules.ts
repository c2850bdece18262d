import type { TenThousandths } from '@limber/contract/kit/money.ts'
import type { SessionRef } from '@limber/contract/payroll/entries/entry.ts'
import { readAmount } from '../tax/amount.rules.ts'

type Kind = SessionRef['kind']

interface Rates {
  base_pay: string
  onsite_hourly_pay: string | null
}

/** The gross of a session by the settings of its day; none for an on-site session while there was no rate. */
export function sessionPay(kind: Kind, { hours }: { hours: number }, of: Rates): TenThousandths | undefined {
  if (kind === 'booking') return readAmount(of.base_pay)
  return of.onsite_hourly_pay === null ? undefined : readAmount(of.onsite_hourly_pay) * BigInt(hours)
}

/** How an entry names the session that it pays for. */
export const paysFor = (kind: Kind, id: number) =>
  kind === 'booking'
    ? { booking_id: id, onsite_session_id: null, sub_type: null }
    : { booking_id: null, onsite_session_id: id, sub_type: 'on-site' }
