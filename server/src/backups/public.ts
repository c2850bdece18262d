import type { Db } from '#platform/db/db.ts'
import { runWork } from '#platform/db/work.ts'
import { assessBackups, type BackupAlarm } from './alarm.rules.ts'
import { BackupError, type BackupKeys } from './archive/backup-keys.ts'
import { findLostFiles } from './archive/copy-files.ts'
import { readSealedHead } from './archive/read-archive.ts'
import { NAMED_FORMAT } from './archive/sealing.ts'
import { listVault, type Vault } from './archive/vault.ts'
import { findBackup, insertBackup, readFreshness } from './backup.queries.ts'
import { type Scratch, verifyByRestore } from './restore/scratch.queries.ts'
import { type BackupServices, runBackup } from './run-backup.ts'

export { type BackupKeys, makeBackupKeys, readBackupKeys } from './archive/backup-keys.ts'
export { type LostFile, lostFileText } from './archive/copy-files.ts'
export { readArchiveHead } from './archive/read-archive.ts'
export { openVault, type Vault, vaultOfFile } from './archive/vault.ts'
export { restoreBackup } from './restore/restore-backup.ts'
export { probeScratch } from './restore/scratch.queries.ts'
export { settleRecovered } from './restore/settle-recovered.ts'

/** For System health and the doctor. */
export async function backupAlarm(db: Db, now: Date, { isSetUp = true } = {}): Promise<BackupAlarm> {
  return assessBackups({ isSetUp, ...(await readFreshness(db)) }, now)
}

/** Restores a backup into a scratch database and reads every file it lists. Returns the lost files. */
export async function verifyBackupFile(scratch: Scratch, vault: Vault, file: string, keys: BackupKeys) {
  const { format } = await readSealedHead(vault, file)
  const { tables, files } = await verifyByRestore(scratch, vault, file, keys, () => {})
  const lost = await findLostFiles(vault, keys, files, 'all')
  return { tables, files, lost, isNameSealed: format >= NAMED_FORMAT }
}

/** Makes and verifies a backup in this process, for the command line. */
export async function makeBackup(services: BackupServices) {
  const id = await runWork(services, { call: 'limber backup' }, async ({ db, now, audit }) => {
    const wanted = await insertBackup(db, { kind: 'command', now })
    if (wanted !== undefined) audit({ action: 'backup_started', subject: 'backup', subjectId: wanted })
    return wanted
  })
  if (id === undefined) throw new BackupError('A backup or verification is already in progress.')
  await runBackup(services, id)
  const made = await findBackup(services.db, id)
  if (!made) throw new BackupError('The backup was removed from the list.')
  return made
}

/** The backups of a vault, oldest first, with their key ids. */
export async function listBackupFiles(vault: Vault) {
  const found: { file: string; size: number; takenAt: Date; keyId: string; format: number }[] = []
  for await (const each of listVault(vault)) found.push({ ...each, ...(await readSealedHead(vault, each.file)) })
  return found
}
