import { companyZone } from '@limber/contract/kit/company.ts'
import { wallTime } from '@limber/contract/kit/zone-time.ts'
import { DAY, HOUR } from '#platform/clock.ts'

/**
 * Days in one time zone. Its offset from UTC must be whole hours, so that every day consists of whole hours of the
 * rollups: 24, or 23 and 25 when daylight saving time changes.
 */
export interface LocalTime {
  zone: string
  /** The day number of a moment. */
  dayOf(at: number): number
  /** The moment a day reaches an hour in local time; hour 24 is the end of the day. */
  at(day: number, hour: number): number
  /** The local hour. */
  hourOf(at: number): number
}

export function makeLocalTime(zone: string): LocalTime {
  /** The local time at a full hour, as if it were UTC. */
  const readLocalTime = (at: number) => wallTime(new Date(Math.floor(at / HOUR) * HOUR), zone)
  return {
    zone,
    dayOf: (at) => Math.floor(readLocalTime(at) / DAY),
    hourOf: (at) => Math.floor((readLocalTime(at) % DAY) / HOUR),
    at(day, hour) {
      const wanted = day * DAY + hour * HOUR
      // Two corrections are enough: the first lands within an hour of a daylight saving change.
      let at = wanted
      for (let step = 0; step < 3; step++) at += wanted - readLocalTime(at)
      return at
    },
  }
}

/** The start of the local day of a moment. */
export const dayStart = (local: LocalTime, at: number) => local.at(local.dayOf(at), 0)

/** Days of the company. They follow a change of its time zone. */
export const companyTime: LocalTime = {
  get zone() {
    return companyZone()
  },
  dayOf: (at) => makeLocalTime(companyZone()).dayOf(at),
  at: (day, hour) => makeLocalTime(companyZone()).at(day, hour),
  hourOf: (at) => makeLocalTime(companyZone()).hourOf(at),
}
