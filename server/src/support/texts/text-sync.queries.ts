import type { Db } from '#platform/db/db.ts'
import { findInstallationValue, saveInstallationValue } from '#platform/db/installation.ts'

const KEY = 'texts_synced_until'

/** The end of the last sync. */
export async function findSyncedUntil(db: Db): Promise<Date | undefined> {
  const until = await findInstallationValue(db, KEY)
  return typeof until === 'string' ? new Date(until) : undefined
}

export const saveSyncedUntil = (db: Db, until: Date) => saveInstallationValue(db, KEY, until.toISOString(), until)
