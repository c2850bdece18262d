import { createHash, hkdfSync } from 'node:crypto'
import type { Config } from '#platform/config.ts'

/** The keys that decrypt backups. Each file has its own key, derived from its salt. */
export interface BackupKeys {
  /** The id of the key that encrypts new backups. */
  keyId: string
  /** The key of one file. Undefined when the key id is unknown. */
  forFile(keyId: string, salt: Buffer): Buffer | undefined
}

/** Identifies a key without revealing it. */
export const backupKeyId = (secret: string) =>
  createHash('sha256').update(`backup key id:${secret}`).digest('hex').slice(0, 8)

export function makeBackupKeys(secret: string, oldSecrets: readonly string[] = []): BackupKeys {
  const secrets = new Map([...oldSecrets, secret].map((each) => [backupKeyId(each), each]))
  return {
    keyId: backupKeyId(secret),
    forFile(keyId, salt) {
      const known = secrets.get(keyId)
      return known === undefined ? undefined : Buffer.from(hkdfSync('sha256', known, salt, 'limber backup', 32))
    },
  }
}

/** A problem that an operator can fix. Its message is shown as is. */
export class BackupError extends Error {}

/** Verification could not run, so the backup itself may be fine. */
export class VerificationUnavailable extends BackupError {}

export function readBackupKeys({ backup }: Pick<Config, 'backup'>): BackupKeys {
  if (!backup.key) throw new BackupError('Backups are not set up. Set BACKUP_KEY and restart the server.')
  return makeBackupKeys(backup.key, backup.oldKeys)
}
