import { type RawBuilder, sql } from 'kysely'
import { activityByZone, MAX_RANGE_DAYS } from '../overview/activity.queries.ts'
import {
  day,
  dayOf,
  isActiveOn,
  isChurnedOn,
  isCompleted,
  isLocated,
  isOpen,
  isPayout,
  isRevenue,
  isUser,
  payments,
  payouts,
  startOf,
  zoneOfPayment,
  zoneOfPayout,
} from './measure.queries.ts'

/**
 * Inserts the zone figures for all ranges: people, sessions and money from the rows, activity from the counts in the same
 * statement. Windows are (from, today] as `after < day <= upto`.
 */
export function insertPlaces(today: string): RawBuilder<unknown> {
  const since = (days: number) => startOf(day(today, 1 - days))
  const until = startOf(day(today, 1))
  const inNow = sql`d.day > r.start and d.day <= r.today`
  const inBefore = sql`d.day > r.start - r.days and d.day <= r.start`
  return sql`
    with r as (select days, ${today}::date as today, ${today}::date - days as start from (values (7), (30), (90)) v (days)),
    places as (select id as zone from zones union all select 0),
    people as (
      select coalesce(c.zone_id, 0) as zone, case when c.joined_at >= ${since(MAX_RANGE_DAYS)} then ${dayOf(sql`c.joined_at`)} end as day,
        count(*) as n, count(*) filter (where ${isLocated}) as located, count(c.waiver_signed_at) as waivers, sum(c.credits) as credits
      from customers c where ${isUser} group by 1, 2),
    standing as (
      select zone, sum(n) as users, sum(located) as located, sum(waivers) as waivers, sum(credits) as credits from people group by 1),
    joins as (select r.days, d.zone, sum(d.n) filter (where ${inNow}) as n from r cross join people d group by 1, 2),
    held as (
      select b.zone_id as zone, ${dayOf(sql`b.starts_at`)} as day, count(*) as n, sum(b.rating) as stars, count(b.rating) as rated
      from bookings b where ${isCompleted} and b.starts_at >= ${since(2 * MAX_RANGE_DAYS)} and b.starts_at < ${until} group by 1, 2),
    sessions as (
      select r.days, d.zone, sum(n) filter (where ${inNow}) as n, sum(n) filter (where ${inBefore}) as n_before,
        sum(stars) filter (where ${inNow}) as stars, sum(stars) filter (where ${inBefore}) as stars_before,
        sum(rated) filter (where ${inNow}) as rated, sum(rated) filter (where ${inBefore}) as rated_before
      from r cross join held d group by 1, 2),
    made as (
      select b.zone_id as zone, ${dayOf(sql`b.created_at`)} as day, count(*) as n, count(*) filter (where ${isOpen}) as still
      from bookings b where b.created_at >= ${since(2 * MAX_RANGE_DAYS)} and b.created_at < ${until} group by 1, 2),
    bookings_made as (
      select r.days, d.zone, sum(n) filter (where ${inNow}) as n, sum(n) filter (where ${inBefore}) as n_before,
        sum(still) filter (where ${inNow}) as still
      from r cross join made d group by 1, 2),
    called_off as (
      select b.zone_id as zone, ${dayOf(sql`b.cancelled_at`)} as day, count(*) as n
      from bookings b where b.cancelled_at >= ${since(MAX_RANGE_DAYS)} and b.cancelled_at < ${until} group by 1, 2),
    cancelled as (select r.days, d.zone, sum(n) filter (where ${inNow}) as n from r cross join called_off d group by 1, 2),
    money as (
      select coalesce(${zoneOfPayment}, 0) as zone, ${dayOf(sql`t.created_at`)} as day, sum(t.amount) as amount
      from ${payments} where ${isRevenue} and t.created_at >= ${since(2 * MAX_RANGE_DAYS)} and t.created_at < ${until} group by 1, 2),
    revenue as (
      select r.days, d.zone, sum(amount) filter (where ${inNow}) as amount, sum(amount) filter (where ${inBefore}) as amount_before
      from r cross join money d group by 1, 2),
    pay as (
      select coalesce(${zoneOfPayout}, 0) as zone, p.work_date as day, p.type, sum(p.amount) as amount, count(*) as n
      from ${payouts} where ${isPayout} and p.work_date > ${day(today, -2 * MAX_RANGE_DAYS)} and p.work_date <= ${today}::date group by 1, 2, 3),
    paid as (
      select days, zone, jsonb_object_agg(type, jsonb_build_object('total', amount::text, 'count', n)) filter (where n > 0) as payouts,
        sum(amount_before) as amount_before
      from (select r.days, d.zone, d.type, coalesce(sum(amount) filter (where ${inNow}), 0) as amount,
          coalesce(sum(n) filter (where ${inNow}), 0) as n, coalesce(sum(amount) filter (where ${inBefore}), 0) as amount_before
        from r cross join pay d group by 1, 2, 3) x group by 1, 2),
    earned as (
      select coalesce(c.zone_id, 0) as zone, ${dayOf(sql`e.created_at`)} as day, sum(e.delta) as n
      from credit_entries e join customers c on c.id = e.customer_id
      where ${isUser} and e.created_at >= ${since(MAX_RANGE_DAYS)} group by 1, 2),
    credited as (select r.days, d.zone, sum(n) filter (where d.day > r.start) as n from r cross join earned d group by 1, 2),
    stirring as (
      select r.days, d.zone,
        sum(d.n) filter (where ${isActiveOn(sql`r.today`, sql`r.days`)}) as active,
        sum(d.n) filter (where ${isActiveOn(sql`r.start`, sql`r.days`)}) as active_before,
        sum(d.n) filter (where ${isChurnedOn(sql`r.today`, sql`r.days`)}) as churned,
        sum(d.n) filter (where ${isChurnedOn(sql`r.start`, sql`r.days`)}) as churned_before
      from r cross join (${activityByZone}) d group by 1, 2),
    team as (
      select r.days, coalesce(s.zone_id, 0) as zone, count(*) filter (where s.status = 'active') as n,
        count(*) filter (where s.trained_at < ${startOf(sql`r.start + 1`)}
          and (s.deactivated_at is null or s.deactivated_at >= ${startOf(sql`r.start + 1`)})) as n_before
      from r cross join stretchers s group by 1, 2)
    insert into growth_places (range_days, zone_id, users, users_before, located, waivers, active, active_before, churned,
      churned_before, sessions, sessions_before, booked, bookings, bookings_before, cancelled, revenue, revenue_before,
      stretchers, stretchers_before, rating_sum, rating_count, rating_sum_before, rating_count_before, credits,
      credits_before, payouts, payouts_before)
    select r.days, p.zone, coalesce(st.users, 0), coalesce(st.users, 0) - coalesce(j.n, 0), coalesce(st.located, 0),
      coalesce(st.waivers, 0), coalesce(a.active, 0), coalesce(a.active_before, 0), coalesce(a.churned, 0),
      coalesce(a.churned_before, 0), coalesce(se.n, 0), coalesce(se.n_before, 0), coalesce(bm.still, 0), coalesce(bm.n, 0),
      coalesce(bm.n_before, 0), coalesce(ca.n, 0), coalesce(re.amount, 0), coalesce(re.amount_before, 0), coalesce(te.n, 0),
      coalesce(te.n_before, 0), coalesce(se.stars, 0), coalesce(se.rated, 0), coalesce(se.stars_before, 0),
      coalesce(se.rated_before, 0), coalesce(st.credits, 0), coalesce(st.credits, 0) - coalesce(cr.n, 0),
      coalesce(pd.payouts, '{}'), coalesce(pd.amount_before, 0)
    from r cross join places p
    left join standing st on st.zone = p.zone
    left join joins j on j.days = r.days and j.zone = p.zone
    left join sessions se on se.days = r.days and se.zone = p.zone
    left join bookings_made bm on bm.days = r.days and bm.zone = p.zone
    left join cancelled ca on ca.days = r.days and ca.zone = p.zone
    left join revenue re on re.days = r.days and re.zone = p.zone
    left join paid pd on pd.days = r.days and pd.zone = p.zone
    left join credited cr on cr.days = r.days and cr.zone = p.zone
    left join stirring a on a.days = r.days and a.zone = p.zone
    left join team te on te.days = r.days and te.zone = p.zone`
}
