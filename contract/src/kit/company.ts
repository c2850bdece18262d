import { companyTime } from './company-time.ts'
import { addDays, weekdayOf } from './days.ts'
import { dayIn } from './zone-time.ts'

/** The company's time zone. It can change while the program runs. */
export const companyZone = () => companyTime().timeZone

/** The company's calendar day at a moment, `YYYY-MM-DD`. */
export const companyDay = (at: Date) => dayIn(companyZone(), at)

/** The first day of a day's week. */
export const weekStartOf = (day: string): string =>
  addDays(day, -((weekdayOf(day) + (companyTime().weekStartsOn === 'monday' ? 6 : 0)) % 7))
