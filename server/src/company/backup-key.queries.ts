import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

/** Who confirmed that a copy of the key is kept elsewhere, and when. */
export async function findCopy(db: Db, keyId: string) {
  const { rows } = await sql<{ at: Date; by: string }>`
    select c.confirmed_at as at, w.name as by from backup_key_copies c join workers w on w.id = c.confirmed_by
    where c.key_id = ${keyId}`.execute(db)
  return rows[0]
}

/** The latest confirmation counts. */
export const saveCopy = (db: Db, keyId: string, workerId: number, now: Date) =>
  db
    .insertInto('backup_key_copies')
    .values({ key_id: keyId, confirmed_by: workerId, confirmed_at: now })
    .onConflict((known) => known.column('key_id').doUpdateSet({ confirmed_by: workerId, confirmed_at: now }))
    .execute()
