import type { Clock } from '#platform/clock.ts'
import { silentLog } from '#platform/log.ts'
import { migrate } from '#platform/migrate.ts'
import type { Keyring } from '#platform/secrets.ts'
import type { Storage } from '#platform/storage.ts'
import { type BackupKeys, BackupTrouble } from './backup-keys.ts'
import { withLongConnection } from './connection.queries.ts'
import { restoreFiles } from './copy-files.ts'
import { openArchive } from './read-archive.ts'
import { countObjects, loadArchive, settleRestored } from './restore.queries.ts'
import type { Vault } from './vault.ts'

interface Target {
  databaseUrl: string
  storage: Storage
  clock: Clock
  keyring: Keyring
}

/**
 * Restores a backup into an empty database, compares what came of it, and makes it fit to work on. The database stays
 * empty when anything is wrong with the backup.
 */
export async function restoreBackup(
  { databaseUrl, storage, clock, keyring }: Target,
  vault: Vault,
  file: string,
  keys: BackupKeys,
  say: (line: string) => void,
) {
  const archive = await openArchive(vault, file, keys)
  try {
    return await withLongConnection(databaseUrl, async (client) => {
      const objects = await countObjects(client)
      if (objects > 0)
        throw new BackupTrouble(
          `The database is not empty (${objects} tables, views or sequences). A backup is restored into an empty database only: name a new one in DATABASE_URL, or a new LIMBER_HOME.`,
        )
      const { head } = archive
      const { tables, summary } = await loadArchive(client, archive, (table) => say(`  ${table}`))
      const files = await restoreFiles(vault, keys, summary.files, storage)
      const { applied } = await migrate(databaseUrl, silentLog)
      const settled = await settleRestored(client, clock.now())
      const rows = summary.tables.reduce((sum, table) => sum + table.rows, 0)
      return {
        head,
        ...settled,
        applied,
        rows,
        tables: tables.length,
        files,
        hasOtherSecret: head.secretKeyId !== keyring.keyId,
      }
    })
  } finally {
    archive.close()
  }
}
