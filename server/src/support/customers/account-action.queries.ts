import { type ContactChange, contactFieldNames } from '@limber/contract/support/customers/account.ts'
import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { eraseConflict } from './erase.queries.ts'

/** Locks an account for a change. */
export async function lockCustomer(db: Db, id: number) {
  return db
    .selectFrom('customers as c')
    .select([
      'c.id',
      'c.first_name',
      'c.last_name',
      'c.email',
      'c.phone',
      'c.credits',
      'c.blocked_at',
      'c.email_verified_at',
      'c.verification_sent_at',
      'c.merged_into_id',
      'c.erased_at',
      'c.version',
    ])
    .select(sql<boolean>`exists (select from stretchers where customer_id = c.id)`.as('is_stretcher'))
    .select(eraseConflict.as('erase_conflict'))
    .where('c.id', '=', id)
    .forNoKeyUpdate('c')
    .executeTakeFirst()
}
export type LockedCustomer = NonNullable<Awaited<ReturnType<typeof lockCustomer>>>

export const findContact = (db: Db, id: number) =>
  db
    .selectFrom('customers')
    .select([...contactFieldNames, 'version'])
    .where('id', '=', id)
    .executeTakeFirst()

const nextVersion = sql<number>`version + 1`

export const setBlocked = (db: Db, id: number, blocked_at: Date | null, blocked_reason: string | null) =>
  db.updateTable('customers').set({ blocked_at, blocked_reason, version: nextVersion }).where('id', '=', id).execute()

/** Adds a ledger entry; a trigger updates the balance. */
export const insertCredit = (
  db: Db,
  entry: { customer_id: number; delta: number; worker_id: number; reason: string; created_at: Date },
) =>
  db
    .insertInto('credit_entries')
    .values({ ...entry, kind: entry.delta > 0 ? 'grant' : 'removal', booking_id: null, transaction_id: null })
    .execute()

/** Writes contact fields. Other systems do not overwrite those that changed with older values. */
export const saveContact = (db: Db, before: LockedCustomer, contact: ContactChange, now: Date) => {
  const changed = contactFieldNames.filter((name) => contact[name] !== before[name])
  const corrected = Object.fromEntries(changed.map((name) => [name, now.toISOString()]))
  return db
    .updateTable('customers')
    .set({
      ...contact,
      version: nextVersion,
      corrected_at: sql<string>`corrected_at || ${JSON.stringify(corrected)}::jsonb`,
      ...(changed.includes('email') && { email_verified_at: null, verification_sent_at: null }),
    })
    .where('id', '=', before.id)
    .execute()
}

/** Points an account's open tickets, and replies to them, to its new address. Returns the ids of those that had the old one. */
export async function moveOpenTickets(db: Db, id: number, from: string, to: string): Promise<number[]> {
  await sql`update ticket_messages set sender = ${to} where sender = ${from} and ticket_id in (
    select id from tickets where customer_id = ${id} and status <> 'closed')`.execute(db)
  const moved = await db
    .updateTable('tickets')
    .set({ customer_email: to })
    .where('customer_id', '=', id)
    .where('customer_email', '=', from)
    .where('status', '<>', 'closed')
    .returning('id')
    .execute()
  return moved.map((ticket) => ticket.id)
}

/** Whether another account or another person's stretcher record has the address. */
export async function isEmailTaken(db: Db, email: string, except: number): Promise<boolean> {
  const { rows } = await sql<{ is_taken: boolean }>`
    select exists (select from customers where email = ${email} and id <> ${except})
      or exists (select from stretchers where email = ${email} and customer_id <> ${except}) as is_taken`.execute(db)
  return rows[0]?.is_taken ?? false
}

export const setVerificationSent = (db: Db, id: number, at: Date) =>
  db.updateTable('customers').set({ verification_sent_at: at, version: nextVersion }).where('id', '=', id).execute()

export interface Duplicate
  extends Pick<Row<'customers'>, 'id' | 'first_name' | 'last_name' | 'email' | 'phone' | 'joined_at' | 'credits'> {
  bookings: number
  is_same_phone: boolean
}

/** Limit per criterion: very common names have thousands of accounts. */
const MAX_NAMESAKES = 100

/** Accounts with the same phone or the same name, without closed ones. */
export async function findDuplicates(db: Db, id: number): Promise<Duplicate[]> {
  const { rows } = await sql<Duplicate>`
    with own as (select * from customers where id = ${id}), near as (
      (select c.id from own join customers c on c.phone = own.phone limit ${sql.lit(MAX_NAMESAKES)})
      union (select c.id from own join customers c on lower(c.first_name) = lower(own.first_name) and lower(c.last_name) = lower(own.last_name)
        limit ${sql.lit(MAX_NAMESAKES)}))
    select c.id, c.first_name, c.last_name, c.email, c.phone, c.joined_at, c.credits,
      (select count(*)::int from bookings where customer_id = c.id) as bookings, coalesce(c.phone = own.phone, false) as is_same_phone
    from near join customers c on c.id = near.id cross join own
    where c.id <> ${id} and c.merged_into_id is null and c.erased_at is null
    order by is_same_phone desc, c.joined_at desc limit 20`.execute(db)
  return rows
}

export interface MovedCounts {
  bookings: number
  transactions: number
  tickets: number
  notes: number
}

/** Moves the records of a duplicate. Ledger entries cannot move; two new entries carry the balance over. */
export async function moveRecords(db: Db, from: number, into: number): Promise<MovedCounts> {
  const { rows } = await sql<MovedCounts>`
    with b as (update bookings set customer_id = ${into}, version = version + 1 where customer_id = ${from} returning 1),
    t as (update customer_transactions set customer_id = ${into} where customer_id = ${from} returning 1),
    k as (update tickets set customer_id = ${into} where customer_id = ${from} returning 1),
    n as (update customer_notes set customer_id = ${into} where customer_id = ${from} returning 1),
    w as (update rewards set customer_id = ${into} where customer_id = ${from}),
    e as (update email_logs set customer_id = ${into} where customer_id = ${from}),
    r as (update customers set referred_by_customer_id = ${into} where referred_by_customer_id = ${from} and id <> ${into})
    select (select count(*)::int from b) as bookings, (select count(*)::int from t) as transactions,
      (select count(*)::int from k) as tickets, (select count(*)::int from n) as notes`.execute(db)
  const [moved] = rows
  if (!moved) throw new Error('Nothing was moved.')
  return moved
}

/** Closes a duplicate and adds its points and logins to the other account. */
export async function closeDuplicate(db: Db, from: number, into: number, now: Date) {
  await sql`
    with gone as (
      update customers set merged_into_id = ${into}, blocked_at = coalesce(blocked_at, ${now}),
        blocked_reason = coalesce(blocked_reason, ${`Merged into customer ${into}`}), version = version + 1
      where id = ${from} returning points, total_points_earned, total_logins, last_login_at)
    update customers c set points = c.points + g.points, total_points_earned = c.total_points_earned + g.total_points_earned,
      total_logins = c.total_logins + g.total_logins, last_login_at = greatest(c.last_login_at, case when g.last_login_at >= c.joined_at then g.last_login_at end),
      version = c.version + 1
    from gone g where c.id = ${into}`.execute(db)
}

export const countUpcomingBookings = async (db: Db, id: number, now: Date): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from bookings
    where customer_id = ${id} and starts_at > ${now} and status in ('requested', 'confirmed')`.execute(db)
  return rows[0]?.count ?? 0
}
