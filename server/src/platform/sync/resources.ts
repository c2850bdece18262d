import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/db.ts'

/** The records that other systems exchange with us, each with the table that has one row per record. */
const tables = {
  customers: 'customers',
  bookings: 'bookings',
  transactions: 'customer_transactions',
  credits: 'credit_entries',
  rewards: 'rewards',
  stretchers: 'stretchers',
  zones: 'zones',
  businesses: 'businesses',
  sessions: 'onsite_sessions',
  participants: 'onsite_participants',
  certifications: 'certifications',
  leads: 'leads',
  referrals: 'referrals',
  tickets: 'tickets',
  'payroll/history': 'payroll_history',
  'allowed-emails': 'business_emails',
} as const

export type Resource = keyof typeof tables

const MERGEABLE: readonly Resource[] = ['customers', 'tickets']

/**
 * Which of these records exist, each with the record that stands for it: a merged customer or ticket is the one it was
 * merged into.
 */
export async function findRecords(db: Db, resource: Resource, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const table = sql.table(tables[resource])
  const { rows } = MERGEABLE.includes(resource)
    ? await sql<{ id: number; current: number }>`
        with recursive way as (
          select id, id as current, merged_into_id from ${table} where id = any(${ids}::bigint[])
          union all select way.id, t.id, t.merged_into_id from way join ${table} t on t.id = way.merged_into_id)
        select id, current from way where merged_into_id is null`.execute(db)
    : await sql<{ id: number; current: number }>`
        select id, id as current from ${table} where id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, current }) => [id, current]))
}

/** Records that neither stand for another one nor were erased. */
const living: Partial<Record<Resource, RawBuilder<unknown>>> = {
  customers: sql`and merged_into_id is null and erased_at is null`,
  tickets: sql`and merged_into_id is null`,
  leads: sql`and erased_at is null`,
}

/** The ids of records after one, in their order. */
export async function findIdsAfter(db: Db, resource: Resource, after: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(tables[resource])} where id > ${after} ${living[resource] ?? sql``}
    order by id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Kinds of records whose changes are not numbered. */
const UNNUMBERED: readonly Resource[] = ['allowed-emails']

/** The number of the last change of each record. A record with another number changed since. */
export async function findVersions(db: Db, resource: Resource, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  if (UNNUMBERED.includes(resource)) return new Map(ids.map((id) => [id, 0]))
  const { rows } = await sql<{ id: number; seq: number }>`
    select record_id as id, seq from record_changes
    where resource = ${resource} and record_id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, seq }) => [id, seq]))
}

/** The same of records that nobody can change until the transaction ends; missing ones are left out. */
export async function lockVersions(db: Db, resource: Resource, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(tables[resource])} where id = any(${ids}::bigint[]) order by id for no key update`.execute(
    db,
  )
  return findVersions(
    db,
    resource,
    rows.map(({ id }) => id),
  )
}

/** Whether the last change of a record, in a query that has its id and a number, is that number. */
export const isUnchangedSql = (resource: Resource, id: RawBuilder<unknown>, seq: RawBuilder<unknown>) =>
  UNNUMBERED.includes(resource)
    ? sql<boolean>`exists (select from ${sql.table(tables[resource])} t where t.id = ${id})`
    : sql<boolean>`exists (select from record_changes c where c.resource = ${sql.lit(resource)} and c.record_id = ${id}
        and c.seq = ${seq} and c.deleted_reason is null)`

/** The number of the changes of this transaction. */
export async function changeNumber(db: Db): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select change_seq() as seq`.execute(db)
  return rows[0]?.seq ?? 0
}
