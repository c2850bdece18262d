import { DEFAULT_LIMITS, Limits } from '@limber/contract/access/limits/limits.ts'
import type { Db } from '../db/db.ts'

const KEY = 'limits'

/** The company's limits for one worker. */
export async function findLimits(db: Db): Promise<Limits> {
  const row = await db.selectFrom('installation').select('value').where('key', '=', KEY).executeTakeFirst()
  return Limits.catch(DEFAULT_LIMITS).parse(row?.value)
}

export const saveLimits = (db: Db, limits: Limits, now: Date) =>
  db
    .insertInto('installation')
    .values({ key: KEY, value: JSON.stringify(limits), changed_at: now })
    .onConflict((known) => known.column('key').doUpdateSet({ value: JSON.stringify(limits), changed_at: now }))
    .execute()
