import { companyZone } from '@limber/contract/kit/company.ts'
import { type RawBuilder, sql } from 'kysely'

type Fragment = RawBuilder<unknown>
type Sql<T> = RawBuilder<T>

/**
 * The single definition of what each growth figure counts. The stored figures, the figures of one city and the rows behind
 * a figure all use it; `contract/growth/overview/figure.ts` has the definitions in plain language. Aliases: customers `c`,
 * bookings `b`, payments `t`, pay entries `p` with their stretcher `s`, partners `u`.
 */

/** The day of a moment in the company's time zone. */
export const dayOf = (moment: Fragment): Sql<string> => sql`(${moment} at time zone ${sql.lit(companyZone())})::date`

/** The moment a day starts in the company's time zone. */
export const startOf = (day: Fragment): Sql<Date> => sql`((${day})::timestamp at time zone ${sql.lit(companyZone())})`

/** A window of days, first and last included. */
export interface Days {
  from: Fragment
  to: Fragment
}

/** A calendar day as SQL, shifted by some days. */
export const day = (text: string, offset = 0): Sql<string> => sql`(${text}::date + ${offset}::int)`

/** The window of `days` days that ends on `today`; with `before`, the window of the same length before it. */
export const windowOf = (today: string, days: number, before = false): Days => ({
  from: day(today, 1 - days * (before ? 2 : 1)),
  to: day(today, before ? -days : 0),
})

export const isWithin = (moment: Fragment, { from, to }: Days): Sql<boolean> =>
  sql`(${moment} >= ${startOf(from)} and ${moment} < ${startOf(sql`${to} + 1`)})`

/** A customer counts as a user until the account is merged into another or erased. */
export const isUser = sql<boolean>`(c.merged_into_id is null and c.erased_at is null)`
export const isLocated = sql<boolean>`c.is_located`
export const isOutside = sql<boolean>`(c.zone_id is null and c.is_located)`
/** The customer lives in the part of the city that is outside every zone. */
export const livesInCity = (city: string): Sql<boolean> => sql`(${isOutside} and lower(c.city) = lower(${city}))`

export const isCompleted = sql<boolean>`b.status = 'completed'`
export const isOpen = sql<boolean>`b.status in ('requested', 'confirmed', 'in_progress')`
const isValidBooking = sql<boolean>`b.status not in ('cancelled', 'no_show')`
const tookPlace = sql<boolean>`b.status in ('completed', 'in_progress')`

/** A booking that makes its customer active in a window: created in it, or took place in it. */
export const isActivityIn = (days: Days): Sql<boolean> =>
  sql`((${isValidBooking} and ${isWithin(sql`b.created_at`, days)}) or (${tookPlace} and ${isWithin(sql`b.starts_at`, days)}))`

/** The days on which a customer booked or had a session. A day can appear twice. */
export const activityDays = ({ from, to }: Days, whose: Fragment = sql`true`): Fragment => sql`
  select b.customer_id, ${dayOf(sql`b.created_at`)} as day from bookings b
  where ${isValidBooking} and ${isWithin(sql`b.created_at`, { from, to })} and ${whose}
  union all
  select b.customer_id, ${dayOf(sql`b.starts_at`)} from bookings b
  where ${tookPlace} and ${isWithin(sql`b.starts_at`, { from, to })} and ${whose}`

/**
 * Each activity day with the customer's next one, enough to tell who was active on any day. A duplicate day is its own next
 * day and so matches no condition; removing duplicates first would cost another sort.
 */
export const activitySpans = (days: Days, whose?: Fragment): Fragment => sql`
  select customer_id, day, lead(day) over (partition by customer_id order by day) as next from (${activityDays(days, whose)}) a`

/** Active on a day: the last activity up to that day is in the `days` before it. At most one span per customer matches. */
export const isActiveOn = (on: Fragment, days: Fragment): Sql<boolean> =>
  sql`(day > ${on} - ${days} and day <= ${on} and (next is null or next > ${on}))`

/** Churned on a day: the last activity up to that day is in the `days` before the previous `days`. */
export const isChurnedOn = (on: Fragment, days: Fragment): Sql<boolean> =>
  sql`(day > ${on} - 2 * ${days} and day <= ${on} - ${days} and (next is null or next > ${on}))`

/** Payments less refunds. */
export const isRevenue = sql<boolean>`t.status = 'completed'`
export const payments = sql`customer_transactions t left join bookings b on b.id = t.booking_id join customers c on c.id = t.customer_id`
export const zoneOfPayment = sql<number | null>`coalesce(b.zone_id, c.zone_id)`
/** Revenue of a city outside every zone: payments without a session, because every session has a zone. */
export const isPaidInCity = (city: string): Sql<boolean> => sql`(${zoneOfPayment} is null and ${livesInCity(city)})`

/** Pay of stretchers. Pay of office workers belongs to no city. */
export const isPayout = sql<boolean>`(p.status <> 'cancelled' and not exists (select from payroll_voids v where v.payroll_id = p.id))`
export const payouts = sql`payroll_entries p join earners e on e.id = p.earner_id join stretchers s on s.id = e.stretcher_id
  left join bookings b on b.id = p.booking_id`
export const zoneOfPayout = sql<number | null>`coalesce(b.zone_id, s.zone_id)`

export const isPartner = sql<boolean>`u.archived_at is null`
/** An overdue renewal stays in the list until someone renews or ends the partnership. */
export const renewsSoon = (today: string, days: number): Sql<boolean> =>
  sql`(${isPartner} and u.stage = 'active' and u.renews_on <= ${today}::date + ${days}::int)`
export const isPilotOver = (today: string): Sql<boolean> =>
  sql`(${isPartner} and u.stage = 'pending' and u.pilot_ends_on < ${today}::date)`
export const lastContact = sql<Date>`coalesce(u.last_contact_at, u.created_at)`
export const hasNoRecentContact = (today: string, days: number): Sql<boolean> =>
  sql`(${isPartner} and u.stage <> 'ended' and ${lastContact} < ${startOf(day(today, -days))})`
