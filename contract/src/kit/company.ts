import { addDays, weekdayOf } from './days.ts'
import { dayIn } from './zone-time.ts'

/** How the company counts days and weeks. */
export interface CompanyTime {
  timeZone: string
  weekStartsOn: WeekStart
}

export const weekStarts = ['sunday', 'monday'] as const
export type WeekStart = (typeof weekStarts)[number]

/** Until the company chooses. */
export const DEFAULT_TIME: CompanyTime = { timeZone: 'America/Los_Angeles', weekStartsOn: 'monday' }

// A process and a page serve one company. The server sets it from the database, the page from the session.
let current = DEFAULT_TIME

export function setCompanyTime({ timeZone, weekStartsOn }: CompanyTime): void {
  current = { timeZone, weekStartsOn }
}

/** The company's time zone. It can change while the program runs. */
export const companyZone = () => current.timeZone

/** The company's calendar day at a moment, `YYYY-MM-DD`. */
export const companyDay = (at: Date) => dayIn(companyZone(), at)

/** The first day of a day's week. */
export const weekStartOf = (day: string): string =>
  addDays(day, -((weekdayOf(day) + (current.weekStartsOn === 'monday' ? 6 : 0)) % 7))
