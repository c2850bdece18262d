import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { isSuppressedSql } from '#platform/mail/suppressions.ts'
import { columnsOf, type RowChange } from '#platform/sync/columns.queries.ts'

/** What a batch may write, as the table has it. */
export type SyncedCustomer = Pick<
  Row<'customers'>,
  | 'first_name'
  | 'last_name'
  | 'email'
  | 'phone'
  | 'joined_at'
  | 'last_login_at'
  | 'email_verified_at'
  | 'waiver_signed_at'
  | 'customer_type'
  | 'value_tier'
  | 'lifecycle_stage'
  | 'engagement_score'
  | 'points'
  | 'total_points_earned'
  | 'rank'
  | 'address_line'
  | 'city'
  | 'state'
  | 'postal_code'
  | 'latitude'
  | 'longitude'
  | 'zone_id'
  | 'zone_precision'
  | 'referred_by_customer_id'
  | 'referred_by_stretcher_id'
  | 'referred_by_worker_id'
  | 'corrected_at'
>

export interface LockedCustomerRow extends SyncedCustomer {
  id: number
  merged_into_id: number | null
  erased_at: Date | null
  is_stretcher: boolean
}

export const customerColumns = columnsOf<SyncedCustomer>('customers', {
  first_name: 'text',
  last_name: 'text',
  email: 'text',
  phone: 'text',
  joined_at: 'timestamptz',
  last_login_at: 'timestamptz',
  email_verified_at: 'timestamptz',
  waiver_signed_at: 'timestamptz',
  customer_type: 'text',
  value_tier: 'text',
  lifecycle_stage: 'text',
  engagement_score: 'int',
  points: 'int',
  total_points_earned: 'int',
  rank: 'text',
  address_line: 'text',
  city: 'text',
  state: 'text',
  postal_code: 'text',
  latitude: 'float8',
  longitude: 'float8',
  zone_id: 'bigint',
  zone_precision: 'text',
  referred_by_customer_id: 'bigint',
  referred_by_stretcher_id: 'bigint',
  referred_by_worker_id: 'bigint',
  corrected_at: 'jsonb',
})
const { list } = customerColumns

/**
 * Locks accounts in the order of their ids, and those that they were merged into. An account may be merged while its lock
 * is awaited: what it was merged into is known only afterwards.
 */
export async function lockCustomers(db: Db, ids: readonly number[]): Promise<Map<number, LockedCustomerRow>> {
  const locked = new Map<number, LockedCustomerRow>()
  for (let wanted = ids; wanted.length > 0; ) {
    const { rows } = await sql<LockedCustomerRow>`
      select id, merged_into_id, erased_at, ${list},
        exists (select from stretchers s where s.customer_id = customers.id) as is_stretcher
      from customers where id = any(${wanted}::bigint[]) order by id for no key update of customers`.execute(db)
    for (const row of rows) locked.set(row.id, row)
    wanted = rows.flatMap(({ merged_into_id: into }) => (into === null || locked.has(into) ? [] : into))
  }
  return locked
}

export async function findWorkersByEmail(db: Db, emails: readonly string[]): Promise<Map<string, number>> {
  if (emails.length === 0) return new Map()
  const rows = await db.selectFrom('workers').select(['id', 'email']).where('email', 'in', emails).execute()
  return new Map(rows.map((row) => [row.email, row.id]))
}

/** Writes what differs in these accounts. */
export const updateCustomers = (db: Db, changes: readonly RowChange<SyncedCustomer>[]) =>
  customerColumns.update(db, changes, sql`version = t.version + 1`)

/** Deletes accounts. Tickets that were attached when the account was opened stay without one. */
export async function removeCustomers(db: Db, ids: readonly number[]) {
  await sql`
    update tickets t set customer_id = null from record_changes c
    where t.customer_id = any(${ids}::bigint[]) and c.resource = 'customers' and c.record_id = t.customer_id
      and t.created_at < c.changed_at`.execute(db)
  await sql`delete from customers where id = any(${ids}::bigint[])`.execute(db)
}

export interface CustomerRecordRow extends Omit<SyncedCustomer, 'corrected_at'> {
  id: number
  credits: number
  blocked_at: Date | null
  referred_by_worker_email: string | null
  is_opted_out: boolean
}

export async function findCustomerRecords(db: Db, ids: readonly number[]): Promise<CustomerRecordRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<CustomerRecordRow>`
    select id, credits, blocked_at, ${list},
      (select w.email from workers w where w.id = referred_by_worker_id) as referred_by_worker_email,
      ${isSuppressedSql('mail', sql.ref('customers.email'))} as is_opted_out
    from customers where id = any(${ids}::bigint[])`.execute(db)
  return rows
}
