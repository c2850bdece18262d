import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { UserBooking, UserDetail, UserRewards, UserTransaction } from '@limber/contract/support/customers/user.ts'
import type { Meaning } from '#ui/feedback/status.tsx'

/** `at_risk` becomes 'At risk'. */
export function humanize(name: string): string {
  const text = name.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export const yesNo = (value: boolean) => (value ? 'Yes' : 'No')

export const accountMeaning: Record<UserDetail['accountStatus']['status'], Meaning> = {
  active: 'green',
  inactive: 'plain',
  blocked: 'red',
}

export const closedLabels = { merged: 'Merged', erased: 'Erased' }

export const bookingLabels: Record<UserBooking['status'], string> = {
  requested: 'Requested',
  confirmed: 'Confirmed',
  in_progress: 'In progress',
  completed: 'Completed',
  cancelled: 'Canceled',
  no_show: 'No-show',
}

export const bookingMeaning: Record<UserBooking['status'], Meaning> = {
  requested: 'amber',
  confirmed: 'teal',
  in_progress: 'blue',
  completed: 'green',
  cancelled: 'plain',
  no_show: 'red',
}

export const paymentLabels: Record<UserTransaction['transactionType'], string> = {
  credit_purchase: 'Credit purchase',
  session_payment: 'Session payment',
  refund: 'Refund',
}

export const paymentMeaning: Record<UserTransaction['status'], Meaning> = {
  pending: 'amber',
  completed: 'plain',
  failed: 'red',
}

export const creditLabels: Record<UserRewards['creditHistory'][number]['kind'], string> = {
  purchase: 'Purchase',
  use: 'Session',
  refund: 'Refund',
  referral: 'Referral',
  grant: 'Added by support',
  removal: 'Removed by support',
}

export const signed = (value: number) => (value > 0 ? `+${formatInteger(value)}` : `−${formatInteger(Math.abs(value))}`)
