import type { Db } from '@limber/server/platform/db/db.ts'
import { sql } from 'kysely'
import type { RecordedEvent } from './traffic.ts'

/** Actions of customers that left a record, in the order of time, so that usage figures match the records. */
export async function findRecordedEvents(db: Db, from: Date, to: Date): Promise<RecordedEvent[]> {
  const { rows } = await sql<RecordedEvent>`
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
