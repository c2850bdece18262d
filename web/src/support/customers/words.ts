import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { UserBooking, UserDetail, UserRewards, UserTransaction } from '@limber/contract/support/customers/user.ts'
import type { Meaning } from '#ui/feedback/status.tsx'

/** `at_risk` becomes 'At risk'. */
export function inWords(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const yesNo = (value: boolean) => (value ? 'Yes' : 'No')

export const accountMeaning: Record<UserDetail['accountStatus']['status'], Meaning> = {
  active: 'green',
  inactive: 'plain',
  blocked: 'red',
}

export const endedWords = { merged: 'Merged', erased: 'Erased' }

export const bookingWords: Record<UserBooking['status'], string> = {
  requested: 'Requested',
  confirmed: 'Confirmed',
  in_progress: 'In progress',
  completed: 'Completed',
  cancelled: 'Cancelled',
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

export const paymentWords: Record<UserTransaction['transactionType'], string> = {
  credit_purchase: 'Credit purchase',
  session_payment: 'Session payment',
  refund: 'Refund',
}

export const paymentMeaning: Record<UserTransaction['status'], Meaning> = {
  pending: 'amber',
  completed: 'plain',
  failed: 'red',
}

export const creditWords: Record<UserRewards['creditHistory'][number]['kind'], string> = {
  purchase: 'Purchase',
  use: 'Session',
  refund: 'Refund',
  referral: 'Referral',
  grant: 'Given by staff',
  removal: 'Taken by staff',
}

export const signed = (value: number) => (value > 0 ? `+${formatInteger(value)}` : `−${formatInteger(Math.abs(value))}`)
