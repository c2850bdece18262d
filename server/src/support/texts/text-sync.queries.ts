import type { Db } from '#platform/db/db.ts'

const KEY = 'texts_synced_until'

/** Until when the messages of the service have been fetched. */
export async function findSyncedUntil(db: Db): Promise<Date | undefined> {
  const row = await db.selectFrom('installation').select('value').where('key', '=', KEY).executeTakeFirst()
  return typeof row?.value === 'string' ? new Date(row.value) : undefined
}

export const saveSyncedUntil = (db: Db, until: Date) => {
  const value = JSON.stringify(until.toISOString())
  return db
    .insertInto('installation')
    .values({ key: KEY, value, changed_at: until })
    .onConflict((clash) => clash.column('key').doUpdateSet({ value, changed_at: until }))
    .execute()
}
