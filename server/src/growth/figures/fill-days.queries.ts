import { type RawBuilder, sql } from 'kysely'
import { activityByDay, MAX_RANGE_DAYS } from '../overview/activity.queries.ts'
import { day, dayOf, isUser, startOf } from './measure.queries.ts'

/**
 * Fills the daily figures of the last 90 days. A customer counts as churned from the day the inactivity is long enough
 * until the next activity, or until the inactivity is twice as long.
 */
export function insertDays(today: string): RawBuilder<unknown> {
  return sql`
    with days as (select generate_series(${day(today, 1 - MAX_RANGE_DAYS)}, ${today}::date, interval '1 day')::date as day),
    joined as (
      select ${dayOf(sql`c.joined_at`)} as day, count(*) as n from customers c
      where ${isUser} and c.joined_at >= ${startOf(day(today, 1 - MAX_RANGE_DAYS))} group by 1),
    made as (
      select ${dayOf(sql`b.created_at`)} as day, count(*) as n from bookings b
      where b.created_at >= ${startOf(day(today, 1 - MAX_RANGE_DAYS))} group by 1),
    steps as (
      select r.days, x.at as day, sum(x.step * s.n) as step
      from (values (7), (30), (90)) r (days) cross join (${activityByDay}) s
      cross join lateral (values (s.day + r.days, 1), (least(s.day + 2 * r.days, s.next), -1)) x (at, step)
      where (s.next is null or s.next > s.day + r.days) and x.at <= ${today}::date group by 1, 2),
    churned as materialized (select days, day, sum(step) over (partition by days order by day) as n from steps),
    churn_of as (
      select d.day, r.days, (select n from churned c where c.days = r.days and c.day <= d.day order by c.day desc limit 1) as n
      from days d cross join (values (7), (30), (90)) r (days))
    insert into growth_days (day, joined, bookings, churned_7, churned_30, churned_90)
    select d.day, coalesce(j.n, 0), coalesce(m.n, 0),
      coalesce(sum(c.n) filter (where c.days = 7), 0), coalesce(sum(c.n) filter (where c.days = 30), 0),
      coalesce(sum(c.n) filter (where c.days = 90), 0)
    from days d left join joined j on j.day = d.day left join made m on m.day = d.day left join churn_of c on c.day = d.day
    group by d.day, j.n, m.n`
}
