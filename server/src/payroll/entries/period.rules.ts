import { companyDay } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import type { PayFrequency } from '@limber/contract/payroll/values.ts'

const DAY = 86_400_000
/** A Monday on which a biweekly period starts. */
const ANCHOR = Date.UTC(2024, 0, 8)
/** Days from the end of a period to its pay date: a period ending on Sunday is paid on Friday. */
const PAY_DELAY_DAYS = 5

/** The calendar day of a moment in the company's time zone. */
export const dayOf = companyDay

const read = (day: string) => Date.parse(`${day}T00:00:00Z`)
const print = (time: number) => new Date(time).toISOString().slice(0, 10)

export interface Period {
  starts_on: string
  ends_on: string
  pay_date: string
}

const bounds: Record<PayFrequency, (day: string) => [string, string]> = {
  weekly: (day) => weeks(day, 1),
  biweekly: (day) => weeks(day, 2),
  semimonthly: (day) =>
    day.slice(8) <= '15'
      ? [`${day.slice(0, 8)}01`, `${day.slice(0, 8)}15`]
      : [`${day.slice(0, 8)}16`, lastOfMonth(day)],
  monthly: (day) => [`${day.slice(0, 8)}01`, lastOfMonth(day)],
}

function weeks(day: string, count: number): [string, string] {
  const length = 7 * count * DAY
  const start = ANCHOR + Math.floor((read(day) - ANCHOR) / length) * length
  return [print(start), print(start + length - DAY)]
}

function lastOfMonth(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return print(Date.UTC(year, month, 0))
}

export function periodOf(day: string, frequency: PayFrequency): Period {
  const [starts_on, ends_on] = bounds[frequency](day)
  return { starts_on, ends_on, pay_date: addDays(ends_on, PAY_DELAY_DAYS) }
}
