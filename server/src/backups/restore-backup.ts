import type pg from 'pg'
import type { Clock } from '#platform/clock.ts'
import { markRestore, unmarkRestore } from '#platform/restore-mark.ts'
import type { Keyring } from '#platform/secrets.ts'
import type { Storage } from '#platform/storage.ts'
import { type BackupKeys, BackupTrouble } from './backup-keys.ts'
import { withLongConnection } from './connection.queries.ts'
import { restoreFiles } from './copy-files.ts'
import { type OpenArchive, openArchive } from './read-archive.ts'
import {
  auditRestore,
  bringUpToDate,
  countObjects,
  loadArchive,
  settleRestored,
  takeRestoreLock,
} from './restore.queries.ts'
import type { Vault } from './vault.ts'

interface Target {
  databaseUrl: string
  storage: Storage
  clock: Clock
  keyring: Keyring
}

interface Source {
  vault: Vault
  file: string
  keys: BackupKeys
  archive: OpenArchive
}

/**
 * One transaction from the first row to the last file: until its commit the database is empty but for its mark, and
 * afterwards it is compared, settled, up to date and unmarked. Files that are lost are listed and prevent nothing.
 */
async function restoreAll(
  client: pg.Client,
  { storage, clock }: Target,
  { vault, file, keys, archive }: Source,
  say: (line: string) => void,
) {
  const { head } = archive
  await client.query('begin')
  const { tables, summary } = await loadArchive(client, archive, (table) => say(`  ${table}`))
  const settled = await settleRestored(client, clock.now())
  const applied = await bringUpToDate(client, head)
  const files = await restoreFiles(vault, keys, summary.files, storage)
  await auditRestore(client, file, head, clock.now())
  await unmarkRestore(client)
  await client.query('commit')
  // Everything is there; without it the first statements are merely planned worse.
  await client.query('analyze').catch(() => {})
  const rows = summary.tables.reduce((sum, table) => sum + table.rows, 0)
  return { ...settled, applied, rows, tables: tables.length, files: files.restored, lost: files.lost }
}

/**
 * Restores a backup into an empty database and makes it fit to work on. The database stays empty when anything is wrong
 * with the backup. One that was killed on the way leaves its mark: no process starts on that database, and the restore
 * can be repeated into it.
 */
export async function restoreBackup(
  target: Target,
  vault: Vault,
  file: string,
  keys: BackupKeys,
  say: (line: string) => void,
) {
  const archive = await openArchive(vault, file, keys)
  try {
    return await withLongConnection(target.databaseUrl, async (client) => {
      await takeRestoreLock(client)
      const objects = await countObjects(client)
      if (objects > 0)
        throw new BackupTrouble(
          `The database is not empty (${objects} tables, views or sequences). A backup is restored into an empty database only: name a new one in DATABASE_URL, or a new LIMBER_HOME.`,
        )
      await markRestore(client, file)
      try {
        const restored = await restoreAll(client, target, { vault, file, keys, archive }, say)
        const { head, isNameSealed } = archive
        return { ...restored, head, isNameSealed, hasOtherSecret: head.secretKeyId !== target.keyring.keyId }
      } catch (error) {
        await client
          .query('rollback')
          .then(() => unmarkRestore(client))
          .catch(() => {})
        throw error
      }
    })
  } finally {
    archive.close()
  }
}
