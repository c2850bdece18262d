import { type TaskPriority, taskPriorities } from '@limber/contract/growth/tasks/task.ts'
import type { PayoutCategory } from '@limber/contract/growth/values.ts'
import { readDollars } from '@limber/contract/kit/dollars.ts'
import { formatMoney } from '@limber/contract/kit/formats/money.ts'
import { formatInteger, formatPercent } from '@limber/contract/kit/formats/numbers.ts'
import { stringifyMoney } from '@limber/contract/kit/money.ts'
import { dayText } from '#ui/format/day-text.ts'

/** Dollars and cents. */
export const dollars = (value: number) => formatMoney(stringifyMoney(readDollars(value)))

/** Whole dollars, for figures that are read at a glance. */
export const roundDollars = (value: number) => `${value < 0 ? '−' : ''}$${formatInteger(Math.round(Math.abs(value)))}`

export const signOf = (value: number) => (value > 0 ? '+' : value < 0 ? '−' : '±')
export const signed = (value: number) => `${signOf(value)}${formatInteger(Math.abs(value))}`

/** '--' when the divisor is zero. */
export const percent = (value: number | null, decimals = 1) => (value === null ? '--' : formatPercent(value, decimals))

export const rangeLabels = { '7d': '7 days', '30d': '30 days', '90d': '90 days' } as const

/** What a partnership is waiting for, as text after its name. */
export const dueText = ({ kind, day, isOverdue }: { kind: 'pilot' | 'renewal'; day: string; isOverdue: boolean }) =>
  kind === 'pilot'
    ? `pilot ended on ${dayText(day)}`
    : isOverdue
      ? `renewal overdue since ${dayText(day)}`
      : `renews on ${dayText(day)}`

export const priorityText = (priority: TaskPriority) => priority.charAt(0).toUpperCase() + priority.slice(1)
export const priorityOptions = taskPriorities.map((value) => ({ value, label: priorityText(value) }))

/** Labels of the payout categories. */
export const categoryLabels: Record<PayoutCategory, string> = {
  session: 'Session Pay',
  bonus: 'Bonus',
  commission: 'Commission',
  mileage: 'Mileage',
  sick_pay: 'Sick Pay',
  break_time_pay: 'Break Time Pay',
  expense_reimbursement: 'Expense Reimbursement',
}
