import { daysOf, growthRanges } from '@limber/contract/growth/values.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { type RawBuilder, sql } from 'kysely'
import { activitySpans, day, isUser } from '../figures/measure.queries.ts'

/** The longest range, and the days that three windows of it reach back: churn of the range before looks that far. */
export const LONGEST = 90
const REACH = 3 * LONGEST

/** The last days of all windows that any range looks at, the oldest first. */
const turnsOf = (today: string) =>
  [
    ...new Set(growthRanges.flatMap((range) => [0, 1, 2, 3].map((back) => addDays(today, -back * daysOf(range))))),
  ].sort()

/**
 * Who stirred when, counted for all who ask: `activity` reads the bookings once, and its rows are few.
 *
 * By zone a day is known as the last day of its window: every question of a range asks whether a day lies before or after
 * such a turn, so that the answer stays exact. For the whole company days stand as they are.
 */
export function countActivity(today: string): RawBuilder<unknown> {
  const turns = sql`${turnsOf(today)}::date[]`
  const turnAfter = (column: RawBuilder<unknown>) => sql`(${turns})[width_bucket(${column} - 1, ${turns}) + 1]`
  return sql`
    select zone, turn, next_turn, day, next, count(*) as n
    from (
      select coalesce(c.zone_id, 0) as zone, ${turnAfter(sql`s.day`)} as turn, ${turnAfter(sql`s.next`)} as next_turn, s.day, s.next
      from (${activitySpans({ from: day(today, 1 - REACH), to: day(today) })}) s
      join customers c on c.id = s.customer_id where ${isUser}) a
    group by grouping sets ((zone, turn, next_turn), (day, next))`
}

/** What a statement with `activity` reads from it: spans of each zone, as far as a range tells days apart. */
export const activityByZone = sql`select zone, turn as day, next_turn as next, n from activity where zone is not null`

/** Spans of the whole company, day by day. */
export const activityByDay = sql`select day, next, n from activity where zone is null`
