import { randomBytes } from 'node:crypto'
import type { CertificationFilter, CertificationSort } from '@limber/contract/certifications/certification.ts'
import { sql } from 'kysely'
import { customersMatching } from '#platform/db/customers-matching.ts'
import type { Db, Row } from '#platform/db/db.ts'
import { encodeShortId, SHORT_ID_BYTES } from './certification.rules.ts'
import { isValidOn } from './validity.queries.ts'

export interface CertificationRecord
  extends Omit<Row<'certifications'>, 'revoked_by' | 'issued_by' | 'created_at' | 'search_text'> {
  first_name: string
  last_name: string
  email: string
  type_name: string
  type_description: string
  revoked_by: string | null
  issued_by: string | null
}

const columns = sql`k.id, k.short_id, k.customer_id, c.first_name, c.last_name, c.email, k.type_id, t.name as type_name,
  t.description as type_description, k.name, k.instructor, k.issued_on, k.valid_until, k.revoked_at, k.revoke_reason,
  r.name as revoked_by, k.first_opened_at, i.name as issued_by, k.version`
const joins = sql`join customers c on c.id = k.customer_id join certification_types t on t.id = k.type_id
  left join workers r on r.id = k.revoked_by left join workers i on i.id = k.issued_by`

export async function findCertification(db: Db, id: number): Promise<CertificationRecord | undefined> {
  const { rows } = await sql<CertificationRecord>`
    select ${columns} from certifications k ${joins} where k.id = ${id}`.execute(db)
  return rows[0]
}

export async function findByShortId(db: Db, shortId: string): Promise<CertificationRecord | undefined> {
  const { rows } = await sql<CertificationRecord>`
    select ${columns} from certifications k ${joins} where k.short_id = ${shortId}`.execute(db)
  return rows[0]
}

/** Locks the certification until the transaction ends. */
export async function lockCertification(db: Db, id: number): Promise<CertificationRecord | undefined> {
  await sql`select from certifications where id = ${id} for update`.execute(db)
  return findCertification(db, id)
}

interface Page {
  /** A LIKE pattern. Undefined matches all. */
  pattern: string | undefined
  status: CertificationFilter
  typeId: number | undefined
  userId: number | undefined
  sort: CertificationSort
  order: 'asc' | 'desc'
  today: string
  /** The last day that counts as expiring soon. */
  soon: string
  limit: number
  offset: number
}

const filters = {
  all: () => sql`true`,
  valid: ({ today }: Page) => isValidOn('k', today),
  expiring: ({ today, soon }: Page) =>
    sql`k.revoked_at is null and k.valid_until between ${today}::date and ${soon}::date`,
  expired: ({ today }: Page) => sql`k.revoked_at is null and k.valid_until < ${today}::date`,
  revoked: () => sql`k.revoked_at is not null`,
}

const keys: Record<CertificationSort, string> = {
  issued: 'issued_on',
  until: 'valid_until',
  user: 'person',
  type: 'kind',
}

/** One page and the total in one statement. Matches are materialized before sorting. */
export async function findCertifications(db: Db, page: Page) {
  const { pattern, typeId, userId, limit, offset } = page
  const found =
    pattern === undefined
      ? sql`true`
      : sql`(k.search_text like lower(${pattern}) or k.customer_id in (select id from customers where search_text like lower(${pattern})))`
  const ofType = typeId === undefined ? sql`true` : sql`k.type_id = ${typeId}`
  const ofUser = userId === undefined ? sql`true` : sql`k.customer_id = ${userId}`
  const direction = sql.raw(page.order)
  const order = (from: string) =>
    sql`${sql.ref(`${from}.${keys[page.sort]}`)} ${direction} nulls last, ${sql.ref(`${from}.id`)} ${direction}`
  const { rows } = await sql<{ total: number } & (CertificationRecord | { id: null })>`
    with matches as materialized (
      select k.id, k.issued_on, k.valid_until, lower(c.first_name || ' ' || c.last_name) as person, lower(t.name) as kind
      from certifications k join customers c on c.id = k.customer_id join certification_types t on t.id = k.type_id
      where ${found} and ${filters[page.status](page)} and ${ofType} and ${ofUser}
    ), page as (select * from matches m order by ${order('m')} limit ${limit} offset ${offset})
    select n.total, ${columns}
    from (select count(*) as total from matches) n
    left join page p on true
    left join certifications k on k.id = p.id
    left join customers c on c.id = k.customer_id left join certification_types t on t.id = k.type_id
    left join workers r on r.id = k.revoked_by left join workers i on i.id = k.issued_by
    order by ${order('p')}`.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.filter((row): row is { total: number } & CertificationRecord => row.id !== null),
  }
}

export interface StatusCounts {
  valid: number
  expiring: number
  expired: number
  revoked: number
}

/** Counts all certifications, regardless of the filter. */
export async function countByStatus(db: Db, today: string, soon: string): Promise<StatusCounts> {
  const { rows } = await sql<StatusCounts>`
    select count(*) filter (where ${isValidOn('k', today)}) as valid,
      count(*) filter (where k.revoked_at is null and k.valid_until between ${today}::date and ${soon}::date) as expiring,
      count(*) filter (where k.revoked_at is null and k.valid_until < ${today}::date) as expired,
      count(*) filter (where k.revoked_at is not null) as revoked
    from certifications k`.execute(db)
  return rows[0] ?? { valid: 0, expiring: 0, expired: 0, revoked: 0 }
}

