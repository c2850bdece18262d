import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { isActivityIn, isCompleted, isRevenue, isUser, windowOf } from '../figures/measure.queries.ts'

const ACTIVE_DAYS = 30

/** Recalculates the results of each partnership, from the customers on its email list. */
export async function fillPartners(db: Db, today: string): Promise<void> {
  await sql`delete from growth_partners`.execute(db)
  await sql`
    with people as materialized (
      select e.business_id, c.id from business_emails e join customers c on c.email = e.email where ${isUser}),
    visits as (
      select p.business_id, count(*) filter (where ${isCompleted}) as n, sum(b.rating) filter (where ${isCompleted}) as stars,
        count(b.rating) filter (where ${isCompleted}) as rated,
        count(distinct p.id) filter (where ${isActivityIn(windowOf(today, ACTIVE_DAYS))}) as active
      from people p join bookings b on b.customer_id = p.id group by 1),
    paid as (
      select p.business_id, sum(t.amount) as amount from people p join customer_transactions t on t.customer_id = p.id
      where ${isRevenue} group by 1)
    insert into growth_partners (business_id, active_users, sessions, rating_sum, rating_count, revenue)
    select u.id, coalesce(v.active, 0), coalesce(v.n, 0), coalesce(v.stars, 0), coalesce(v.rated, 0), coalesce(m.amount, 0)
    from businesses u left join visits v on v.business_id = u.id left join paid m on m.business_id = u.id`.execute(db)
}
