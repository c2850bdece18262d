import { sql } from 'kysely'
import { type Db, inTransaction } from '#platform/db.ts'
import { LIVE_CHANNEL } from '#platform/notify.ts'
import {
  activitySpans,
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
import { GROWTH_TOPIC } from './topic.ts'

const LOCK = 7_214_090

/** Runs on one snapshot as the only refresher; nothing when another process is at it. */
export const asRefresher = <T>(db: Db, run: (tx: Db) => Promise<T>): Promise<T | undefined> =>
  inTransaction(
    db,
    async (tx) => {
      // Many millions of rows may take longer than a call is given.
      await sql`set local statement_timeout = '15min'`.execute(tx)
      await sql`set local work_mem = '64MB'`.execute(tx)
      const lock = await sql<{ isOurs: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as "isOurs"`.execute(tx)
      return lock.rows[0]?.isOurs ? run(tx) : undefined
    },
    { isolation: 'repeatable read' },
  )

const sources = [
  'customers',
  'bookings',
  'customer_transactions',
  'credit_entries',
  'payroll_entries',
  'stretchers',
  'zones',
  'referral_reviews',
]

/** How much was written to the tables behind the figures, as the database counts it anyway: nobody pays for the watching. */
export async function readSignature(db: Db): Promise<string> {
  const { rows } = await sql<{ signature: string }>`
    select coalesce(string_agg(relname || ':' || n_tup_ins || ':' || n_tup_upd || ':' || n_tup_del, ' ' order by relname), '') as signature
    from pg_stat_user_tables where relname = any(${sources}) and schemaname = current_schema()`.execute(db)
  return rows[0]?.signature ?? ''
}

export const readState = (db: Db) =>
  db.selectFrom('growth_state').select(['day', 'refreshed_at', 'took_ms', 'signature']).executeTakeFirst()

export const putState = (db: Db, state: { day: string; refreshed_at: Date; took_ms: number; signature: string }) =>
  db
    .insertInto('growth_state')
    .values(state)
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet(state))
    .execute()

/** The longest range, and the days that three windows of it reach back: churn of the range before looks that far. */
const LONGEST = 90
const REACH = 3 * LONGEST

/** Zone figures of all ranges, from the rows themselves. Windows are (from, today] as `after < day <= upto`. */
export async function fillPlaces(db: Db, today: string) {
  await sql`delete from growth_places`.execute(db)
  const since = (days: number) => startOf(day(today, 1 - days))
  const until = startOf(day(today, 1))
  const inNow = sql`d.day > r.start and d.day <= r.today`
  const inBefore = sql`d.day > r.start - r.days and d.day <= r.start`
  await sql`
    with r as (select days, ${today}::date as today, ${today}::date - days as start from (values (7), (30), (90)) v (days)),
    places as (select id as zone from zones union all select 0),
    users as materialized (
      select c.id, coalesce(c.zone_id, 0) as zone, ${dayOf(sql`c.joined_at`)} as joined, c.credits,
        (${isLocated})::int as located, (c.waiver_signed_at is not null)::int as waived
      from customers c where ${isUser}),
    standing as (
      select zone, count(*) as users, sum(located) as located, sum(waived) as waivers, sum(credits) as credits from users group by 1),
    joined as (select zone, joined as day, count(*) as n from users where joined > ${day(today, -LONGEST)} group by 1, 2),
    joins as (select r.days, d.zone, sum(d.n) filter (where ${inNow}) as n from r cross join joined d group by 1, 2),
    held as (
      select b.zone_id as zone, ${dayOf(sql`b.starts_at`)} as day, count(*) as n, sum(b.rating) as stars, count(b.rating) as rated
      from bookings b where ${isCompleted} and b.starts_at >= ${since(2 * LONGEST)} and b.starts_at < ${until} group by 1, 2),
    sessions as (
      select r.days, d.zone, sum(n) filter (where ${inNow}) as n, sum(n) filter (where ${inBefore}) as n_before,
        sum(stars) filter (where ${inNow}) as stars, sum(stars) filter (where ${inBefore}) as stars_before,
        sum(rated) filter (where ${inNow}) as rated, sum(rated) filter (where ${inBefore}) as rated_before
      from r cross join held d group by 1, 2),
    made as (
      select b.zone_id as zone, ${dayOf(sql`b.created_at`)} as day, count(*) as n, count(*) filter (where ${isOpen}) as still
      from bookings b where b.created_at >= ${since(2 * LONGEST)} and b.created_at < ${until} group by 1, 2),
    bookings_made as (
      select r.days, d.zone, sum(n) filter (where ${inNow}) as n, sum(n) filter (where ${inBefore}) as n_before,
        sum(still) filter (where ${inNow}) as still
      from r cross join made d group by 1, 2),
    called_off as (
      select b.zone_id as zone, ${dayOf(sql`b.cancelled_at`)} as day, count(*) as n
      from bookings b where b.cancelled_at >= ${since(LONGEST)} and b.cancelled_at < ${until} group by 1, 2),
    cancelled as (select r.days, d.zone, sum(n) filter (where ${inNow}) as n from r cross join called_off d group by 1, 2),
    money as (
      select coalesce(${zoneOfPayment}, 0) as zone, ${dayOf(sql`t.created_at`)} as day, sum(t.amount) as amount
      from ${payments} where ${isRevenue} and t.created_at >= ${since(2 * LONGEST)} and t.created_at < ${until} group by 1, 2),
    revenue as (
      select r.days, d.zone, sum(amount) filter (where ${inNow}) as amount, sum(amount) filter (where ${inBefore}) as amount_before
      from r cross join money d group by 1, 2),
    pay as (
      select coalesce(${zoneOfPayout}, 0) as zone, p.work_date as day, p.type, sum(p.amount) as amount, count(*) as n
      from ${payouts} where ${isPayout} and p.work_date > ${day(today, -2 * LONGEST)} and p.work_date <= ${today}::date group by 1, 2, 3),
    paid as (
      select days, zone, jsonb_object_agg(type, jsonb_build_object('total', amount::text, 'count', n)) filter (where n > 0) as payouts,
        sum(amount_before) as amount_before
      from (select r.days, d.zone, d.type, coalesce(sum(amount) filter (where ${inNow}), 0) as amount,
          coalesce(sum(n) filter (where ${inNow}), 0) as n, coalesce(sum(amount) filter (where ${inBefore}), 0) as amount_before
        from r cross join pay d group by 1, 2, 3) x group by 1, 2),
    earned as (
      select u.zone, ${dayOf(sql`e.created_at`)} as day, sum(e.delta) as n
      from credit_entries e join users u on u.id = e.customer_id where e.created_at >= ${since(LONGEST)} group by 1, 2),
    credited as (select r.days, d.zone, sum(n) filter (where d.day > r.start) as n from r cross join earned d group by 1, 2),
    spans as (
      select u.zone, a.day, a.next
      from (${activitySpans({ from: day(today, 1 - REACH), to: day(today) })}) a join users u on u.id = a.customer_id),
    activity as (
      select r.days, d.zone,
        count(*) filter (where ${isActiveOn(sql`r.today`, sql`r.days`)}) as active,
        count(*) filter (where ${isActiveOn(sql`r.start`, sql`r.days`)}) as active_before,
        count(*) filter (where ${isChurnedOn(sql`r.today`, sql`r.days`)}) as churned,
        count(*) filter (where ${isChurnedOn(sql`r.start`, sql`r.days`)}) as churned_before
      from r join spans d on d.day > r.start - 2 * r.days group by 1, 2),
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
    left join activity a on a.days = r.days and a.zone = p.zone
    left join team te on te.days = r.days and te.zone = p.zone`.execute(db)
}

/** The course of the last 90 days. Churn of a day begins when a silence grows long enough and ends when it is broken or older. */
export async function fillDays(db: Db, today: string) {
  await sql`delete from growth_days`.execute(db)
  await sql`
    with days as (select generate_series(${day(today, 1 - LONGEST)}, ${today}::date, interval '1 day')::date as day),
    joined as (
      select ${dayOf(sql`c.joined_at`)} as day, count(*) as n from customers c
      where ${isUser} and c.joined_at >= ${startOf(day(today, 1 - LONGEST))} group by 1),
    made as (
      select ${dayOf(sql`b.created_at`)} as day, count(*) as n from bookings b
      where b.created_at >= ${startOf(day(today, 1 - LONGEST))} group by 1),
    spans as materialized (
      select a.day, a.next from (${activitySpans({ from: day(today, 1 - REACH), to: day(today) })}) a
      join customers c on c.id = a.customer_id where ${isUser}),
    steps as (
      select r.days, x.at as day, sum(x.step) as step
      from (values (7), (30), (90)) r (days) cross join spans s
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
    group by d.day, j.n, m.n`.execute(db)
}

export const tellScreens = (db: Db) =>
  sql`select pg_notify(${LIVE_CHANNEL}, ${JSON.stringify({ topic: GROWTH_TOPIC })})`.execute(db)
