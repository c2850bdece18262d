import { weekStartOf } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { formatDay, formatDayRange } from '@limber/contract/kit/formats/dates.ts'
import { now } from '#platform/clock.ts'

/** The days that can be selected. */
const FIRST_DAY = '2000-01-09'
const LAST_DAY = '2099-12-28'

/** The week of a day, limited to the selectable weeks. */
export const weekOf = (day: string): string =>
  weekStartOf(day < FIRST_DAY ? FIRST_DAY : day > LAST_DAY ? LAST_DAY : day)

/** The previous or next week; undefined at the end of the calendar. */
export function stepFrom(week: string, weeks: -1 | 1): string | undefined {
  const next = addDays(week, 7 * weeks)
  return weekOf(next) === next ? next : undefined
}

export const daysOf = (week: string): string[] => Array.from({ length: 7 }, (_, nth) => addDays(week, nth))

/** `16`. */
export const dayNumber = (day: string) => Number(day.slice(8))

/** `Mon, Nov 16`. */
export const dayName = (day: string) => formatDay(day, { now: now(), hasWeekday: true })

/** `Nov 16 – 22, 2026`. */
export const weekText = (week: string) => formatDayRange(week, addDays(week, 6))
