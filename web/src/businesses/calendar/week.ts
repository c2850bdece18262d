import { addDays, mondayOf } from '@limber/contract/kit/days.ts'
import { formatDay, formatDayRange } from '@limber/contract/kit/formats/dates.ts'
import { now } from '#platform/clock.ts'

/** The weeks that can be selected, by their Mondays. */
const FIRST_WEEK = '2000-01-03'
const LAST_WEEK = '2099-12-28'

/** The week of a day, limited to the selectable weeks. */
export const weekOf = (day: string): string => {
  const monday = mondayOf(day)
  return monday < FIRST_WEEK ? FIRST_WEEK : monday > LAST_WEEK ? LAST_WEEK : monday
}

/** The previous or next week; undefined at the end of the calendar. */
export function stepFrom(monday: string, weeks: -1 | 1): string | undefined {
  const next = addDays(monday, 7 * weeks)
  return next < FIRST_WEEK || next > LAST_WEEK ? undefined : next
}

export const daysOf = (monday: string): string[] => Array.from({ length: 7 }, (_, nth) => addDays(monday, nth))

/** `16`. */
export const dayNumber = (day: string) => Number(day.slice(8))

/** `Mon, Nov 16`. */
export const dayName = (day: string) => formatDay(day, { now: now(), hasWeekday: true })

/** `Nov 16 – 22, 2026`. */
export const weekText = (monday: string) => formatDayRange(monday, addDays(monday, 6))
