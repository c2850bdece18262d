import { sql } from 'kysely'
import { shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { randomToken } from '#platform/security/secrets.ts'
import { CHALLENGE_LIFE, type NewPasskey } from './passkey.rules.ts'

/** The owner of a challenge. It is valid for no one else. */
export type ChallengeOwner = `${'attempt' | 'link' | 'session' | 'profile'}:${number}`

/** Issues a challenge of 32 random bytes. An owner may have several, because two browsers can open one link. */
export async function issueChallenge(db: Db, owner: ChallengeOwner, purpose: 'create' | 'get', now: Date) {
  const challenge = randomToken(32)
  await db
    .insertInto('passkey_challenges')
    .values({ challenge, owner, purpose, expires_at: shift(now, CHALLENGE_LIFE) })
    .execute()
  return challenge
}

/** Deletes and returns the owner's valid challenges, so that each works only once, even after a failed try. */
export async function consumeChallenges(db: Db, owner: ChallengeOwner, purpose: 'create' | 'get', now: Date) {
  const taken = await db
    .deleteFrom('passkey_challenges')
    .where('owner', '=', owner)
    .where('purpose', '=', purpose)
    .returning(['challenge', 'expires_at'])
    .execute()
  return taken.filter((row) => row.expires_at > now).map((row) => row.challenge)
}

const activePasskeys = (db: Db) =>
  db.selectFrom('passkeys').where('confirmed_at', 'is not', null).where('revoked_at', 'is', null)

/** The active passkeys of a worker. */
export const listPasskeys = (db: Db, workerId: number) =>
  activePasskeys(db)
    .select(['id', 'credential_id', 'transports', 'name', 'created_at', 'last_used_at', 'is_backed_up'])
    .where('worker_id', '=', workerId)
    .orderBy('id')
    .execute()

/** A passkey by its credential ID, of any owner and in any state. The caller checks both. */
export const findPasskey = (db: Db, credentialId: Buffer) =>
  db
    .selectFrom('passkeys')
    .select([
      'id',
      'worker_id',
      'credential_id',
      'public_key',
      'counter',
      'is_backup_eligible',
      'confirmed_at',
      'revoked_at',
    ])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()

/** Whether any worker has this credential ID. */
export const isPasskeyTaken = async (db: Db, credentialId: Buffer) =>
  (await findPasskey(db, credentialId)) !== undefined

/** Stores a new passkey. With a link, it becomes active when the link is completed. */
export const insertPasskey = (
  db: Db,
  passkey: NewPasskey,
  owner: { workerId: number; name: string; linkId?: number },
  now: Date,
) =>
  db
    .insertInto('passkeys')
    .values({
      worker_id: owner.workerId,
      link_id: owner.linkId ?? null,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports,
      is_backup_eligible: passkey.isBackupEligible,
      is_backed_up: passkey.isBackedUp,
      aaguid: passkey.aaguid,
      name: owner.name,
      created_at: now,
      confirmed_at: owner.linkId === undefined ? now : null,
      last_used_at: null,
      revoked_at: null,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(['id', 'name', 'created_at', 'last_used_at', 'is_backed_up'])
    .executeTakeFirst()

/** Records a use. The counter never decreases. */
export const recordPasskeyUse = (db: Db, id: number, counter: number, isBackedUp: boolean, now: Date) =>
  db
    .updateTable('passkeys')
    .set({ counter: sql`greatest(counter, ${counter}::bigint)`, is_backed_up: isBackedUp, last_used_at: now })
    .where('id', '=', id)
    .execute()

export const renameOwnPasskey = (db: Db, workerId: number, id: number, name: string) =>
  db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('worker_id', '=', workerId)
    .where('confirmed_at', 'is not', null)
    .where('revoked_at', 'is', null)
    .returning(['id', 'name', 'created_at', 'last_used_at', 'is_backed_up'])
    .executeTakeFirst()

/** Removes a passkey unless it is the worker's last. The row lock keeps two removals from both passing. */
export async function revokeOwnPasskey(db: Db, workerId: number, id: number, now: Date) {
  await db.selectFrom('workers').select('id').where('id', '=', workerId).forUpdate().execute()
  const own = await activePasskeys(db).select('id').where('worker_id', '=', workerId).execute()
  if (!own.some((row) => row.id === id)) return 'not_found' as const
  if (own.length === 1) return 'last_passkey' as const
  await db.updateTable('passkeys').set({ revoked_at: now }).where('id', '=', id).execute()
  return 'removed' as const
}
