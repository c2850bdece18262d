import { endRestoredSessions } from '#access/public.ts'
import type { Clock } from '#platform/clock.ts'
import { auditRestore, prepareRestored } from '#platform/db/prepare-restored.ts'
import type { Keyring } from '#platform/security/secrets.ts'
import type { Storage } from '#platform/storage/storage.ts'
import { BackupError, type BackupKeys } from '../archive/backup-keys.ts'
import { restoreFiles } from '../archive/copy-files.ts'
import { openArchive } from '../archive/read-archive.ts'
import type { Vault } from '../archive/vault.ts'
import { withLongConnection } from './connection.queries.ts'
import {
  applyNewerMigrations,
  countObjects,
  inRestoreTransaction,
  loadArchive,
  takeRestoreLock,
} from './restore.queries.ts'

interface Target {
  databaseUrl: string
  storage: Storage
  clock: Clock
  keyring: Keyring
}

/**
 * Restores a backup into an empty database, signs everyone out and applies newer migrations. The database stays empty
 * if the backup is damaged. Lost files are reported and do not stop the restore.
 */
export async function restoreBackup(
  { databaseUrl, storage, clock, keyring }: Target,
  vault: Vault,
  file: string,
  keys: BackupKeys,
  print: (line: string) => void,
) {
  const archive = await openArchive(vault, file, keys)
  try {
    return await withLongConnection(databaseUrl, async (client) => {
      await takeRestoreLock(client)
      const objects = await countObjects(client)
      if (objects > 0)
        throw new BackupError(
          `The database is not empty (${objects} tables, views or sequences). A backup can only be restored into an empty database. Set DATABASE_URL to a new one, or use a new LIMBER_HOME.`,
        )
      const { head, isNameSealed } = archive
      const restored = await inRestoreTransaction(client, file, async () => {
        const { tables, summary } = await loadArchive(client, archive, (table) => print(`  ${table}`))
        const why = 'Restored from a backup.'
        const ended = await endRestoredSessions(client, why, clock.now())
        const { held } = await prepareRestored(client, why, clock.now())
        const applied = await applyNewerMigrations(client, head)
        const { restored: files, lost } = await restoreFiles(vault, keys, summary.files, storage)
        await auditRestore(client, 'limber restore', { file, ...head }, clock.now())
        const rows = summary.tables.reduce((sum, table) => sum + table.rows, 0)
        return { ended, held, applied, rows, tables: tables.length, files, lost }
      })
      return { ...restored, head, isNameSealed, hasOtherSecret: head.secretKeyId !== keyring.keyId }
    })
  } finally {
    archive.close()
  }
}
