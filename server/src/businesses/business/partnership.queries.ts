import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import type { Stage } from './business.queries.ts'

export interface PartnershipChange {
  stage?: Stage
  kind?: 'business' | 'school'
  pilot_ends_on?: string | null
  renews_on?: string | null
  ended_reason?: string | null
}

/** The status of the partnership and its contact. */
export const savePartnership = (db: Db, id: number, change: PartnershipChange) =>
  db
    .updateTable('businesses')
    .set({ ...change, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()

/** Locks a business and the partners whose representatives have these addresses, always in the same order. */
export async function lockAddressedPartners(db: Db, id: number | null, addresses: readonly string[]) {
  const { rows } = await sql<{ id: number; admin_email: string }>`
    select id, admin_email from businesses
    where id = ${id} or (archived_at is null and admin_email = any(${addresses})) order by id for update`.execute(db)
  return rows
}

/** Counts a contact with these partners. Leaves the version alone, so that no open form becomes stale. */
export const countContact = (db: Db, ids: readonly number[], at: Date) =>
  db
    .updateTable('businesses')
    .set({ times_contacted: sql`times_contacted + 1`, last_contact_at: at })
    .where('id', 'in', ids)
    .execute()
