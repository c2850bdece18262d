import { COMPANY_ZONE } from '@limber/contract/kit/company.ts'
import { type RawBuilder, sql } from 'kysely'

type Fragment = RawBuilder<unknown>
type Sql<T> = RawBuilder<T>

/**
 * What each growth number counts, once. The kept figures, the figures of one city and the rows behind a number are all
 * made of these; `contract/growth/figure.ts` says the same in words. Customers are `c`, bookings `b`, payments `t`, pay
 * entries `p` with their stretcher `s`, partners `u`.
 */

/** The day of a moment by the clocks of the company. */
export const dayOf = (moment: Fragment): Sql<string> => sql`(${moment} at time zone ${sql.lit(COMPANY_ZONE)})::date`

/** The moment at which a day begins by the clocks of the company. */
export const startOf = (day: Fragment): Sql<Date> => sql`((${day})::timestamp at time zone ${sql.lit(COMPANY_ZONE)})`

/** A window of days, both included. */
export interface Days {
  from: Fragment
  to: Fragment
}

/** A day of the calendar as SQL, moved by some days. */
export const day = (text: string, moved = 0): Sql<string> => sql`(${text}::date + ${moved}::int)`

/** The window of so many days up to a day; `before`: the window of the same length before it. */
export const windowOf = (today: string, days: number, before = false): Days => ({
  from: day(today, 1 - days * (before ? 2 : 1)),
  to: day(today, before ? -days : 0),
})

export const isWithin = (moment: Fragment, { from, to }: Days): Sql<boolean> =>
  sql`(${moment} >= ${startOf(from)} and ${moment} < ${startOf(sql`${to} + 1`)})`

/** A person counts as a user until the account is merged into another or erased. */
export const isUser = sql<boolean>`(c.merged_into_id is null and c.erased_at is null)`
export const isLocated = sql<boolean>`c.latitude is not null`
export const isOutside = sql<boolean>`(c.zone_id is null and c.latitude is not null)`
/** Lives in a city, as far as that lies outside every zone. */
export const livesInCity = (city: string): Sql<boolean> => sql`(${isOutside} and lower(c.city) = lower(${city}))`

export const isCompleted = sql<boolean>`b.status = 'completed'`
export const isOpen = sql<boolean>`b.status in ('requested', 'confirmed', 'in_progress')`
const isBookedInEarnest = sql<boolean>`b.status not in ('cancelled', 'no_show')`
const tookPlace = sql<boolean>`b.status in ('completed', 'in_progress')`

/** A booking that makes its customer active in a window: booked in it, or held in it. */
export const isActivityIn = (days: Days): Sql<boolean> =>
  sql`((${isBookedInEarnest} and ${isWithin(sql`b.created_at`, days)}) or (${tookPlace} and ${isWithin(sql`b.starts_at`, days)}))`

/** A customer's days with something booked or held; a day may come twice. */
export const activityDays = ({ from, to }: Days, whose: Fragment = sql`true`): Fragment => sql`
  select b.customer_id, ${dayOf(sql`b.created_at`)} as day from bookings b
  where ${isBookedInEarnest} and ${isWithin(sql`b.created_at`, { from, to })} and ${whose}
  union all
  select b.customer_id, ${dayOf(sql`b.starts_at`)} from bookings b
  where ${tookPlace} and ${isWithin(sql`b.starts_at`, { from, to })} and ${whose}`

/**
 * Activity days with the next one of the same customer: what is asked of any day is answered by these. Of a day that comes
 * twice the first is followed by itself, and so answers nothing; telling days apart before would cost a sort more.
 */
export const activitySpans = (days: Days, whose?: Fragment): Fragment => sql`
  select customer_id, day, lead(day) over (partition by customer_id order by day) as next from (${activityDays(days, whose)}) a`

/** Active as of a day: the last activity up to that day lies in the `days` before it. One span per customer fits. */
export const isActiveOn = (on: Fragment, days: Fragment): Sql<boolean> =>
  sql`(day > ${on} - ${days} and day <= ${on} and (next is null or next > ${on}))`

/** Churned as of a day: the last activity up to that day lies in the `days` before the `days` before it. */
export const isChurnedOn = (on: Fragment, days: Fragment): Sql<boolean> =>
  sql`(day > ${on} - 2 * ${days} and day <= ${on} - ${days} and (next is null or next > ${on}))`

/** Money that came in, less what went back. */
export const isRevenue = sql<boolean>`t.status = 'completed'`
export const payments = sql`customer_transactions t left join bookings b on b.id = t.booking_id join customers c on c.id = t.customer_id`
export const zoneOfPayment = sql<number | null>`coalesce(b.zone_id, c.zone_id)`
/** Money of a city outside every zone: what its people paid for no session, as a session lies in a zone. */
export const isPaidInCity = (city: string): Sql<boolean> => sql`(${zoneOfPayment} is null and ${livesInCity(city)})`

/** Pay of stretchers; the office's own pay belongs to no city. */
export const isPayout = sql<boolean>`(p.status <> 'cancelled' and not exists (select from payroll_voids v where v.payroll_id = p.id))`
export const payouts = sql`payroll_entries p join earners e on e.id = p.earner_id join stretchers s on s.id = e.stretcher_id
  left join bookings b on b.id = p.booking_id`
export const zoneOfPayout = sql<number | null>`coalesce(b.zone_id, s.zone_id)`

export const isPartner = sql<boolean>`u.archived_at is null`
/** One whose day has passed stays until somebody renews it or ends it. */
export const renewsSoon = (today: string, days: number): Sql<boolean> =>
  sql`(${isPartner} and u.stage = 'active' and u.renews_on <= ${today}::date + ${days}::int)`
export const isPilotOver = (today: string): Sql<boolean> =>
  sql`(${isPartner} and u.stage = 'pending' and u.pilot_ends_on < ${today}::date)`
export const lastContact = sql<Date>`coalesce(u.last_contact_at, u.created_at)`
export const isSilent = (today: string, days: number): Sql<boolean> =>
  sql`(${isPartner} and u.stage <> 'ended' and ${lastContact} < ${startOf(day(today, -days))})`
