import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

interface AccountRow {
  bookings: { id: number; startsAt: string; status: string; stretcher: string | null; isRequested: boolean }[]
  payments: { id: number; createdAt: string; type: string; amount: string }[]
}

/** The next bookings that can still be moved or canceled, and the newest payments that can be refunded. */
export async function findAccount(db: Db, customerId: number, now: Date): Promise<AccountRow> {
  const { rows } = await sql<AccountRow>`
    select (select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'startsAt', b.starts_at, 'status', b.status,
          'stretcher', b.stretcher, 'isRequested', b.is_requested) order by b.starts_at), '[]') from (
        select b.id, b.starts_at, b.status, s.first_name || ' ' || s.last_name as stretcher,
          exists (select from ticket_tasks t
            where t.booking_id = b.id and t.booking_starts_at = b.starts_at and t.done_at is null) as is_requested
        from bookings b left join stretchers s on s.id = b.stretcher_id
        where b.customer_id = ${customerId} and b.starts_at > ${now} and b.status in ('requested', 'confirmed')
        order by b.starts_at limit 5) b) as bookings,
      (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'createdAt', p.created_at, 'type', p.transaction_type,
          'amount', p.amount::text) order by p.created_at desc), '[]') from (
        select id, created_at, transaction_type, amount from customer_transactions
        where customer_id = ${customerId} and status = 'completed' and amount > 0
        order by created_at desc limit 10) p) as payments`.execute(db)
  return rows[0] ?? { bookings: [], payments: [] }
}

/** A booking of a customer that can still be changed. Until the commit nobody can delete it. */
export const lockUpcoming = (db: Db, id: number, customerId: number, now: Date) =>
  db
    .selectFrom('bookings')
    .select(['id', 'starts_at'])
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .where('starts_at', '>', now)
    .where('status', 'in', ['requested', 'confirmed'])
    .forKeyShare()
    .executeTakeFirst()

/** Whether a change of the booking was requested that the app has not made yet. */
export const hasOpenRequest = async (db: Db, bookingId: number): Promise<boolean> =>
  (await db
    .selectFrom('ticket_tasks as t')
    .innerJoin('bookings as b', 'b.id', 't.booking_id')
    .select('t.id')
    .where('t.booking_id', '=', bookingId)
    .where('t.done_at', 'is', null)
    .whereRef('b.starts_at', '=', 't.booking_starts_at')
    .executeTakeFirst()) !== undefined

export const findPayment = (db: Db, id: number, customerId: number) =>
  db
    .selectFrom('customer_transactions')
    .select(['id', 'amount', 'created_at'])
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .where('status', '=', 'completed')
    .where('amount', '>', '0')
    .executeTakeFirst()
