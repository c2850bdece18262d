import { type RawBuilder, sql } from 'kysely'

/** `YYYY-MM-DD`, or what the database makes of the moment. */
type Day = string | RawBuilder<string>

/** Is a certification (by the name it has in the statement) valid on a day? The one answer, for every query. */
export const isGood = (name: string, day: Day): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${name}.revoked_at`)} is null and (${sql.ref(`${name}.valid_until`)} is null or ${sql.ref(`${name}.valid_until`)} >= (${day})::date))`

/**
 * Does a user (by the column of the statement) hold a valid certification of every type that sessions require? Everybody
 * does as long as no type is required.
 */
export const isCertified = (customerId: string, day: Day): RawBuilder<boolean> => sql<boolean>`not exists (
  select from certification_types required
  where required.is_required and required.retired_at is null and not exists (
    select from certifications held
    where held.customer_id = ${sql.ref(customerId)} and held.type_id = required.id and ${isGood('held', day)}))`
