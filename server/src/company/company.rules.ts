import { isTimeZone, wallTime } from '@limber/contract/kit/zone-time.ts'
import { DAY, HOUR } from '#platform/clock.ts'

/** Whether the zone differs from UTC by full hours all year. Usage is counted by the hour. */
export function hasFullHours(zone: string, now: Date): boolean {
  const offsets = [0, 91, 182, 273].map((days) => {
    const at = new Date(now.getTime() + days * DAY)
    return wallTime(at, zone) - at.getTime()
  })
  return offsets.every((offset) => offset % HOUR === 0)
}

export const zoneFault = (zone: string, now: Date): 'bad_time_zone' | 'uneven_time_zone' | undefined =>
  isTimeZone(zone) ? (hasFullHours(zone, now) ? undefined : 'uneven_time_zone') : 'bad_time_zone'
