import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'
import { columnsOf, placed, type RowChange } from '#platform/sync/columns.queries.ts'

/** What an import may write, as the table has it. */
export type ImportedBusiness = Pick<
  Row<'businesses'>,
  | 'name'
  | 'custom_path'
  | 'admin_email'
  | 'zone_id'
  | 'rep_name'
  | 'location'
  | 'kind'
  | 'stage'
  | 'pilot_ends_on'
  | 'renews_on'
  | 'ended_reason'
  | 'archived_at'
  | 'created_at'
>

export const businessColumns = columnsOf<ImportedBusiness>('businesses', {
  name: 'text',
  custom_path: 'text',
  admin_email: 'text',
  zone_id: 'bigint',
  rep_name: 'text',
  location: 'text',
  kind: 'text',
  stage: 'text',
  pilot_ends_on: 'date',
  renews_on: 'date',
  ended_reason: 'text',
  archived_at: 'timestamptz',
  created_at: 'timestamptz',
})

/** Adds businesses, each with its first note, and returns their ids in the order given. */
export const insertBusinesses = (db: Db, rows: readonly ImportedBusiness[], pilotNote: string, now: Date) =>
  businessColumns.insert(
    db,
    rows,
    (names) => sql`insert into businesses (id, ${names}) select id, ${names} from r order by at
    ), notes as (
      insert into business_notes (business_id, stage, note, created_at) select id, stage, case when stage = 'pending' then ${pilotNote} else 'Imported.' end, ${now} from r`,
  )

export const updateBusinesses = (db: Db, changes: readonly RowChange<ImportedBusiness>[]) =>
  businessColumns.update(db, changes, sql`version = t.version + 1`)

/** Deletes businesses that nobody uses: what belongs to one would be deleted with it. */
export async function removeBusinesses(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    delete from businesses b where id = any(${ids}::bigint[])
      and not exists (select from prepaid_blocks p where p.business_id = b.id)
      and not exists (select from business_emails e where e.business_id = b.id)
      and not exists (select from calendar_feeds f where f.business_id = b.id)
      and (select count(*) from business_notes n where n.business_id = b.id) = 1
    returning id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Zones by id. They are not deleted until the transaction ends. */
export async function keepTimeZones(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; time_zone: string }>`
    select id, time_zone from zones where id = any(${ids}::bigint[]) order by id for key share`.execute(db)
  return new Map(rows.map(({ id, time_zone }) => [id, time_zone]))
}

/** Businesses with sessions that run or are ahead. */
export async function findBusy(db: Db, ids: readonly number[], now: Date): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    select distinct business_id as id from onsite_sessions
    where business_id = any(${ids}::bigint[]) and cancelled_at is null and ends_at > ${now}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Businesses by custom path. They are not deleted until the transaction ends. */
export async function keepByPath(db: Db, paths: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; custom_path: string }>`
    select id, custom_path from businesses where custom_path = any(${paths}::text[]) order by id for key share`.execute(
    db,
  )
  return new Map(rows.map(({ id, custom_path }) => [custom_path, id]))
}

export interface Address {
  business_id: number
  email: string
}

/** Adds addresses to lists; says which row each has, and which of them are new. */
export async function addAddresses(db: Db, rows: readonly Address[], now: Date) {
  const { rows: found } = await sql<{ at: number; id: number; is_new: boolean }>`
    with r as (select * from jsonb_to_recordset(${placed(rows)}::jsonb) as r(at int, business_id bigint, email text)),
    added as (
      insert into business_emails (business_id, email, created_at)
      select business_id, email, ${now} from r order by business_id, email
      on conflict on constraint business_emails_once do nothing
      returning id, business_id, email)
    select r.at, coalesce(a.id, e.id) as id, a.id is not null as is_new from r
    left join added a using (business_id, email)
    left join business_emails e using (business_id, email)`.execute(db)
  return new Map(found.map(({ at, id, is_new }) => [at, { id, isNew: is_new }]))
}

/** Addresses with the custom path of their business, after an id. */
export const findAddressesAfter = (db: Db, after: number, limit: number) =>
  db
    .selectFrom('business_emails as e')
    .innerJoin('businesses as b', 'b.id', 'e.business_id')
    .select(['e.id', 'b.custom_path as business', 'e.email'])
    .where('e.id', '>', after)
    .orderBy('e.id')
    .limit(limit)
    .execute()

/** Takes addresses that nobody changed from their lists; returns those that were taken. */
export async function removeAddresses(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    delete from business_emails where id = any(${ids}::bigint[]) and version = 1 returning id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
