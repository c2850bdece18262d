import type { contactFieldNames } from '@limber/contract/support/customers/account.ts'
import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'

export type Contact = Pick<Row<'customers'>, (typeof contactFieldNames)[number]>
export type CorrectedContact = Contact & Pick<Row<'customers'>, 'corrected_at'>
export type Account = CorrectedContact & Pick<Row<'customers'>, 'id' | 'zone_id' | 'blocked_at' | 'erased_at'>

/** Locks the accounts with these ids or addresses, in the order of their ids. */
export async function lockAccounts(db: Db, ids: readonly number[], emails: readonly string[]): Promise<Account[]> {
  const { rows } = await sql<Account>`
    select id, first_name, last_name, email, phone, corrected_at, zone_id, blocked_at, erased_at from customers
    where id = any(${ids}::bigint[]) or email = any(${emails}::text[]) order by id for no key update`.execute(db)
  return rows
}

/** Opens accounts for people who have none; their ids in the order given. */
export async function createAccounts(
  db: Db,
  people: readonly (Contact & Pick<Row<'customers'>, 'joined_at'>)[],
): Promise<number[]> {
  if (people.length === 0) return []
  const { rows } = await sql<{ id: number; email: string }>`
    insert into customers (first_name, last_name, email, phone, joined_at)
    select first_name, last_name, email, phone, joined_at from jsonb_to_recordset(${JSON.stringify(people)}::jsonb)
      as r(first_name text, last_name text, email text, phone text, joined_at timestamptz)
    returning id, email`.execute(db)
  const ids = new Map(rows.map(({ id, email }) => [email, id]))
  return people.map(({ email }) => {
    const id = ids.get(email)
    if (id === undefined) throw new Error('An inserted account was not returned.')
    return id
  })
}

export async function updateContacts(db: Db, rows: readonly (CorrectedContact & { id: number })[]) {
  await sql`
    update customers c set first_name = r.first_name, last_name = r.last_name, email = r.email, phone = r.phone,
      corrected_at = r.corrected_at, email_verified_at = case when c.email = r.email then c.email_verified_at end,
      version = c.version + 1
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(id bigint, first_name text, last_name text, email text, phone text, corrected_at jsonb)
    where c.id = r.id`.execute(db)
}
