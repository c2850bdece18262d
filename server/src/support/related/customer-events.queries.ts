import type { CustomerEvent } from '@limber/contract/support/related/related.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

/** What the reader may see of a customer. */
export interface EventRights {
  accounts: boolean
  texts: boolean
  tickets: boolean
}

interface Source {
  needs: (rights: EventRights) => boolean
  /** Rows of customer `c` as `at, kind, text, count, amount`, newest first, without the open ticket. */
  rows: (ticketId: number) => RawBuilder<unknown>
}

const ofAccount = ({ accounts }: EventRights) => accounts
const stretcher = sql`coalesce((select s.first_name || ' ' || s.last_name from stretchers s where s.id = b.stretcher_id), '')`

// Each source reads its newest rows by an index, so a new source adds to the cost but does not multiply it.
const sources: readonly Source[] = [
  {
    needs: ({ accounts, texts }) => accounts && texts,
    rows: () => sql`select t.sent_at, case when t.is_outgoing then 'text_out' else 'text_in' end, t.body, null::int, null::numeric
      from texts t where t.number = c.phone order by t.sent_at desc, t.id desc`,
  },
  {
    needs: ofAccount,
    rows: () => sql`select e.created_at, 'credits', case e.kind when 'purchase' then 'bought' when 'use' then 'used'
        when 'refund' then 'returned' when 'referral' then 'earned by a referral' when 'grant' then 'granted' else 'removed' end,
        abs(e.delta), null::numeric
      from credit_entries e where e.customer_id = c.id and e.kind in ('grant', 'removal', 'referral') order by e.created_at desc`,
  },
  {
    needs: ofAccount,
    rows: () => sql`select p.created_at, 'payment', case p.transaction_type when 'credit_purchase' then 'Bought ' || p.credits
          || case p.credits when 1 then ' credit' else ' credits' end
        when 'refund' then 'Refund' else 'Paid for a session' end, null::int, p.amount
      from customer_transactions p where p.customer_id = c.id and p.status = 'completed' order by p.created_at desc`,
  },
  {
    needs: ofAccount,
    rows: () => sql`select b.ends_at, 'session', ${stretcher}, null::int, null::numeric
      from bookings b where b.customer_id = c.id and b.status = 'completed' order by b.starts_at desc`,
  },
  {
    needs: ofAccount,
    rows: () => sql`select b.rated_at, 'rating', ${stretcher}, b.rating, null::numeric
      from bookings b where b.customer_id = c.id and b.rated_at is not null order by b.starts_at desc`,
  },
  {
    needs: ofAccount,
    rows: () => sql`select b.cancelled_at, 'canceled', ${stretcher}, null::int, null::numeric
      from bookings b where b.customer_id = c.id and b.status = 'cancelled' order by b.starts_at desc`,
  },
  {
    needs: ofAccount,
    rows: () => sql`select f.joined_at, 'referral', f.first_name || ' ' || f.last_name, null::int, null::numeric
      from customers f where f.referred_by_customer_id = c.id and f.erased_at is null and f.merged_into_id is null
      order by f.joined_at desc`,
  },
  {
    needs: ({ tickets }) => tickets,
    rows: (ticketId) => sql`select t.created_at, 'ticket', t.subject, null::int, null::numeric
      from tickets t where t.customer_id = c.id and t.merged_into_id is null and t.id <> ${ticketId} order by t.created_at desc`,
  },
]

interface EventRow {
  at: Date
  kind: CustomerEvent['kind']
  text: string
  count: number | null
  amount: string | null
}

/** The latest events of a customer from every source that the reader may see. */
export async function findCustomerEvents(
  db: Db,
  { customerId, ticketId }: { customerId: number; ticketId: number },
  rights: EventRights,
  limit: number,
): Promise<EventRow[]> {
  const allowed = sources.filter(({ needs }) => needs(rights))
  if (allowed.length === 0) return []
  const parts = allowed.map(({ rows }) => sql`(${rows(ticketId)} limit ${limit})`)
  const { rows } = await sql<EventRow>`
    select x.* from customers c cross join lateral (
      select e.at, e.kind, e.text, e.count, e.amount
      from (${sql.join(parts, sql` union all `)}) as e (at, kind, text, count, amount)
      where e.at is not null order by e.at desc limit ${limit}) x
    where c.id = ${customerId}`.execute(db)
  return rows
}

interface AccountRow {
  bookings: { id: number; startsAt: string; status: string; stretcher: string | null }[]
  payments: { id: number; createdAt: string; type: string; amount: string }[]
}

/** The next bookings that can still be moved or canceled, and the newest payments that can be refunded. */
export async function findAccount(db: Db, customerId: number, now: Date): Promise<AccountRow> {
  const { rows } = await sql<AccountRow>`
    select (select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'startsAt', b.starts_at, 'status', b.status,
          'stretcher', b.stretcher) order by b.starts_at), '[]') from (
        select b.id, b.starts_at, b.status, s.first_name || ' ' || s.last_name as stretcher
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
