import { COMPANY_ZONE } from '@limber/contract/kit/company.ts'
import { wallOf } from '@limber/contract/kit/zone-time.ts'
import { DAY, HOUR } from '#platform/clock.ts'

/**
 * Days by the clocks of one place. Its clocks must differ from UTC by whole hours, so that every day consists of
 * whole hours of the rollups: 24 of them, 23 or 25 when the clocks change.
 */
export interface LocalTime {
  zone: string
  /** The number of the day that a moment falls into. */
  dayOf(at: number): number
  /** The moment at which the clocks of a day show an hour; hour 24 is the end of the day. */
  at(day: number, hour: number): number
  /** The hour that the clocks show. */
  hourOf(at: number): number
}

export function makeLocalTime(zone: string): LocalTime {
  /** The clocks' reading at a full hour, as if it were UTC. */
  const readClocks = (at: number) => wallOf(new Date(Math.floor(at / HOUR) * HOUR), zone)
  return {
    zone,
    dayOf: (at) => Math.floor(readClocks(at) / DAY),
    hourOf: (at) => Math.floor((readClocks(at) % DAY) / HOUR),
    at(day, hour) {
      const wanted = day * DAY + hour * HOUR
      // Two steps are enough: the first lands within an hour of a change of the clocks at most.
      let at = wanted
      for (let step = 0; step < 3; step++) at += wanted - readClocks(at)
      return at
    },
  }
}

/** The first moment of the local day that a moment falls into. */
export const dayStart = (local: LocalTime, at: number) => local.at(local.dayOf(at), 0)

export const companyTime = makeLocalTime(COMPANY_ZONE)