export type CertificationDraft = Pick<
  Row<'certifications'>,
  'customer_id' | 'type_id' | 'name' | 'instructor' | 'issued_on' | 'valid_until'
>

export const insertCertification = async (db: Db, draft: CertificationDraft, issued_by: number, now: Date) =>
  (
    await db
      .insertInto('certifications')
      .values({
        ...draft,
        short_id: encodeShortId(randomBytes(SHORT_ID_BYTES)),
        issued_by,
        created_at: now,
        revoked_at: null,
        revoke_reason: null,
        revoked_by: null,
        first_opened_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

interface Revocation {
  revoked_at: Date
  revoke_reason: string
  revoked_by: number
}

export const saveCertification = (db: Db, id: number, change: CertificationDraft | Revocation) =>
  db
    .updateTable('certifications')
    .set({ ...change, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()

export const removeCertification = (db: Db, id: number) =>
  db.deleteFrom('certifications').where('id', '=', id).execute()

/** Records the first opening of the link. Returns whether the certification still exists. */
export async function recordOpened(db: Db, id: number, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update certifications set first_opened_at = coalesce(first_opened_at, ${now}) where id = ${id}`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

/** Whether the account can receive a certification. Locks it against a concurrent merge or erasure. */
export async function lockHolder(db: Db, id: number): Promise<'open' | 'closed' | undefined> {
  const { rows } = await sql<{ is_closed: boolean }>`
    select merged_into_id is not null or erased_at is not null as is_closed from customers where id = ${id} for share`.execute(
    db,
  )
  const [user] = rows
  return user && (user.is_closed ? 'closed' : 'open')
}

export async function findRevokedIds(db: Db, from: number, to: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from certifications where revoked_at is not null and id >= ${from} and id < ${to}`.execute(db)
  return rows.map(({ id }) => id)
}

export interface HolderRow extends Pick<Row<'customers'>, 'id' | 'first_name' | 'last_name' | 'email'> {
  is_stretcher: boolean
}

/** Users by text or id, stretchers first. A very common text returns only some of them. */
export async function findHolderRows(db: Db, wanted: { search: string; id: number | undefined; limit: number }) {
  const { rows } = await sql<HolderRow>`
    with matches as materialized (${customersMatching(wanted.search)} union select ${wanted.id ?? 0}::bigint)
    select c.id, c.first_name, c.last_name, c.email, s.id is not null as is_stretcher
    from matches m join customers c on c.id = m.id left join stretchers s on s.customer_id = c.id
    where c.merged_into_id is null and c.erased_at is null
    order by (c.id = ${wanted.id ?? 0}) desc, is_stretcher desc, lower(c.first_name || ' ' || c.last_name), c.id
    limit ${wanted.limit}`.execute(db)
  return rows
}

export interface DueRecord {
  user_id: number
  user_name: string
  type_id: number
  type_name: string
  completed_at: Date
}

/**
 * Stretchers who completed every course of a type after the last certification of it was issued to them, and who hold no
 * valid one.
 */
export async function findDue(db: Db, today: string, limit: number): Promise<DueRecord[]> {
  const { rows } = await sql<DueRecord>`
    select c.id as user_id, c.first_name || ' ' || c.last_name as user_name, t.id as type_id, t.name as type_name, d.completed_at
    from (
      select n.type_id, e.customer_id, max(e.completed_at) as completed_at
      from certification_courses n
      join training_enrolments e on e.course_id = n.course_id and e.completed_at is not null
      join stretchers s on s.customer_id = e.customer_id and s.status <> 'inactive'
      group by 1, 2
      having count(*) = (select count(*) from certification_courses a where a.type_id = n.type_id)) d
    join certification_types t on t.id = d.type_id and t.retired_at is null
    join customers c on c.id = d.customer_id and c.merged_into_id is null and c.erased_at is null
    where not exists (
      select from certifications k where k.customer_id = d.customer_id and k.type_id = d.type_id
        and (${isValidOn('k', today)} or k.created_at >= d.completed_at))
    order by d.completed_at, c.id, t.id limit ${limit}`.execute(db)
  return rows
}

export interface RenewalRecord {
  id: number
  user_id: number
  user_name: string
  type_id: number
  type_name: string
  is_required: boolean
  valid_until: string
}

/**
 * The certifications of stretchers that end by a day, or ended, without a longer one of the same type. Those that are not
 * required count until some days after their end.
 */
export async function findRenewals(
  db: Db,
  { today, soon, since, limit }: { today: string; soon: string; since: string; limit: number },
): Promise<RenewalRecord[]> {
  const { rows } = await sql<RenewalRecord>`
    select k.id, c.id as user_id, c.first_name || ' ' || c.last_name as user_name, t.id as type_id, t.name as type_name,
      t.is_required, k.valid_until
    from stretchers s
    join customers c on c.id = s.customer_id and c.merged_into_id is null and c.erased_at is null
    join certifications k on k.customer_id = c.id and k.revoked_at is null and k.valid_until <= ${soon}::date
    join certification_types t on t.id = k.type_id and t.retired_at is null
    where s.status <> 'inactive' and (t.is_required or k.valid_until >= ${since}::date) and not exists (
      select from certifications longer where longer.customer_id = k.customer_id and longer.type_id = k.type_id
        and longer.revoked_at is null and (longer.valid_until is null or (longer.valid_until, longer.id) > (k.valid_until, k.id)))
    order by (t.is_required and k.valid_until < ${today}::date) desc, abs(k.valid_until - ${today}::date), c.id, t.id
    limit ${limit}`.execute(db)
  return rows
}
