import { addDays, weekdayOf } from './days.ts'

/** A named day. */
export interface NamedDay {
  day: string
  name: string
}

export const MONDAY = 1
export const TUESDAY = 2
export const THURSDAY = 4
export const FRIDAY = 5

const two = (value: number) => String(value).padStart(2, '0')
export const dayOf = (year: number, month: number, day: number) => `${year}-${two(month)}-${two(day)}`

/** The nth weekday of a month. */
export function nth(year: number, month: number, weekday: number, n: number): string {
  const first = dayOf(year, month, 1)
  return addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + (n - 1) * 7)
}

/** The last such weekday of a month. */
export function lastOf(year: number, month: number, weekday: number): string {
  const last = addDays(dayOf(year, month + 1, 1), -1)
  return addDays(last, -((weekdayOf(last) - weekday + 7) % 7))
}

/** A fixed day on a Saturday is observed the day before, on a Sunday the day after. */
function observed(day: string): string {
  const weekday = weekdayOf(day)
  return weekday === 6 ? addDays(day, -1) : weekday === 0 ? addDays(day, 1) : day
}

/** The federal holidays of the United States as observed, for those whose actual day is in this year. */
export const federalHolidays = (year: number): NamedDay[] => [
  { day: observed(dayOf(year, 1, 1)), name: "New Year's Day" },
  { day: nth(year, 1, MONDAY, 3), name: 'Martin Luther King Jr. Day' },
  { day: nth(year, 2, MONDAY, 3), name: "Washington's Birthday" },
  { day: lastOf(year, 5, MONDAY), name: 'Memorial Day' },
  { day: observed(dayOf(year, 6, 19)), name: 'Juneteenth' },
  { day: observed(dayOf(year, 7, 4)), name: 'Independence Day' },
  { day: nth(year, 9, MONDAY, 1), name: 'Labor Day' },
  { day: nth(year, 10, MONDAY, 2), name: 'Columbus Day' },
  { day: observed(dayOf(year, 11, 11)), name: 'Veterans Day' },
  { day: nth(year, 11, THURSDAY, 4), name: 'Thanksgiving Day' },
  { day: observed(dayOf(year, 12, 25)), name: 'Christmas Day' },
]

/** The federal holiday on a day. New Year's Day of the next year may be observed on December 31. */
export function federalHolidayOn(day: string): string | undefined {
  const year = Number(day.slice(0, 4))
  return [...federalHolidays(year), ...federalHolidays(year + 1)].find((one) => one.day === day)?.name
}
