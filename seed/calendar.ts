import { companyZone } from '@limber/contract/kit/company.ts'
import { wallTime } from '@limber/contract/kit/zone-time.ts'
import { DAY, MINUTE } from '@limber/server/platform/clock.ts'

export const TIME_ZONE = companyZone()

/** Days in the company's time zone, counted from today: 0 is today, -1 is yesterday. */
export interface Calendar {
  now: Date
  /** The moment of a minute of a day, in the company's time zone. */
  at(day: number, minuteOfDay: number): Date
  /** 0 is Sunday. */
  weekday(day: number): number
  /** 0 is January. */
  month(day: number): number
  /** `MM-DD`, for holidays. */
  monthDay(day: number): string
  /** The day of a moment, with a fraction. May be off by the change to or from daylight saving time. */
  dayOf(moment: Date): number
}

/** The local time of a moment, as if it were UTC. */
const localTime = (moment: Date) => wallTime(moment, TIME_ZONE)

export function makeCalendar(now: Date): Calendar {
  const today = Math.floor(localTime(now) / DAY) * DAY
  const offsets = new Map<number, number>()
  // Daylight saving time changes at night, so the offset at noon is valid for every session of the day.
  const offset = (day: number) => {
    const known = offsets.get(day)
    if (known !== undefined) return known
    const noon = new Date(today + (day + 0.5) * DAY + 8 * 60 * MINUTE)
    const found = noon.getTime() - localTime(noon)
    offsets.set(day, found)
    return found
  }
  const dateOf = (day: number) => new Date(today + day * DAY)
  return {
    now,
    at: (day, minuteOfDay) => new Date(today + day * DAY + Math.round(minuteOfDay * 60) * 1000 + offset(day)),
    weekday: (day) => dateOf(day).getUTCDay(),
    month: (day) => dateOf(day).getUTCMonth(),
    monthDay: (day) => dateOf(day).toISOString().slice(5, 10),
    dayOf: (moment) => (moment.getTime() - today - offset(0)) / DAY,
  }
}
