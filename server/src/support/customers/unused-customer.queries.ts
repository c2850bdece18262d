import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '#platform/db/db.ts'

const FOREIGN_KEY_VIOLATION = '23503'

/** What uses an account, by the referencing table. */
const usageLabels: Readonly<Record<string, string>> = {
  bookings: 'a booking',
  certifications: 'a certification',
  credit_entries: 'credits',
  customer_notes: 'a note',
  customer_transactions: 'a payment',
  email_logs: 'an email',
  leads: 'another lead',
  notification_recipients: 'a notification',
  onsite_participants: 'an on-site session',
  stretchers: 'a stretcher',
  tickets: 'a ticket',
}

/** Use of the account itself since its creation. */
async function findOwnUsage(db: Db, id: number): Promise<string | undefined> {
  const { rows } = await sql<{ use: string | null }>`
    select case
      when last_login_at is not null or total_logins > 0 or exists (select from events e where e.user_id = c.id) then 'a sign-in'
      when email_verified_at is not null then 'a verified email'
      when waiver_signed_at is not null then 'a signed waiver'
      when version > 1 or points > 0 then 'a change' end as use
    from customers c where id = ${id} for no key update`.execute(db)
  return rows[0]?.use ?? undefined
}

/**
 * Deletes an account that was never used; otherwise returns what uses it. The foreign keys decide, so new tables are
 * covered. `release` removes the references that the caller knows about.
 */
export async function deleteUnusedCustomer(
  db: Db,
  id: number,
  release: () => Promise<void>,
): Promise<string | undefined> {
  const use = await findOwnUsage(db, id)
  if (use) return use
  await sql`savepoint unused_account`.execute(db)
  try {
    await release()
    // A trigger attached older tickets when the account was created; newer tickets count as use.
    await sql`
      update tickets t set customer_id = null from customers c
      where c.id = ${id} and t.customer_id = c.id and t.created_at < c.joined_at`.execute(db)
    await sql`delete from customers where id = ${id}`.execute(db)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === FOREIGN_KEY_VIOLATION)) throw error
    await sql`rollback to savepoint unused_account`.execute(db)
    return usageLabels[error.table ?? ''] ?? 'other records'
  }
  await sql`release savepoint unused_account`.execute(db)
  return undefined
}
