import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { columnsOf, type RowChange } from '#platform/sync/columns.queries.ts'

/** What a batch may write, as the table has it. */
export type SyncedBooking = Pick<
  Row<'bookings'>,
  | 'customer_id'
  | 'stretcher_id'
  | 'zone_id'
  | 'starts_at'
  | 'ends_at'
  | 'status'
  | 'price'
  | 'credits_used'
  | 'rating'
  | 'rating_attributes'
  | 'rated_at'
  | 'feedback'
  | 'feedback_at'
  | 'cancelled_at'
  | 'cancel_reason'
  | 'created_at'
  | 'makes_wages'
>
export type BookingRow = SyncedBooking & { id: number }

export const bookingColumns = columnsOf<SyncedBooking>('bookings', {
  customer_id: 'bigint',
  stretcher_id: 'bigint',
  zone_id: 'bigint',
  starts_at: 'timestamptz',
  ends_at: 'timestamptz',
  status: 'text',
  price: 'numeric',
  credits_used: 'int',
  rating: 'int',
  rating_attributes: 'text[]',
  rated_at: 'timestamptz',
  feedback: 'text',
  feedback_at: 'timestamptz',
  cancelled_at: 'timestamptz',
  cancel_reason: 'text',
  created_at: 'timestamptz',
  makes_wages: 'boolean',
})

export interface ReferredStretcher {
  id: number
  customer_id: number
  zone_id: number | null
  status: Row<'stretchers'>['status']
}

/** The stretchers that items name. They are not deactivated until the transaction ends. */
export async function lockReferredStretchers(db: Db, ids: readonly number[]): Promise<Map<number, ReferredStretcher>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<ReferredStretcher>`
    select id, customer_id, zone_id, status from stretchers where id = any(${ids}::bigint[]) order by id for share`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** The stretchers of bookings, which do not name them again. */
export async function findReferredStretchers(db: Db, ids: readonly number[]): Promise<Map<number, ReferredStretcher>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('stretchers')
    .select(['id', 'customer_id', 'zone_id', 'status'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Which of these zones exist. They are not deleted until the transaction ends. */
export async function lockZones(db: Db, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    select id from zones where id = any(${ids}::bigint[]) order by id for key share`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

interface TakenTime {
  at: number
  stretcher_id: number
  starts_at: Date
  ends_at: Date
  /** Only a session ahead must be clear of on-site sessions. */
  is_ahead: boolean
}

/** Which of these times a stretcher has given to another booking, except these, or to an on-site session. */
export async function findTaken(db: Db, times: readonly TakenTime[], except: readonly number[]) {
  const { rows } = await sql<{ at: number; is_booked: boolean; is_onsite: boolean }>`
    select at, is_booked, is_onsite
    from jsonb_to_recordset(${JSON.stringify(times)}::jsonb)
      as r(at int, stretcher_id bigint, starts_at timestamptz, ends_at timestamptz, is_ahead boolean)
    cross join lateral (select
      exists (select from bookings b where b.stretcher_id = r.stretcher_id
        and b.status in ('confirmed', 'in_progress', 'completed', 'no_show')
        and tstzrange(b.starts_at, b.ends_at) && tstzrange(r.starts_at, r.ends_at)
        and b.id <> all(${except}::bigint[])) as is_booked,
      r.is_ahead and exists (select from onsite_sessions o where o.stretcher_id = r.stretcher_id
        and o.cancelled_at is null
        and tstzrange(o.starts_at, o.ends_at) && tstzrange(r.starts_at, r.ends_at)) as is_onsite) found
    where is_booked or is_onsite`.execute(db)
  return rows
}

/** Writes what differs in these bookings. */
export const updateBookings = (db: Db, changes: readonly RowChange<SyncedBooking>[]) =>
  bookingColumns.update(db, changes, sql`version = t.version + 1`)

export const removeBookings = (db: Db, ids: readonly number[]) =>
  sql`delete from bookings where id = any(${ids}::bigint[])`.execute(db)
