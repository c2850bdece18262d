import type { Db } from '@limber/server/platform/db/db.ts'
import { sql } from 'kysely'
import type { Trace } from './traffic.ts'

/** What customers did that the company has records of, in the order of time, so that its figures agree with them. */
export async function findTraces(db: Db, from: Date, to: Date): Promise<Trace[]> {
  const { rows } = await sql<Trace>`
    select t.at, t.customer, t.action, t.about, c.joined_at as joined from (
      select created_at as at, customer_id as customer, 'session_booked' as action, id as about from bookings
      union all select ends_at, customer_id, 'session_completed', id from bookings where status = 'completed'
      union all select cancelled_at, customer_id, 'session_cancelled', id from bookings where status = 'cancelled'
      union all select rated_at, customer_id, 'session_rated', id from bookings where rating is not null
      union all select created_at, customer_id, 'credit_purchased', id from customer_transactions
        where transaction_type = 'credit_purchase' and status = 'completed'
      union all select waiver_signed_at, id, 'waiver_signed', id from customers where waiver_signed_at is not null
    ) t join customers c on c.id = t.customer
    where t.at >= ${from} and t.at <= ${to} order by t.at, t.action, t.about`.execute(db)
  return rows
}
