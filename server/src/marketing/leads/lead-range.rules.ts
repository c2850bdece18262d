import { companyDay, companyZone } from '@limber/contract/kit/company.ts'
import { momentsFromInput } from '@limber/contract/kit/zone-time.ts'
import type { LeadRange } from '@limber/contract/marketing/leads/lead-range.ts'

const DAY = 86_400_000
const DAYS: Record<LeadRange, number> = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 }
const WEEK = 7
/** Longer ranges are shown by week, because single days would be too noisy. */
const MAX_SINGLE_DAYS = 30

export interface LeadWindow {
  from: Date
  to: Date
  /** The first day of each chart point (`labels`), and when it starts (`starts`). */
  labels: string[]
  starts: Date[]
}

const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)

function beginOf(day: string): Date {
  const [begin] = momentsFromInput(`${day}T00:00`, companyZone()) ?? []
  if (!begin) throw new RangeError(`${day} has no midnight in ${companyZone()}`)
  return begin
}

/** The number of days per chart point. The last week ends today; the first point covers the remainder. */
function pointsOf(days: number): number[] {
  if (days <= MAX_SINGLE_DAYS) return Array.from({ length: days }, () => 1)
  const weeks = Math.round(days / WEEK)
  return [days - (weeks - 1) * WEEK, ...Array.from({ length: weeks - 1 }, () => WEEK)]
}

/** The time window of a range in the company's time zone, with its chart points. */
export function windowOf(range: LeadRange, now: Date): LeadWindow {
  const days = DAYS[range]
  let day = dayAfter(companyDay(now), 1 - days)
  const labels: string[] = []
  for (const length of pointsOf(days)) {
    labels.push(day)
    day = dayAfter(day, length)
  }
  const starts = labels.map(beginOf)
  return { from: starts[0] ?? now, to: now, labels, starts }
}

/** A share in percent; 0 if the total is 0. */
export const percentOf = (part: number, whole: number) => (whole === 0 ? 0 : (part / whole) * 100)
