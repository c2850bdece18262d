import { HOUR } from '@limber/server/platform/clock.ts'
import type { Db } from '@limber/server/platform/db/db.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Story } from '../chapter.ts'

/** Referred people without a ticket, so that nothing else tells of them under an older name; the newest first. */
const referred = (also: RawBuilder<unknown>) => sql`
  select c.id, r.id as by from customers c join customers r on r.id = c.referred_by_customer_id
  where c.merged_into_id is null and c.erased_at is null and ${also}
    and not exists (select from tickets t where t.customer_id = c.id) and not exists (select from leads l where l.customer_id = c.id)
  order by c.joined_at desc, c.id`

async function change(
  db: Db,
  people: RawBuilder<unknown>,
  place: { skip: number; take: number },
  set: RawBuilder<unknown>,
) {
  const { rows } = await sql<{ id: number }>`
    update customers c set ${set}
    from (select * from (${people}) q offset ${place.skip} limit ${place.take}) p join customers r on r.id = p.by
    where c.id = p.id returning c.id`.execute(db)
  return rows.map(({ id }) => Number(id))
}

const VISITORS = sql`exists (select from bookings b where b.customer_id = c.id and b.status = 'completed')`
// Whoever moved in with a friend still has the stretchers of that zone.
const NEIGHBOURS = sql`${VISITORS} and r.zone_id = c.zone_id and r.address_line is not null`
const BURST = 6

/** People who share a phone, an address or a name with whoever brought them, and six who came in one evening. */
export async function tellSuspicious({ db, copy, calendar }: Story, staff: readonly number[]) {
  const people = referred(VISITORS)
  const phones = await change(db, people, { skip: 0, take: 3 }, sql`phone = r.phone`)
  const homes = await change(
    db,
    referred(NEIGHBOURS),
    { skip: 3, take: 3 },
    sql`address_line = r.address_line, city = r.city, state = r.state, postal_code = r.postal_code,
      latitude = r.latitude, longitude = r.longitude`,
  )
  const selves = await change(
    db,
    referred(sql`not ${VISITORS}`),
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
    { customer_id: homes[0], decision: 'approved', reason: 'Roommates. Both confirmed by phone.' },
    { customer_id: selves[0], decision: 'rejected', reason: 'Second account of the same person.' },
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
  // Nobody is judged before they came.
  const judgedAt = (customer: number | undefined, usual: Date) => {
    const came = joined.find(({ id }) => id === customer)?.joined_at ?? usual
    return new Date(Math.min(calendar.now.getTime(), Math.max(usual.getTime(), came.getTime() + 3 * HOUR)))
  }
  await copy(
    'referral_reviews',
    decided.map((row, index) => ({
      id: index + 1,
      ...row,
      worker_id: staff[0] ?? null,
      created_at: judgedAt(row.customer_id, calendar.at(-index - 1, 14 * 60)),
    })),
  )
}
