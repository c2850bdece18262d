import { addDays, weekdayOf } from '@limber/contract/kit/days.ts'
import { dayIn, momentsFromInput } from '@limber/contract/kit/zone-time.ts'

/** When the desk is open. */
export interface BusinessHours {
  zone: string
  /** From Sunday on; null for a closed day. `24:00` ends a day. */
  week: readonly ({ from: string; to: string } | null)[]
  holidays: ReadonlySet<string>
}

// Longer than any target can take: a year with one open day a week, and every holiday on it.
const MAX_DAYS = 2_000
const MINUTES_PER_DAY = 24 * 60

const known = new Map<string, number>()

const print = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** A time of day as a moment: the earlier one of two, and the next one that exists when the clocks skip it. */
function momentOf(zone: string, day: string, time: string): number {
  const key = `${zone} ${day} ${time}`
  const found = known.get(key)
  if (found !== undefined) return found
  if (known.size > 20_000) known.clear()
  const start = Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  for (let minute = start; ; minute++) {
    const onDay = addDays(day, Math.floor(minute / MINUTES_PER_DAY))
    const [moment] = momentsFromInput(`${onDay}T${print(minute % MINUTES_PER_DAY)}`, zone) ?? []
    if (!moment) continue
    known.set(key, moment.getTime())
    return moment.getTime()
  }
}

/** When the desk opens and closes on a day; nothing on closed days. */
function openingOf({ zone, week, holidays }: BusinessHours, day: string): [from: number, to: number] | undefined {
  const open = week[weekdayOf(day)]
  return open && !holidays.has(day) ? [momentOf(zone, day, open.from), momentOf(zone, day, open.to)] : undefined
}

/** The business time between two moments, in milliseconds. */
export function businessTime(hours: BusinessHours, from: Date, to: Date): number {
  let sum = 0
  const last = dayIn(hours.zone, to)
  for (let day = dayIn(hours.zone, from); day <= last; day = addDays(day, 1)) {
    const [opens, closes] = openingOf(hours, day) ?? [0, 0]
    sum += Math.max(0, Math.min(closes, to.getTime()) - Math.max(opens, from.getTime()))
  }
  return sum
}

/** The first moment by which this much business time has passed; null when the desk does not open for so long. */
export function addBusinessTime(hours: BusinessHours, from: Date, ms: number): Date | null {
  if (ms <= 0) return from
  let left = ms
  let day = dayIn(hours.zone, from)
  for (let days = 0; days < MAX_DAYS; days++) {
    const [opens, closes] = openingOf(hours, day) ?? [0, 0]
    const start = Math.max(opens, from.getTime())
    if (closes - start >= left) return new Date(start + left)
    left -= Math.max(0, closes - start)
    day = addDays(day, 1)
  }
  return null
}
