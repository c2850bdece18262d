import { contactFieldNames } from '@limber/contract/support/customers/account.ts'
import { sql } from 'kysely'
import type { CustomerHooks } from '#platform/customer-hooks.ts'
import type { Db, Row } from '#platform/db/db.ts'
import type { Work } from '#platform/db/work.ts'
import { copySuppression } from '#platform/mail/suppressions.ts'
import { moveOpenTickets } from '../customers/account-action.queries.ts'

export type Contact = Pick<Row<'customers'>, (typeof contactFieldNames)[number]>
type CorrectedContact = Contact & Pick<Row<'customers'>, 'corrected_at'>
export type Account = CorrectedContact & Pick<Row<'customers'>, 'id' | 'zone_id' | 'blocked_at' | 'erased_at'>

/** A contact with the fields that another system sent; those that staff corrected after its version stay. */
export function applyContact(
  fields: { [Name in keyof Contact]?: Contact[Name] | undefined },
  updatedAt: Date | null,
  before: CorrectedContact,
): { contact: CorrectedContact; kept: string[] } {
  const { first_name, last_name, email, phone } = before
  const contact = { first_name, last_name, email, phone, corrected_at: { ...before.corrected_at } }
  const kept: string[] = []
  for (const name of contactFieldNames) {
    const value = fields[name]
    if (value === undefined || value === before[name]) continue
    const corrected = before.corrected_at[name]
    if (corrected !== undefined && (updatedAt === null || updatedAt < new Date(corrected))) {
      kept.push(name)
      continue
    }
    delete contact.corrected_at[name]
    Object.assign(contact, { [name]: value })
  }
  return { contact, kept }
}

/** What follows a new address: opt-outs, open tickets, and what other areas keep of it. */
export async function followEmail(
  { db, now, publish }: Work,
  before: { id: number; email: string },
  after: { email: string },
  hooks: readonly CustomerHooks[],
) {
  for (const { onNewEmail } of hooks) await onNewEmail?.(db, before.id, after.email)
  await copySuppression(db, 'mail', { from: before.email, to: after.email }, now)
  const tickets = await moveOpenTickets(db, before.id, before.email, after.email)
  for (const ticket of tickets) publish('tickets', { ticket })
}

/** Locks the accounts with these ids or addresses, in the order of their ids. */
export async function lockAccounts(db: Db, ids: readonly number[], emails: readonly string[]): Promise<Account[]> {
  const { rows } = await sql<Account>`
    select id, first_name, last_name, email, phone, corrected_at, zone_id, blocked_at, erased_at from customers
    where id = any(${ids}::bigint[]) or email = any(${emails}::text[]) order by id for no key update`.execute(db)
  return rows
}

/** Opens accounts for people who have none; their ids in the order given. */
export async function createAccounts(db: Db, people: readonly Contact[], now: Date): Promise<number[]> {
  if (people.length === 0) return []
  const { rows } = await sql<{ id: number; email: string }>`
    insert into customers (first_name, last_name, email, phone, joined_at)
    select first_name, last_name, email, phone, ${now} from jsonb_to_recordset(${JSON.stringify(people)}::jsonb)
      as r(first_name text, last_name text, email text, phone text)
    returning id, email`.execute(db)
  const ids = new Map(rows.map(({ id, email }) => [email, id]))
  return people.map(({ email }) => {
    const id = ids.get(email)
    if (id === undefined) throw new Error('An inserted account was not returned.')
    return id
  })
}

/** Writes the contacts of locked accounts. An address that changed is not verified. */
export async function saveContacts(
  work: Work,
  changes: readonly { before: Account; after: CorrectedContact }[],
  hooks: readonly CustomerHooks[],
) {
  if (changes.length === 0) return
  const rows = changes.map(({ before, after }) => ({ id: before.id, ...after }))
  await sql`
    update customers c set first_name = r.first_name, last_name = r.last_name, email = r.email, phone = r.phone,
      corrected_at = r.corrected_at, email_verified_at = case when c.email = r.email then c.email_verified_at end,
      version = c.version + 1
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(id bigint, first_name text, last_name text, email text, phone text, corrected_at jsonb)
    where c.id = r.id`.execute(work.db)
  for (const { before, after } of changes)
    if (before.email !== after.email) await followEmail(work, before, after, hooks)
}
