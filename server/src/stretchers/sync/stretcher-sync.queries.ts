import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { columnsOf, type RowChange } from '#platform/sync/columns.queries.ts'

/** What a batch may write, as the table has it. */
export type SyncedStretcher = Pick<
  Row<'stretchers'>,
  | 'customer_id'
  | 'zone_id'
  | 'first_name'
  | 'last_name'
  | 'email'
  | 'date_of_birth'
  | 'status'
  | 'hired_at'
  | 'trained_at'
  | 'deactivated_at'
  | 'deactivated_reason'
  | 'deactivated_by'
>

export interface LockedStretcher extends SyncedStretcher {
  id: number
  /** On-site sessions that have not started yet. */
  onsite: number
}

export const stretcherColumns = columnsOf<SyncedStretcher>('stretchers', {
  customer_id: 'bigint',
  zone_id: 'bigint',
  first_name: 'text',
  last_name: 'text',
  email: 'text',
  date_of_birth: 'date',
  status: 'text',
  hired_at: 'timestamptz',
  trained_at: 'timestamptz',
  deactivated_at: 'timestamptz',
  deactivated_reason: 'text',
  deactivated_by: 'bigint',
})
const { list } = stretcherColumns

/** The accounts of stretchers. */
export async function findAccountIds(db: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ customer_id: number }>`
    select customer_id from stretchers where id = any(${ids}::bigint[])`.execute(db)
  return rows.map(({ customer_id }) => customer_id)
}

/** Locks the stretchers who have these accounts, in the order of their ids. Scheduling and screens wait. */
export async function lockStretchers(db: Db, customerIds: readonly number[], now: Date): Promise<LockedStretcher[]> {
  if (customerIds.length === 0) return []
  const { rows: locked } = await sql<{ id: number }>`
    select id from stretchers where customer_id = any(${customerIds}::bigint[]) order by id for no key update`.execute(
    db,
  )
  // A statement of its own: sessions that were scheduled while this one waited count.
  const { rows } = await sql<LockedStretcher>`
    select id, ${list}, (select count(*) from onsite_sessions o
      where o.stretcher_id = s.id and o.starts_at > ${now} and o.cancelled_at is null) as onsite
    from stretchers s where id = any(${locked.map(({ id }) => id)}::bigint[])`.execute(db)
  return rows
}

/** Locks zones against deletion. Returns those that exist. */
export async function keepZones(db: Db, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    select id from zones where id = any(${ids}::bigint[]) order by id for key share`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Writes what differs in these stretchers. */
export const updateStretchers = (db: Db, changes: readonly RowChange<SyncedStretcher>[]) =>
  stretcherColumns.update(db, changes, sql`version = t.version + 1`)

export type StretcherRow = Pick<
  Row<'stretchers'>,
  | 'id'
  | 'customer_id'
  | 'first_name'
  | 'last_name'
  | 'email'
  | 'date_of_birth'
  | 'hired_at'
  | 'trained_at'
  | 'deactivated_at'
  | 'status'
  | 'zone_id'
> & { phone: string | null }

export async function findStretcherRecords(db: Db, ids: readonly number[]): Promise<StretcherRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<StretcherRow>`
    select s.id, s.customer_id, s.first_name, s.last_name, s.email, c.phone, s.date_of_birth, s.hired_at, s.trained_at,
      s.deactivated_at, s.status, s.zone_id
    from stretchers s join customers c on c.id = s.customer_id where s.id = any(${ids}::bigint[])`.execute(db)
  return rows
}

/** Stretchers with the phone number of their account. */
export async function findWithPhone(db: Db, ids: readonly number[]) {
  const phones = new Map((await findStretcherRecords(db, ids)).map(({ id, phone }) => [id, phone]))
  return (await stretcherColumns.find(db, ids)).map((row) => ({ ...row, phone: phones.get(row.id) ?? null }))
}

export const removeStretchers = (db: Db, ids: readonly number[]) =>
  sql`delete from stretchers where id = any(${ids}::bigint[])`.execute(db)

/** Accounts that were opened when these people were hired. */
export async function findOwnAccounts(db: Db, stretchers: readonly { customer_id: number; hired_at: Date }[]) {
  const { rows } = await sql<{ id: number }>`
    select c.id from customers c join jsonb_to_recordset(${JSON.stringify(stretchers)}::jsonb)
      as s(customer_id bigint, hired_at timestamptz) on s.customer_id = c.id
    where date_trunc('milliseconds', c.joined_at) = s.hired_at and c.version = 1`.execute(db)
  return rows.map(({ id }) => id)
}
