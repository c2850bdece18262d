import { daysOf, growthRanges } from '@limber/contract/growth/values.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { type RawBuilder, sql } from 'kysely'
import { activitySpans, day, isUser } from '../figures/measure.queries.ts'

/** The longest range. The churn of the previous range needs three windows of that length. */
export const MAX_RANGE_DAYS = 90
const HISTORY_DAYS = 3 * MAX_RANGE_DAYS

/** The last days of all windows that any range uses, oldest first. */
const windowEndsOf = (today: string) =>
  [
    ...new Set(growthRanges.flatMap((range) => [0, 1, 2, 3].map((back) => addDays(today, -back * daysOf(range))))),
  ].sort()

/**
 * Counts activity once for all figures: `activity` reads the bookings in one pass, and its result is small.
 *
 * For zones, each day is replaced by the last day of its window. Every range only compares days with these window ends, so
 * the result stays exact. For the whole company the days are unchanged.
 */
export function countActivity(today: string): RawBuilder<unknown> {
  const windowEnds = sql`${windowEndsOf(today)}::date[]`
  const windowEndAfter = (column: RawBuilder<unknown>) =>
    sql`(${windowEnds})[width_bucket(${column} - 1, ${windowEnds}) + 1]`
  return sql`
    select zone, turn, next_turn, day, next, count(*) as n
    from (
      select coalesce(c.zone_id, 0) as zone, ${windowEndAfter(sql`s.day`)} as turn, ${windowEndAfter(sql`s.next`)} as next_turn, s.day, s.next
      from (${activitySpans({ from: day(today, 1 - HISTORY_DAYS), to: day(today) })}) s
      join customers c on c.id = s.customer_id where ${isUser}) a
    group by grouping sets ((zone, turn, next_turn), (day, next))`
}

/** Activity spans per zone, as precise as the ranges need. Requires the CTE `activity`. */
export const activityByZone = sql`select zone, turn as day, next_turn as next, n from activity where zone is not null`

/** Activity spans of the whole company by day. */
export const activityByDay = sql`select day, next, n from activity where zone is null`
