import { COMPANY_ZONE } from '@limber/contract/kit/company.ts'
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
  // Made when first asked: it takes longer than many a module, and a start need not wait for it.
  let format: Intl.DateTimeFormat | undefined
  const known = new Map<number, number>()
  /** The clocks' reading at a full hour, as if it were UTC. */
  function readClocks(at: number): number {
    const hour = Math.floor(at / HOUR)
    const found = known.get(hour)
    if (found !== undefined) return found
    const part: Record<string, number> = {}
    format ??= makeFormat(zone)
    for (const { type, value } of format.formatToParts(hour * HOUR)) part[type] = Number(value)
    const reading = Date.UTC(part.year ?? 0, (part.month ?? 1) - 1, part.day ?? 1, part.hour ?? 0)
    if (known.size > 50_000) known.clear()
    known.set(hour, reading)
    return reading
  }
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

const makeFormat = (timeZone: string) =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
  })

/** The first moment of the local day that a moment falls into. */
export const dayStart = (local: LocalTime, at: number) => local.at(local.dayOf(at), 0)

export const companyTime = makeLocalTime(COMPANY_ZONE)
