import type { Db } from '#platform/db/db.ts'
import { findPasskey } from './passkey.queries.ts'
import type { StoredPasskey } from './passkey.rules.ts'

/** A valid passkey of this worker, or the reason why it is not valid. */
export async function findOwnPasskey(
  db: Db,
  workerId: number,
  credentialId: Buffer,
): Promise<(StoredPasskey & { id: number }) | { reason: string }> {
  const found = await findPasskey(db, credentialId)
  if (!found) return { reason: 'credential_unknown' }
  if (found.worker_id !== workerId) return { reason: 'credential_other_worker' }
  if (found.revoked_at) return { reason: 'credential_revoked' }
  if (!found.confirmed_at) return { reason: 'credential_pending' }
  return {
    id: found.id,
    credentialId,
    publicKey: found.public_key,
    counter: found.counter,
    isBackupEligible: found.is_backup_eligible,
  }
}
