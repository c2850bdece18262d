import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { isCompleted, isRevenue, isUser } from '../figures/measure.queries.ts'
import { rewardsDue } from '../figures/result-sources.queries.ts'

/** This many referrals by one referrer within a day before or after are a burst. */
const BURST_SIZE = 5

const isReferred = sql<boolean>`num_nonnulls(c.referred_by_customer_id, c.referred_by_stretcher_id, c.referred_by_worker_id) > 0`

/** The address without the parts that do not change where email goes: a +tag, and dots before the @. */
const bareEmail = (column: string) => {
  const email = sql.ref(column)
  return sql<string>`replace(regexp_replace(split_part(${email}, '@', 1), '\\+.*$', ''), '.', '') || '@' || split_part(${email}, '@', 2)`
}

const home = (table: string) =>
  sql<string | null>`lower(btrim(${sql.ref(`${table}.address_line`)})) || '|' || ${sql.ref(`${table}.postal_code`)}`

/** The current facts about every referral; `reasons` says why one is suspicious. */
const referralRows = sql`
  with people as materialized (
    select c.id, c.joined_at, c.phone, ${home('c')} as home, ${bareEmail('c.email')} as mail,
      case when c.referred_by_customer_id is not null then 'user'
        when c.referred_by_stretcher_id is not null then 'stretcher' else 'worker' end as kind,
      coalesce(c.referred_by_customer_id, c.referred_by_stretcher_id, c.referred_by_worker_id) as referrer_id,
      coalesce(c.referred_by_customer_id, s.customer_id) as account_id, w.email as worker_email
    from customers c
    left join stretchers s on s.id = c.referred_by_stretcher_id
    left join workers w on w.id = c.referred_by_worker_id
    where ${isUser} and ${isReferred}),
  booked as (
    select b.customer_id, min(b.created_at) as booked_at, min(b.starts_at) filter (where ${isCompleted}) as converted_at
    from bookings b where b.customer_id in (select id from people) group by 1),
  paid as (
    select t.customer_id, sum(t.amount) as earnings from customer_transactions t
    where ${isRevenue} and t.customer_id in (select id from people) group by 1),
  seen as (
    select p.*, r.id as referrer_account, r.phone as referrer_phone, ${home('r')} as referrer_home,
      coalesce(${bareEmail('r.email')}, ${bareEmail('p.worker_email')}) as referrer_mail,
      count(*) filter (where p.phone is not null) over (partition by p.kind, p.referrer_id, p.phone) as with_phone,
      count(*) filter (where p.home is not null) over (partition by p.kind, p.referrer_id, p.home) as with_home,
      count(*) over (partition by p.kind, p.referrer_id order by p.joined_at
        range between interval '24 hours' preceding and interval '24 hours' following) as near
    from people p left join customers r on r.id = p.account_id)
  select v.id, v.kind, v.referrer_id, v.joined_at, k.booked_at, k.converted_at, coalesce(m.earnings, 0) as earnings,
    array_remove(array[
      case when v.referrer_account = v.id or v.referrer_mail = v.mail then 'self_referral' end,
      case when v.phone = v.referrer_phone or v.with_phone > 1 then 'same_phone' end,
      case when v.home = v.referrer_home or v.with_home > 1 then 'same_address' end,
      case when v.near >= ${BURST_SIZE} then 'burst' end], null) as reasons
  from seen v left join booked k on k.customer_id = v.id left join paid m on m.customer_id = v.id`

/** Stores what changed since the last run. Unchanged referrals are not written again. */
export async function fillReferrals(db: Db) {
  await sql`delete from referrals r where not exists (
    select from customers c where c.id = r.customer_id and ${isUser} and ${isReferred})`.execute(db)
  await sql`
    insert into referrals as r (customer_id, kind, referrer_id, joined_at, booked_at, converted_at, earnings, reasons)
    ${referralRows}
    on conflict (customer_id) do update set kind = excluded.kind, referrer_id = excluded.referrer_id,
      joined_at = excluded.joined_at, booked_at = excluded.booked_at, converted_at = excluded.converted_at,
      earnings = excluded.earnings, reasons = excluded.reasons
    where (r.kind, r.referrer_id, r.joined_at, r.booked_at, r.converted_at, r.earnings, r.reasons) is distinct from
      (excluded.kind, excluded.referrer_id, excluded.joined_at, excluded.booked_at, excluded.converted_at,
        excluded.earnings, excluded.reasons)`.execute(db)
  await fillReferralFigures(db)
}

async function fillReferralFigures(db: Db) {
  await sql`delete from referral_figures`.execute(db)
  await sql`
    with decided as (select distinct on (customer_id) customer_id, decision from referral_reviews order by customer_id, id desc),
    rows as materialized (
      select r.*, r.converted_at is not null as is_converted, d.decision
      from referrals r left join decided d on d.customer_id = r.customer_id),
    by_referrer as (
      select kind, referrer_id, count(*) as people, sum(earnings) as earnings from rows group by 1, 2),
    due as (select coalesce(sum(d.due), 0) as n from (${rewardsDue}) d),
    users as (select count(*) as n from customers c where ${isUser})
    insert into referral_figures (total_users, natural_growth, stretcher_refs, worker_refs, user_refs, pending, converted,
      total_earnings, stored_earnings, redeemable, top_referrer_count, top_earner_total, booked_by_stretchers,
      booked_by_workers, booked_by_users, to_review)
    select (select n from users), (select n from users) - count(*), count(*) filter (where kind = 'stretcher'),
      count(*) filter (where kind = 'worker'), count(*) filter (where kind = 'user'),
      count(*) filter (where not is_converted), count(*) filter (where is_converted), coalesce(sum(earnings), 0),
      coalesce(sum(earnings) filter (where not is_converted), 0), (select n from due),
      coalesce((select max(people) from by_referrer), 0), coalesce((select max(earnings) from by_referrer), 0),
      count(*) filter (where kind = 'stretcher' and booked_at is not null),
      count(*) filter (where kind = 'worker' and booked_at is not null),
      count(*) filter (where kind = 'user' and booked_at is not null),
      count(*) filter (where reasons <> '{}' and decision is null)
    from rows`.execute(db)
}
