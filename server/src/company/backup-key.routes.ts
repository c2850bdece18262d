import { confirmBackupKey, readBackupKey, revealBackupKey } from '@limber/contract/company/backup-key.ts'
import { makeBackupKeys } from '#backups/public.ts'
import type { Config } from '#platform/config.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { findCopy, saveCopy } from './backup-key.queries.ts'
import { requireOwner } from './require-owner.ts'

/** Identifies the key of new backups without revealing it. */
export const currentKeyId = ({ backup }: Pick<Config, 'backup'>) =>
  backup.key === undefined ? null : makeBackupKeys(backup.key).keyId

async function present(db: Db, keyId: string | null) {
  const copy = keyId === null ? undefined : await findCopy(db, keyId)
  return { keyId, kept: copy ? { at: copy.at.toISOString(), by: copy.by } : null }
}

export const backupKeyRoutes = [
  serve(readBackupKey, ({ db, services: { config } }) => present(db, currentKeyId(config))),

  serve(
    revealBackupKey,
    ({ worker, audit, services: { config } }) => {
      requireOwner(revealBackupKey, worker)
      const { key } = config.backup
      const keyId = currentKeyId(config)
      if (key === undefined || keyId === null) throw refuse(revealBackupKey, 'not_set_up')
      audit({ action: 'backup_key_shown', subject: 'backup', after: { keyId } })
      return { keyId, key }
    },
    { isSecret: true },
  ),

  serve(confirmBackupKey, async ({ worker, body, db, now, audit, publish, services: { config } }) => {
    requireOwner(confirmBackupKey, worker)
    const keyId = currentKeyId(config)
    if (keyId === null) throw refuse(confirmBackupKey, 'not_set_up')
    if (body.keyId !== keyId) throw refuse(confirmBackupKey, 'other_key')
    await saveCopy(db, keyId, worker.workerId, now)
    audit({ action: 'backup_key_kept', subject: 'backup', after: { keyId } })
    publish('company')
    return present(db, keyId)
  }),
]
