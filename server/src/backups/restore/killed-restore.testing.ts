import { systemClock } from '#platform/clock.ts'
import { makeKeyring } from '#platform/security/secrets.ts'
import { diskStorage } from '#platform/storage/storage-disk.ts'
import { makeBackupKeys } from '../archive/backup-keys.ts'
import { vaultOfFile } from '../archive/vault.ts'
import { restoreBackup } from './restore-backup.ts'

// A separate process that stops in the middle of a restore. The test kills it.
const { DATABASE_URL = '', BACKUP_KEY = '', SECRET_KEY = '', BACKUP = '', FILES = '', HALT = '' } = process.env
const halt = () => {
  process.stdout.write('halted\n')
  return new Promise<never>(() => setInterval(() => {}, 1000))
}
const storage = diskStorage(FILES)
const halting = HALT === 'files' ? { ...storage, put: halt } : storage
const { vault, file } = vaultOfFile(BACKUP)
const target = { databaseUrl: DATABASE_URL, storage: halting, clock: systemClock, keyring: makeKeyring(SECRET_KEY) }
let tables = 0
await restoreBackup(target, vault, file, makeBackupKeys(BACKUP_KEY), () => {
  tables += 1
  if (HALT === 'rows' && tables === 20) {
    process.stdout.write('halted\n')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }
})
