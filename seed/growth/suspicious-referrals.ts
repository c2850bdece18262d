import { HOUR } from '@limber/server/platform/clock.ts'
import type { Db } from '@limber/server/platform/db/db.ts'
import { type RawBuilder, sql } from 'kysely'
import type { SeedContext } from '../seeder.ts'

/** Referred customers, newest first. Without tickets and leads, which would still show their old contact details. */
const referred = (also: RawBuilder<unknown>) => sql`
  select c.id, r.id as by from customers c join customers r on r.id = c.referred_by_customer_id
  where c.merged_into_id is null and c.erased_at is null and ${also}
    and not exists (select from tickets t where t.customer_id = c.id) and not exists (select from leads l where l.customer_id = c.id)
  order by c.joined_at desc, c.id`

async function change(
  db: Db,
  people: RawBuilder<unknown>,
  range: { skip: number; take: number },
  set: RawBuilder<unknown>,
) {
  const { rows } = await sql<{ id: number }>`
    update customers c set ${set}
    from (select * from (${people}) q offset ${range.skip} limit ${range.take}) p join customers r on r.id = p.by
    where c.id = p.id returning c.id`.execute(db)
  return rows.map(({ id }) => Number(id))
}

const HAS_SESSIONS = sql`exists (select from bookings b where b.customer_id = c.id and b.status = 'completed')`
// In the same zone, so that the stretchers of past sessions still fit the new address.
const SAME_ZONE = sql`${HAS_SESSIONS} and r.zone_id = c.zone_id and r.address_line is not null`
const BURST = 6

/** Customers who share a phone, address or email with their referrer, and six who signed up in one evening. */
export async function seedSuspiciousReferrals({ db, copy, calendar }: SeedContext, staff: readonly number[]) {
  const people = referred(HAS_SESSIONS)
  const phones = await change(db, people, { skip: 0, take: 3 }, sql`phone = r.phone`)
  const addresses = await change(
    db,
    referred(SAME_ZONE),
    { skip: 3, take: 3 },
    sql`address_line = r.address_line, city = r.city, state = r.state, postal_code = r.postal_code,
      latitude = r.latitude, longitude = r.longitude`,
  )
  const selfReferrals = await change(
    db,
    referred(sql`not ${HAS_SESSIONS}`),
    { skip: 0, take: 2 },
    sql`email = split_part(r.email, '@', 1) || '+' || c.id || '@' || split_part(r.email, '@', 2)`,
  )
  await sql`
    with crowd as (
      select c.id, row_number() over (order by c.joined_at, c.id) as n, min(c.joined_at) over () as first from (
        select c.* from customers c
        where num_nonnulls(c.referred_by_customer_id, c.referred_by_stretcher_id, c.referred_by_worker_id) = 0
          and c.merged_into_id is null and c.erased_at is null
          and not exists (select from bookings b where b.customer_id = c.id)
          and not exists (select from stretchers s where s.customer_id = c.id)
          and not exists (select from leads l where l.customer_id = c.id)
        order by c.joined_at desc, c.id limit ${BURST}) c)
    update customers c set joined_at = crowd.first - crowd.n * interval '25 minutes',
      referred_by_stretcher_id = (select min(id) from stretchers where status = 'active')
    from crowd where c.id = crowd.id`.execute(db)
  const decided = [
    { customer_id: phones[0], decision: 'approved', reason: 'Mother and daughter. Both attended their sessions.' },
    { customer_id: addresses[0], decision: 'approved', reason: 'Roommates. Both confirmed by phone.' },
    { customer_id: selfReferrals[0], decision: 'rejected', reason: 'Second account of the same person.' },
  ].filter(({ customer_id }) => customer_id !== undefined)
  if (decided.length === 0) return
  const joined = await db
    .selectFrom('customers')
    .select(['id', 'joined_at'])
    .where(
      'id',
      'in',
      decided.map(({ customer_id }) => Number(customer_id)),
    )
    .execute()
  // No review happens before the customer joined.
  const reviewedAt = (customer: number | undefined, usual: Date) => {
    const joinedAt = joined.find(({ id }) => id === customer)?.joined_at ?? usual
    return new Date(Math.min(calendar.now.getTime(), Math.max(usual.getTime(), joinedAt.getTime() + 3 * HOUR)))
  }
  await copy(
    'referral_reviews',
    decided.map((row, index) => ({
      id: index + 1,
      ...row,
      worker_id: staff[0] ?? null,
      created_at: reviewedAt(row.customer_id, calendar.at(-index - 1, 14 * 60)),
    })),
  )
}
