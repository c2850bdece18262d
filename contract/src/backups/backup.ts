import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Id, IdText, Moment } from '#kit/values.ts'

/** `unverified`: the file exists, but verification failed or has not run. `failed`: there is no file. */
export const BackupState = z.enum(['waiting', 'copying', 'checking', 'verified', 'unverified', 'failed'])
export type BackupState = z.infer<typeof BackupState>

/** `command`: made on the command line. `adopted`: found in storage, made by an earlier database. */
export const BackupKind = z.enum(['nightly', 'manual', 'command', 'adopted'])
export type BackupKind = z.infer<typeof BackupKind>

export const BackupProgress = z.object({
  stage: z.enum(['files', 'copying', 'checking']),
  /** Tables, or files in the `files` stage. */
  done: z.int(),
  /** 0 when unknown. */
  total: z.int(),
  rows: z.int(),
  /** An estimate. 0 when unknown. */
  rowsExpected: z.int(),
})
export type BackupProgress = z.infer<typeof BackupProgress>

export const RetentionTier = z.enum(['daily', 'weekly', 'monthly'])
export type RetentionTier = z.infer<typeof RetentionTier>

export const Backup = z.object({
  id: Id,
  kind: BackupKind,
  /** The worker who started it. */
  by: z.string().nullable(),
  state: BackupState,
  createdAt: Moment,
  startedAt: Moment.nullable(),
  /** When the snapshot was taken. */
  takenAt: Moment.nullable(),
  endedAt: Moment.nullable(),
  verifiedAt: Moment.nullable(),
  /** Milliseconds, including verification. Null while it runs. */
  duration: z.int().nullable(),
  file: z.string().nullable(),
  /** Bytes. */
  size: z.int().nullable(),
  keyId: z.string().nullable(),
  tables: z.int().nullable(),
  rows: z.int().nullable(),
  files: z.int().nullable(),
  progress: BackupProgress.nullable(),
  error: z.string().nullable(),
  /** The retention tiers that keep it. Empty when it may be deleted. */
  keptAs: z.array(RetentionTier),
})
export type Backup = z.infer<typeof Backup>

export const BackupDetail = Backup.extend({
  contents: z.array(z.object({ name: z.string(), rows: z.int(), bytes: z.int(), sha256: z.string() })),
})
export type BackupDetail = z.infer<typeof BackupDetail>

const Retention = z.object({ daily: z.int(), weekly: z.int(), monthly: z.int() })

export const BackupList = z.object({
  backups: z.array(Backup),
  pagination: Pagination,
  /** The backup in progress, regardless of the page. */
  underWay: Backup.nullable(),
  alarm: z.object({ isAlarm: z.boolean(), newestAt: Moment.nullable(), text: z.string() }),
  /** The id of the key that encrypts new backups. Null when BACKUP_KEY is not set. */
  keyId: z.string().nullable(),
  /** The storage location, in words. */
  place: z.string(),
  nightly: z
    .object({ nextRun: Moment.nullable(), isEnabled: z.boolean(), pausedReason: z.string().nullable() })
    .nullable(),
  retention: Retention,
})
export type BackupList = z.infer<typeof BackupList>

const params = z.strictObject({ id: IdText })
const notFound = [404, 'This backup does not exist.'] as const
const underWay = [409, 'A backup or verification is in progress. Wait for it to finish.'] as const
const notSetUp = [409, 'Backups are not set up. Set BACKUP_KEY and restart the server.'] as const

export const listBackups = defineCall({
  method: 'GET',
  path: '/api/backups',
  summary: 'List backups, newest first, with the alarm, the next run and the retention',
  permission: 'backups.initiate',
  query: z.strictObject(pageQuery({ limit: 10 })),
  reply: BackupList,
})

export const exportBackups = exportCall(listBackups, 'backups')

export const readBackup = defineCall({
  method: 'GET',
  path: '/api/backups/:id',
  summary: 'One backup with its tables',
  permission: 'backups.initiate',
  params,
  reply: BackupDetail,
  refusals: { not_found: notFound },
})

export const startBackup = defineCall({
  method: 'POST',
  path: '/api/backups',
  summary: 'Start a backup; it is verified by a restore into a scratch database',
  permission: 'backups.initiate',
  stepUp: true,
  body: z.strictObject({}),
  reply: Backup,
  refusals: { under_way: underWay, not_set_up: notSetUp },
})

export const verifyBackup = defineCall({
  method: 'POST',
  path: '/api/backups/:id/verify',
  summary: 'Verify a backup by a restore into a scratch database',
  permission: 'backups.initiate',
  stepUp: true,
  params,
  body: z.strictObject({}),
  reply: Backup,
  refusals: {
    not_found: notFound,
    under_way: underWay,
    not_set_up: notSetUp,
    no_file: [409, 'This backup has no file to verify.'],
  },
})
