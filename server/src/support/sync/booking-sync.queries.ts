import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { columnsOf, inPlace, placed } from './columns.queries.ts'

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
>
export type BookingRow = SyncedBooking & { id: number }

export const bookingColumns = columnsOf<SyncedBooking>({
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
})
const { list, recordType, assignments } = bookingColumns

export async function findBookings(db: Db, ids: readonly number[]): Promise<BookingRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<BookingRow>`select id, ${list} from bookings where id = any(${ids}::bigint[])`.execute(db)
  return rows
}

/** Locks bookings in the order of their ids. */
export async function lockBookings(db: Db, ids: readonly number[]): Promise<Map<number, BookingRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<BookingRow>`
    select id, ${list} from bookings where id = any(${ids}::bigint[]) order by id for no key update`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export interface ReferredStretcher {
  id: number
  zone_id: number | null
  status: Row<'stretchers'>['status']
}

/** The stretchers that items name. They are not deactivated until the transaction ends. */
export async function lockReferredStretchers(db: Db, ids: readonly number[]): Promise<Map<number, ReferredStretcher>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<ReferredStretcher>`
    select id, zone_id, status from stretchers where id = any(${ids}::bigint[]) order by id for share`.execute(db)
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

/** Inserts bookings and returns their ids in the order given. */
export async function insertBookings(db: Db, rows: readonly SyncedBooking[]): Promise<number[]> {
  const { rows: made } = await sql<{ at: number; id: number }>`
    with r as materialized (
      select nextval(pg_get_serial_sequence('bookings', 'id')) as id, r.*
      from jsonb_to_recordset(${placed(rows)}::jsonb) as r(at int, ${recordType})
    ), made as (insert into bookings (id, ${list}) select id, ${list} from r order by at)
    select at, id from r`.execute(db)
  return inPlace(made)
}

/** Writes all synced columns of these bookings. */
export const updateBookings = (db: Db, rows: readonly BookingRow[]) =>
  sql`
    update bookings b set ${assignments}, version = b.version + 1
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id bigint, ${recordType})
    where b.id = r.id`.execute(db)
