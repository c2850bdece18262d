import { daysOf, type GrowthRange, type Span } from '@limber/contract/growth/values.ts'
import { companyDay, companyZone } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { momentsFromInput } from '@limber/contract/kit/zone-time.ts'

/** The start of the first of `days` company days, including today. */
export function startOfDays(days: number, now: Date): Date {
  const day = addDays(companyDay(now), 1 - days)
  const [start] = momentsFromInput(`${day}T00:00`, companyZone()) ?? []
  if (!start) throw new RangeError(`${day} has no midnight in ${companyZone()}`)
  return start
}

/** The days of a range that ends on the given day. */
export const spanOf = (range: GrowthRange, { day, refreshedAt }: { day: string; refreshedAt: Date }): Span => ({
  range,
  from: addDays(day, 1 - daysOf(range)),
  to: day,
  refreshedAt: refreshedAt.toISOString(),
})

/** Rounds to two decimals, as percentages are shown. */
export const toHundredths = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 100) / 100
