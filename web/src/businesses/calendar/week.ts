import { addDays, mondayOf } from '@limber/contract/kit/days.ts'

/** Weeks that can be looked at, by their Mondays. */
const EARLIEST = '2000-01-03'
const LATEST = '2099-12-28'

/** The week of a day that can be looked at: the nearest one for a day too far away. */
export const weekOf = (day: string): string => {
  const monday = mondayOf(day)
  return monday < EARLIEST ? EARLIEST : monday > LATEST ? LATEST : monday
}

/** The week before or behind; none at the end of the calendar. */
export function stepFrom(monday: string, weeks: -1 | 1): string | undefined {
  const next = addDays(monday, 7 * weeks)
  return next < EARLIEST || next > LATEST ? undefined : next
}

export const daysOf = (monday: string): string[] => Array.from({ length: 7 }, (_, nth) => addDays(monday, nth))

const written = (form: Intl.DateTimeFormatOptions) => {
  const words = new Intl.DateTimeFormat('en-GB', { ...form, timeZone: 'UTC' })
  return (day: string) => words.format(new Date(`${day}T00:00:00Z`)).replace(',', '')
}
const yearly = written({ day: 'numeric', month: 'short', year: 'numeric' })
const monthly = written({ day: 'numeric', month: 'short' })
const daily = written({ day: 'numeric' })

/** 'Mon', as the head of a column says. */
export const weekday = written({ weekday: 'short' })
/** '16'. */
export const dayNumber = daily
/** 'Mon 16 Nov'. */
export const dayName = written({ weekday: 'short', day: 'numeric', month: 'short' })

/** 'Mon 16 Nov 2026'. */
export const datedName = written({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })

/** '16 to 22 Nov 2026', '30 Nov to 6 Dec 2026', '28 Dec 2026 to 3 Jan 2027'. */
export function weekText(monday: string): string {
  const sunday = addDays(monday, 6)
  const from =
    monday.slice(0, 7) === sunday.slice(0, 7)
      ? daily(monday)
      : monday.slice(0, 4) === sunday.slice(0, 4)
        ? monthly(monday)
        : yearly(monday)
  return `${from} to ${yearly(sunday)}`
}
