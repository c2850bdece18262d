import { sql } from 'kysely'
import { MINUTE, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'

const LIFE = 10 * MINUTE
const MAX_TRIES = 5

/** Stores the secret of an app that is being set up, replacing an earlier one. */
export const storeReplacement = (db: Db, workerId: number, secret: Buffer, now: Date) =>
  db
    .insertInto('totp_replacements')
    .values({ worker_id: workerId, secret, created_at: now })
    .onConflict((conflict) => conflict.column('worker_id').doUpdateSet({ secret, tries: 0, created_at: now }))
    .execute()

/** Counts a try and returns the pending secret, unless it expired or was tried too often. */
export const claimReplacementTry = (db: Db, workerId: number, now: Date) =>
  db
    .updateTable('totp_replacements')
    .set({ tries: sql`tries + 1` })
    .where('worker_id', '=', workerId)
    .where('tries', '<', MAX_TRIES)
    .where('created_at', '>', shift(now, -LIFE))
    .returning('secret')
    .executeTakeFirst()

/** Activates the new app. The confirming code is used up and the old app stops working. */
export async function replaceTotp(db: Db, workerId: number, secret: Buffer, step: number, now: Date) {
  await db.deleteFrom('totp_replacements').where('worker_id', '=', workerId).execute()
  await db
    .updateTable('workers')
    .set({ totp_secret: secret, totp_confirmed_at: now, totp_last_step: step, totp_failures: 0 })
    .where('id', '=', workerId)
    .execute()
}
