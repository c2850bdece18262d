import { type Insertable, sql } from 'kysely'
import type { Db, Tables } from '#platform/db/db.ts'

interface Person {
  first_name: string
  last_name: string
  email: string
  phone?: string | null | undefined
}

/** The row of a person who has just signed up. */
export const newCustomerRow = ({ phone = null, ...person }: Person, now: Date): Insertable<Tables['customers']> => ({
  ...person,
  phone,
  joined_at: now,
  last_login_at: null,
  email_verified_at: null,
  waiver_signed_at: null,
  blocked_at: null,
  blocked_reason: null,
  address_line: null,
  city: null,
  state: null,
  postal_code: null,
  latitude: null,
  longitude: null,
  zone_id: null,
  referred_by_customer_id: null,
  referred_by_stretcher_id: null,
  referred_by_worker_id: null,
})

/** Creates an account; returns nothing when the address already has one, also under concurrency. */
export const createCustomer = (db: Db, person: Person, now: Date) =>
  db
    .insertInto('customers')
    .values(newCustomerRow(person, now))
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()

/** Finds the account with this address and locks it. */
export const lockCustomerByEmail = (db: Db, email: string) =>
  db
    .selectFrom('customers')
    .select(['id', 'first_name', 'last_name', 'email', 'zone_id', 'blocked_at'])
    .where('email', '=', email)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Finds the account with this address; a merged duplicate leads to the account that remains. */
export async function findCustomerByEmail(db: Db, email: string): Promise<{ id: number } | undefined> {
  const { rows } = await sql<{ id: number }>`
    with recursive way as (
      select id, merged_into_id, erased_at from customers where email = ${email}
      union select c.id, c.merged_into_id, c.erased_at from way join customers c on c.id = way.merged_into_id)
    select id from way where merged_into_id is null and erased_at is null`.execute(db)
  return rows[0]
}

/** Renames an account. Other systems do not overwrite the name with an older one. */
export const renameCustomer = (db: Db, id: number, name: Pick<Person, 'first_name' | 'last_name'>, now: Date) =>
  sql`
    update customers set first_name = ${name.first_name}, last_name = ${name.last_name}, version = version + 1,
      corrected_at = corrected_at
        || case when first_name <> ${name.first_name} then jsonb_build_object('first_name', ${now.toISOString()}::text) else '{}' end
        || case when last_name <> ${name.last_name} then jsonb_build_object('last_name', ${now.toISOString()}::text) else '{}' end
    where id = ${id} and (first_name <> ${name.first_name} or last_name <> ${name.last_name})`.execute(db)

/** Returns the upcoming bookings of stretchers to the unassigned ones; returns how many. */
export async function releaseBookings(db: Db, stretcherIds: readonly number[], now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update bookings set stretcher_id = null, status = 'requested', version = version + 1
    where stretcher_id = any(${stretcherIds}::bigint[]) and starts_at > ${now} and status in ('requested', 'confirmed')`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0n)
}
