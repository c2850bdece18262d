import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

const LIST_LOCK = 7_214_041

export interface EmailRow {
  id: number
  email: string
  version: number
}

interface Page {
  /** Part of an address in lowercase; undefined matches all. */
  part: string | undefined
  limit: number
  offset: number
}

type PageRow = { total: number; matches: number } & (EmailRow | { id: null })

/** Reads the whole list along its index. */
const wholeList = (businessId: number, { limit, offset }: Page) => sql<PageRow>`
  with total as (select kept_count('business ' || ${businessId}::bigint, 'emails') as total)
  select t.total, t.total as matches, e.id, e.email, e.version
  from total t
  left join (
    select id, email, version from business_emails where business_id = ${businessId}
    order by email limit ${limit} offset ${offset}) e on true
  order by e.email`

/** One pass counts the list and finds the matches; a substring search is twice as fast as LIKE. */
const matchesOf = (businessId: number, part: string, { limit, offset }: Page) => sql<PageRow>`
  with pass as materialized (
    select count(*) as total, coalesce(array_agg(id) filter (where strpos(email, ${part}) > 0), '{}') as ids
    from business_emails where business_id = ${businessId})
  select p.total, cardinality(p.ids) as matches, e.id, e.email, e.version
  from pass p
  left join (
    select id, email, version from business_emails where id = any((select ids from pass)::bigint[])
    order by email limit ${limit} offset ${offset}) e on true
  order by e.email`

/** One sorted page of a list, with the number of matches and the total, in one statement. */
export async function findEmails(db: Db, businessId: number, page: Page) {
  const query = page.part === undefined ? wholeList(businessId, page) : matchesOf(businessId, page.part, page)
  const { rows } = await query.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    matches: rows[0]?.matches ?? 0,
    rows: rows.filter((row): row is PageRow & EmailRow => row.id !== null),
  }
}

/** The next addresses of a list that contain a part, after the given one, along its index. */
export const findEmailsAfter = (db: Db, businessId: number, part: string | undefined, after: string, limit: number) =>
  db
    .selectFrom('business_emails')
    .select(['id', 'email', 'version'])
    .where('business_id', '=', businessId)
    .where('email', '>', after)
    .where(part === undefined ? sql<boolean>`true` : sql<boolean>`strpos(email, ${part}) > 0`)
    .orderBy('email')
    .limit(limit)
    .execute()

/**
 * Serializes long changes to one list: two uploads give the union, and a reset runs before or after an upload, never in
 * the middle of one. They can wait for each other longer than other statements.
 */
export async function lockList(db: Db, businessId: number) {
  await sql`set local lock_timeout = '60s'`.execute(db)
  await sql`set local statement_timeout = '60s'`.execute(db)
  await sql`select pg_advisory_xact_lock(${LIST_LOCK}, (${businessId}::bigint % 2147483647)::int)`.execute(db)
}

/** Adds the addresses that are not on the list; returns how many it added. */
export async function insertEmails(db: Db, businessId: number, addresses: readonly string[], now: Date) {
  const { numAffectedRows } = await sql`
    insert into business_emails (business_id, email, created_at)
    select ${businessId}, unnest(${addresses}::text[]), ${now}
    on conflict on constraint business_emails_once do nothing`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** The given addresses that are on the list. */
export async function findKnown(db: Db, businessId: number, addresses: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select email from business_emails where business_id = ${businessId} and email = any(${addresses}::text[])`.execute(
    db,
  )
  return rows.map(({ email }) => email)
}

export interface LockedEmail extends EmailRow {
  business_id: number
}

export const lockEmail = (db: Db, id: number): Promise<LockedEmail | undefined> =>
  db
    .selectFrom('business_emails')
    .select(['id', 'business_id', 'email', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/** Changes an address; undefined when it is already on the list. */
export async function saveEmail(db: Db, { id, business_id }: LockedEmail, email: string) {
  const { rows } = await sql<EmailRow>`
    update business_emails set email = ${email}, version = version + 1
    where id = ${id} and not exists (
      select from business_emails o where o.business_id = ${business_id} and o.email = ${email} and o.id <> ${id})
    returning id, email, version`.execute(db)
  return rows[0]
}

export const removeEmail = (db: Db, id: number): Promise<LockedEmail | undefined> =>
  db
    .deleteFrom('business_emails')
    .where('id', '=', id)
    .returning(['id', 'business_id', 'email', 'version'])
    .executeTakeFirst()

export async function removeAllEmails(db: Db, businessId: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('business_emails')
    .where('business_id', '=', businessId)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
