import {
  type Business,
  type BusinessField,
  businessFieldNames,
  type CreateBusiness,
} from '@limber/contract/businesses/business/business.ts'
import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'

export type Stage = Row<'businesses'>['stage']

export interface BusinessRecord extends Pick<Business, BusinessField> {
  id: number
  zone_name: string
  time_zone: string
  stage: Stage
  renews_on: string | null
  archived_at: Date | null
  version: number
}

const columns = sql`b.id, ${sql.join(businessFieldNames.map((name) => sql.ref(`b.${name}`)))}, z.name as zone_name, z.time_zone,
  b.stage, b.renews_on, b.archived_at, b.version`

export async function findBusiness(db: Db, id: number): Promise<BusinessRecord | undefined> {
  const { rows } = await sql<BusinessRecord>`
    select ${columns} from businesses b join zones z on z.id = b.zone_id where b.id = ${id}`.execute(db)
  return rows[0]
}

/** Locks the business against changes and deletion until the transaction ends. */
export async function lockBusiness(db: Db, id: number): Promise<BusinessRecord | undefined> {
  await sql`select from businesses where id = ${id} for update`.execute(db)
  return findBusiness(db, id)
}

/** Locks the business against deletion only. Others can still use it. */
export async function lockAgainstDeletion(db: Db, id: number): Promise<BusinessRecord | undefined> {
  const { rows } = await sql<BusinessRecord>`
    select ${columns} from businesses b join zones z on z.id = b.zone_id where b.id = ${id} for key share of b`.execute(
    db,
  )
  return rows[0]
}

interface Page {
  /** A LIKE pattern; undefined matches all. */
  pattern: string | undefined
  state: 'current' | 'archived' | 'all'
  now: Date
  limit: number
  offset: number
}

export interface BusinessListRow extends BusinessRecord {
  available_hours: number
  scheduled_sessions: number
}

const states = {
  current: sql`b.archived_at is null`,
  archived: sql`b.archived_at is not null`,
  all: sql`true`,
}

/** One page by name, with the number of matches and their hours, in one statement. */
export async function findBusinesses(db: Db, { pattern, state, now, limit, offset }: Page) {
  const found = pattern === undefined ? sql`true` : sql`b.search_text like lower(${pattern})`
  const { rows } = await sql<{ total: number; all_hours: number } & (BusinessListRow | { id: null })>`
    with matches as materialized (select b.id, lower(b.name) as word from businesses b where ${found} and ${states[state]}),
    hours as materialized (
      select p.business_id, sum(p.block_hours)::int as hours
      from prepaid_blocks p join businesses b on b.id = p.business_id join zones z on z.id = b.zone_id
      where p.business_id in (select id from matches) and p.used_at is null
        and (p.expires_on is null or p.expires_on >= (${now}::timestamptz at time zone z.time_zone)::date)
      group by p.business_id)
    select t.total, t.all_hours, ${columns}, coalesce(h.hours, 0) as available_hours,
      (select count(*) from onsite_sessions s where s.business_id = b.id and s.cancelled_at is null and s.starts_at > ${now}) as scheduled_sessions
    from (select (select count(*) from matches) as total, (select coalesce(sum(hours), 0)::int from hours) as all_hours) t
    left join (select id from matches order by word, id limit ${limit} offset ${offset}) page on true
    left join businesses b on b.id = page.id
    left join zones z on z.id = b.zone_id
    left join hours h on h.business_id = b.id
    order by lower(b.name), b.id`.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    hours: rows[0]?.all_hours ?? 0,
    rows: rows.filter((row): row is (typeof rows)[number] & BusinessListRow => row.id !== null),
  }
}

export type BusinessDraft = Pick<CreateBusiness, BusinessField>

/** Inserts a business in its pilot; undefined when the path is taken. */
export async function insertBusiness(db: Db, draft: BusinessDraft, pilotEndsOn: string, now: Date) {
  const row = await db
    .insertInto('businesses')
    .values({
      rep_name: null,
      location: null,
      renews_on: null,
      ended_reason: null,
      last_contact_at: null,
      archived_at: null,
      ...draft,
      pilot_ends_on: pilotEndsOn,
      created_at: now,
    })
    .onConflict((conflict) => conflict.constraint('businesses_custom_path_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export const isPathTaken = async (db: Db, path: string, except: number) =>
  (await db
    .selectFrom('businesses')
    .select('id')
    .where('custom_path', '=', path)
    .where('id', '<>', except)
    .executeTakeFirst()) !== undefined

export const saveBusiness = (db: Db, id: number, change: Partial<BusinessDraft> & { archived_at?: Date | null }) =>
  db
    .updateTable('businesses')
    .set({ ...change, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()

export interface BusinessUse {
  upcoming: number
  running: number
  /** The end of the last running session. */
  running_until: Date | null
  past: number
  cancelled: number
  blocks: number
  emails: number
}

/** Counts the records of a business. */
export async function countBusinessUse(db: Db, id: number, now: Date): Promise<BusinessUse> {
  const { rows } = await sql<BusinessUse>`
    with held as (
      select count(*) filter (where cancelled_at is null and starts_at > ${now}) as upcoming,
        count(*) filter (where cancelled_at is null and starts_at <= ${now} and ends_at > ${now}) as running,
        max(ends_at) filter (where cancelled_at is null and starts_at <= ${now} and ends_at > ${now}) as running_until,
        count(*) filter (where cancelled_at is null and ends_at <= ${now}) as past,
        count(*) filter (where cancelled_at is not null) as cancelled
      from onsite_sessions where business_id = ${id})
    select held.*,
      (select count(*) from prepaid_blocks where business_id = ${id}) as blocks,
      kept_count('business ' || ${id}::bigint, 'emails') as emails
    from held`.execute(db)
  return rows[0] ?? { upcoming: 0, running: 0, running_until: null, past: 0, cancelled: 0, blocks: 0, emails: 0 }
}

export const removeBusiness = (db: Db, id: number) => db.deleteFrom('businesses').where('id', '=', id).execute()

export const insertNote = (
  db: Db,
  note: { business_id: number; worker_id: number; stage: Stage | null; note: string; created_at: Date },
) => db.insertInto('business_notes').values(note).execute()
