import type { Db } from './db.ts'

/** An installation-wide value by key. */
export async function findInstallationValue(db: Db, key: string): Promise<unknown> {
  const row = await db.selectFrom('installation').select('value').where('key', '=', key).executeTakeFirst()
  return row?.value
}

export const saveInstallationValue = (db: Db, key: string, content: unknown, now: Date) => {
  const value = JSON.stringify(content)
  return db
    .insertInto('installation')
    .values({ key, value, changed_at: now })
    .onConflict((known) => known.column('key').doUpdateSet({ value, changed_at: now }))
    .execute()
}
