import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'
import type { Stage } from './tables.ts'

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

/** Somebody wrote to the partner. Nobody edits these figures, so that no open form becomes stale. */
export const countContact = (db: Db, id: number, at: Date) =>
  db
    .updateTable('businesses')
    .set({ times_contacted: sql`times_contacted + 1`, last_contact_at: at })
    .where('id', '=', id)
    .execute()
