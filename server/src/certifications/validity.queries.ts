import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

/** `YYYY-MM-DD`, or a SQL expression. */
type Day = string | RawBuilder<string>

/** Whether a certification, by its alias in the statement, is valid on a day. Every query uses this definition. */
export const isValidOn = (name: string, day: Day): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${name}.revoked_at`)} is null and (${sql.ref(`${name}.valid_until`)} is null or ${sql.ref(`${name}.valid_until`)} >= (${day})::date))`

/** The required types of which a user, by a column of the statement, has no valid certification on a day. */
const missingTypes = (customerId: string, day: Day) => sql`
  from certification_types required
  where required.is_required and required.retired_at is null and not exists (
    select from certifications held
    where held.customer_id = ${sql.ref(customerId)} and held.type_id = required.id and ${isValidOn('held', day)})`

/** Whether a user has a valid certification of every required type. True for everyone while no type is required. */
export const isCertified = (customerId: string, day: Day): RawBuilder<boolean> =>
  sql<boolean>`not exists (select ${missingTypes(customerId, day)})`

/** The last day on which a certified user stays certified. Null when none of their required certifications expires. */
export const certifiedUntil = (customerId: string): RawBuilder<string | null> => sql<string | null>`(
  select min(type.last_day) from (
    select case when bool_or(held.valid_until is null) then null else max(held.valid_until) end as last_day
    from certification_types required join certifications held on held.type_id = required.id
    where required.is_required and required.retired_at is null
      and held.customer_id = ${sql.ref(customerId)} and held.revoked_at is null
    group by required.id) type)`

export interface MissingCertification {
  certification: string
  /** The last valid day of the latest one. Null if there was none, or if the one still in force was revoked. */
  ended_on: string | null
}

/** The first required type, by name, that a user lacks on a day. */
export const firstMissing = (
  customerId: string,
  day: Day,
): RawBuilder<MissingCertification | null> => sql<MissingCertification | null>`(
  select jsonb_build_object('certification', required.name, 'ended_on', (
    select case when bool_or(past.revoked_at is not null and (past.valid_until is null or past.valid_until >= (${day})::date))
      then null else max(past.valid_until) filter (where past.revoked_at is null) end
    from certifications past where past.customer_id = ${sql.ref(customerId)} and past.type_id = required.id))
  ${missingTypes(customerId, day)} order by required.name limit 1)`

export interface RequiredCertification {
  type_id: number
  name: string
  is_valid: boolean
  /** The last day of the latest one that was not revoked. Null if there is none, or if it does not expire. */
  last_day: string | null
  /** The courses that the type needs, and when the user completed them. */
  courses: { id: string; courseName: string; completedAt: string | null }[]
}

/** Every required type, with the certifications of it that a user holds on a day. */
export async function findRequiredCertifications(db: Db, customerId: number, day: Day) {
  const { rows } = await sql<RequiredCertification>`
    select required.id as type_id, required.name, coalesce(bool_or(${isValidOn('held', day)}) filter (where held.id is not null), false) as is_valid,
      case when bool_or(held.valid_until is null) then null else max(held.valid_until) end as last_day,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', course.course_key, 'courseName', course.title,
          'completedAt', to_char(e.completed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by lower(course.title))
        from certification_courses n join training_courses course on course.id = n.course_id
        left join training_enrolments e on e.course_id = n.course_id and e.customer_id = ${customerId}
        where n.type_id = required.id), '[]') as courses
    from certification_types required
    left join certifications held
      on held.type_id = required.id and held.customer_id = ${customerId} and held.revoked_at is null
    where required.is_required and required.retired_at is null
    group by required.id order by lower(required.name)`.execute(db)
  return rows
}

/**
 * The last day on which each of these users has every required certification: null without an end, and nothing for those
 * who lack one. None of them is revoked until the transaction ends.
 */
export async function lockCertifiedUntil(
  db: Db,
  customerIds: readonly number[],
): Promise<{ of(customerId: number): string | null | undefined }> {
  const required = await db
    .selectFrom('certification_types')
    .select('id')
    .where('is_required', '=', true)
    .where('retired_at', 'is', null)
    .execute()
  if (required.length === 0) return { of: () => null }
  if (customerIds.length === 0) return { of: () => undefined }
  const { rows } = await sql<{ customer_id: number; type_id: number; valid_until: string | null }>`
    select customer_id, type_id, valid_until::text from certifications
    where customer_id = any(${customerIds}::bigint[]) and type_id = any(${required.map(({ id }) => id)}::bigint[])
      and revoked_at is null order by id for share`.execute(db)
  const byCustomer = Map.groupBy(rows, (row) => row.customer_id)
  const of = (customerId: number) => {
    let last: string | null = null
    for (const { id } of required) {
      const held = byCustomer.get(customerId)?.filter(({ type_id }) => type_id === id) ?? []
      if (held.length === 0) return
      const days = held.map(({ valid_until }) => valid_until)
      if (days.includes(null)) continue
      const until = days.reduce((one, other) => (String(one) > String(other) ? one : other))
      if (last === null || String(until) < last) last = until
    }
    return last
  }
  return { of }
}
