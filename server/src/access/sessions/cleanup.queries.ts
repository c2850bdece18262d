import type { Db } from '#platform/db/db.ts'

/** Deletes attempts, challenges, failures and sample keys older than `before`. */
export async function deleteOldAttempts(db: Db, before: Date): Promise<{ attempts: number }> {
  const attempts = await db.deleteFrom('sign_in_attempts').where('expires_at', '<', before).executeTakeFirst()
  await db.deleteFrom('passkey_challenges').where('expires_at', '<', before).execute()
  await db.deleteFrom('sign_in_failures').where('last_failed_at', '<', before).execute()
  await db.deleteFrom('totp_replacements').where('created_at', '<', before).execute()
  await db.deleteFrom('sample_keys').where('expires_at', '<', before).execute()
  return { attempts: Number(attempts.numDeletedRows) }
}
