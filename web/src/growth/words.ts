import { type TaskPriority, taskPriorities } from '@limber/contract/growth/tasks/task.ts'
import type { PayoutCategory } from '@limber/contract/growth/values.ts'
import { readDollars } from '@limber/contract/kit/dollars.ts'
import { formatMoney } from '@limber/contract/kit/formats/money.ts'
import { formatInteger, formatPercent } from '@limber/contract/kit/formats/numbers.ts'
import { printMoney } from '@limber/contract/kit/money.ts'
import { dayText } from '#ui/format/day-text.ts'

/** Dollars and cents. */
export const dollars = (value: number) => formatMoney(printMoney(readDollars(value)))

/** Whole dollars, for figures that are read at a glance. */
export const roundDollars = (value: number) => `${value < 0 ? '−' : ''}$${formatInteger(Math.round(Math.abs(value)))}`

/** '--' where there was nothing to divide by. */
export const percent = (value: number | null, decimals = 1) => (value === null ? '--' : formatPercent(value, decimals))

export const rangeWords = { '7d': '7 days', '30d': '30 days', '90d': '90 days' } as const

/** What a partnership waits for, as it goes on from the name. */
export const dueText = ({ kind, day, isOverdue }: { kind: 'pilot' | 'renewal'; day: string; isOverdue: boolean }) =>
  kind === 'pilot'
    ? `pilot ended on ${dayText(day)}`
    : isOverdue
      ? `renewal overdue since ${dayText(day)}`
      : `renews on ${dayText(day)}`

export const priorityText = (priority: TaskPriority) => priority.charAt(0).toUpperCase() + priority.slice(1)
export const priorityOptions = taskPriorities.map((value) => ({ value, label: priorityText(value) }))

/** What stretchers are paid for. */
export const categoryWords: Record<PayoutCategory, string> = {
  session: 'Session Pay',
  bonus: 'Bonus',
  commission: 'Commission',
  mileage: 'Mileage',
  sick_pay: 'Sick Pay',
  break_time_pay: 'Break Time Pay',
  expense_reimbursement: 'Expense Reimbursement',
}
