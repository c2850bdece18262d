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

/** How far the partnership is, and with whom. */
export const savePartnership = (db: Db, id: number, change: PartnershipChange) =>
  db
    .updateTable('businesses')
    .set({ ...change, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()

/** A business and those whose representatives have one of these addresses, held in one order for all who do this at once. */
export async function lockAddressed(db: Db, id: number | null, addresses: readonly string[]) {
  const { rows } = await sql<{ id: number; admin_email: string }>`
    select id, admin_email from businesses
    where id = ${id} or (archived_at is null and admin_email = any(${addresses})) order by id for update`.execute(db)
  return rows
}

/** Somebody wrote to these partners. Nobody edits these figures, so that no open form becomes stale. */
export const countContact = (db: Db, ids: readonly number[], at: Date) =>
  db
    .updateTable('businesses')
    .set({ times_contacted: sql`times_contacted + 1`, last_contact_at: at })
    .where('id', 'in', ids)
    .execute()
