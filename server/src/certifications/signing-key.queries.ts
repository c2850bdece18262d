import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

/** The public key without its key id. */
export interface PublicKey {
  kty: 'RSA'
  n: string
  e: string
}

declare module '#platform/db/column-types.ts' {
  interface JsonColumns {
    'signing_keys.public_jwk': PublicKey
  }
}

/** The key that signs new credentials. */
export const findCurrentKey = (db: Db) =>
  db
    .selectFrom('signing_keys')
    .select(['key_id', 'private_sealed', 'created_at'])
    .where('retired_at', 'is', null)
    .executeTakeFirst()

/** All keys, newest first. Retired keys still verify older credentials. */
export const findKeys = (db: Db) =>
  db.selectFrom('signing_keys').select(['key_id', 'public_jwk']).orderBy('id', 'desc').limit(100).execute()

export const findKey = (db: Db, keyId: string) =>
  db.selectFrom('signing_keys').select(['key_id', 'public_jwk']).where('key_id', '=', keyId).executeTakeFirst()

/** Returns false if a concurrent insert was first. */
export async function insertKey(
  db: Db,
  key: { keyId: string; publicHalf: PublicKey; sealed: Buffer; now: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into signing_keys (key_id, public_jwk, private_sealed, created_at)
    values (${key.keyId}, ${JSON.stringify(key.publicHalf)}::jsonb, ${key.sealed}, ${key.now})
    on conflict do nothing`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

export const retireCurrentKey = (db: Db, now: Date) =>
  db.updateTable('signing_keys').set({ retired_at: now }).where('retired_at', 'is', null).execute()
