import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { Moment } from '#kit/values.ts'
import { NOT_OWNER } from './owner.ts'

const NOT_SET_UP = [409, 'Backups are not set up. Set BACKUP_KEY and restart the server.'] as const

export const BackupKey = z.object({
  /** Identifies the key without revealing it. Null while backups are not set up. */
  keyId: z.string().nullable(),
  /** Who confirmed that a copy of this key is kept elsewhere. */
  kept: z.object({ at: Moment, by: z.string() }).nullable(),
})
export type BackupKey = z.infer<typeof BackupKey>

export const readBackupKey = defineCall({
  method: 'GET',
  path: '/api/company/backup-key',
  summary: 'Read whether a copy of the backup key is kept elsewhere',
  permission: 'access.manage',
  reply: BackupKey,
})

export const revealBackupKey = defineCall({
  method: 'POST',
  path: '/api/company/backup-key/reveal',
  summary: 'Show the backup key, to keep a copy elsewhere',
  permission: 'access.manage',
  stepUp: true,
  limit: { by: 'worker', times: 20, seconds: 600 },
  body: z.strictObject({}),
  reply: z.object({ keyId: z.string(), key: z.string() }),
  refusals: { not_owner: NOT_OWNER, not_set_up: NOT_SET_UP },
})

export const confirmBackupKey = defineCall({
  method: 'POST',
  path: '/api/company/backup-key/kept',
  summary: 'Confirm that a copy of the backup key is kept elsewhere',
  permission: 'access.manage',
  stepUp: true,
  body: z.strictObject({ keyId: z.string().max(64) }),
  reply: BackupKey,
  refusals: {
    not_owner: NOT_OWNER,
    not_set_up: NOT_SET_UP,
    other_key: [409, 'The backup key changed. Show the new one first.'],
  },
})
