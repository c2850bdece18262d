import { type Insertable, sql } from 'kysely'
import type { Db, Tables } from '#platform/db/db.ts'

interface Person {
  first_name: string
  last_name: string
  email: string
  phone?: string | null | undefined
}

/** The row of somebody who has just signed up: nothing else is known of them yet. */
export const newAccount = ({ phone = null, ...person }: Person, now: Date): Insertable<Tables['customers']> => ({
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

/** Opens an account; nothing when the address has one: of two who do so at once, one gets the row. */
export const openAccount = (db: Db, person: Person, now: Date) =>
  db
    .insertInto('customers')
    .values(newAccount(person, now))
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()

/** The account behind an address, held against others who change it meanwhile. */
export const lockAccount = (db: Db, email: string) =>
  db
    .selectFrom('customers')
    .select(['id', 'first_name', 'last_name', 'email', 'zone_id', 'blocked_at'])
    .where('email', '=', email)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** The account behind an address; a duplicate that was merged leads to the one that stayed. */
export async function findLivingAccount(db: Db, email: string): Promise<{ id: number } | undefined> {
  const { rows } = await sql<{ id: number }>`
    with recursive way as (
      select id, merged_into_id, erased_at from customers where email = ${email}
      union select c.id, c.merged_into_id, c.erased_at from way join customers c on c.id = way.merged_into_id)
    select id from way where merged_into_id is null and erased_at is null`.execute(db)
  return rows[0]
}

/** Corrects the name of an account. */
export const renameAccount = (db: Db, id: number, name: Pick<Person, 'first_name' | 'last_name'>) =>
  db
    .updateTable('customers')
    .set({ ...name, version: sql`version + 1` })
    .where('id', '=', id)
    .where((row) => row.or([row('first_name', '<>', name.first_name), row('last_name', '<>', name.last_name)]))
    .execute()

/** Lets the bookings ahead of a stretcher wait for another one; says how many. */
export async function releaseBookings(db: Db, stretcherId: number, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    update bookings set stretcher_id = null, status = 'requested', version = version + 1
    where stretcher_id = ${stretcherId} and starts_at > ${now} and status in ('requested', 'confirmed')`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
