import type { Db } from '#platform/db/db.ts'
import { findKept, keep } from '#platform/db/installation.ts'

const KEY = 'texts_synced_until'

/** The end of the last sync. */
export async function findSyncedUntil(db: Db): Promise<Date | undefined> {
  const until = await findKept(db, KEY)
  return typeof until === 'string' ? new Date(until) : undefined
}

export const saveSyncedUntil = (db: Db, until: Date) => keep(db, KEY, until.toISOString(), until)
