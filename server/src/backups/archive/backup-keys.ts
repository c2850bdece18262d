import { createHash, hkdfSync } from 'node:crypto'
import type { Config } from '#platform/config.ts'

/** The keys that open backups; the first seals new ones. Each file gets a key of its own from its salt. */
export interface BackupKeys {
  /** The id of the key that seals today. */
  keyId: string
  /** The key of one file; nothing when its id is unknown here. */
  forFile(keyId: string, salt: Buffer): Buffer | undefined
}

/** Names a key without telling anything about it. */
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

/** Something about a backup that a person can mend: told in a sentence. */
export class BackupError extends Error {}

/** The check could not be made, which says nothing about the backup. */
export class CheckImpossible extends BackupError {}

/** The configured keys, or what is missing. */
export function readBackupKeys({ backup }: Pick<Config, 'backup'>): BackupKeys {
  if (!backup.key) throw new BackupError('Backups are not set up. Set BACKUP_KEY and restart the server.')
  return makeBackupKeys(backup.key, backup.oldKeys)
}
