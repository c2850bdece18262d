import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SECOND } from '#platform/clock.ts'
import { runWork } from '#platform/db/work.ts'
import { keepAlive } from '#platform/jobs/lease.ts'
import { root } from '#platform/paths.ts'
import type { Services } from '#platform/services.ts'
import { describeError } from '#platform/telemetry/log.ts'
import type { ArchiveSummary } from './archive/archive.ts'
import { BackupError, type BackupKeys, readBackupKeys, VerificationUnavailable } from './archive/backup-keys.ts'
import { copyFiles, findLostFiles, lostFileText } from './archive/copy-files.ts'
import { readSealedHead } from './archive/read-archive.ts'
import { beginSnapshot, copyTable, estimateRows, readSequences } from './archive/snapshot.queries.ts'
import { fileName, openVault, sweepVault, type Vault } from './archive/vault.ts'
import { writeArchive } from './archive/write-archive.ts'
import { finishWork, type Progress, recordWritten, renewLease, startWork } from './backup.queries.ts'
import { takeBackupLock, withLongConnection } from './restore/connection.queries.ts'
import { sweepScratches, verifyByRestore } from './restore/scratch.queries.ts'
import { prune, syncVault } from './retention.ts'

/** The services that a backup needs. The command line provides only these. */
export type BackupServices = Pick<Services, 'config' | 'db' | 'clock' | 'log' | 'keyring' | 'storage'>

const productVersion = async () => String(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).version)

const PROGRESS_INTERVAL = SECOND
const MAX_TRIES = 3

/** A readable message for common storage failures. */
export function errorText(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The backup storage is full.'
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'].includes(code)) return 'The backup storage is not writable.'
  return String(describeError(error).reason ?? 'failed')
}

/** Renews the lease and publishes the progress. */
const publishProgress = (services: BackupServices, id: number, progress?: Progress) =>
  runWork(services, { call: 'backup' }, async ({ db, publish }) => {
    await renewLease(db, id, progress)
    publish('backups', { id })
  })

/** Copies everything into the vault from one snapshot. */
async function copyAll(
  services: BackupServices,
  vault: Vault,
  keys: BackupKeys,
  onProgress: (progress: Progress) => void,
) {
  const { config, clock, keyring } = services
  // The snapshot comes first, so every file that its rows reference already exists.
  return withLongConnection(config.databaseUrl, async (client) => {
    const rowsExpected = await estimateRows(client)
    const { tables, origin } = await beginSnapshot(client, clock.now())
    const { files, fresh } = await copyFiles(services, vault, keys, (done) =>
      onProgress({ stage: 'files', done, total: 0, rows: 0, rowsExpected }),
    )
    let [done, rows] = [0, 0]
    const report = () => onProgress({ stage: 'copying', done, total: tables.length, rows, rowsExpected })
    report()
    const file = fileName(new Date(origin.takenAt))
    const { size, summary } = await writeArchive(vault, file, keys, {
      head: { ...origin, product: await productVersion(), secretKeyId: keyring.keyId },
      tables,
      files,
      rows: (table, onEnd) =>
        copyTable(client, table, (sum) => {
          done++
          rows += sum.rows
          report()
          onEnd(sum)
        }),
      sequences: () => readSequences(client),
    })
    await client.query('rollback')
    return { file, size, summary, fresh, keyId: keys.keyId, takenAt: new Date(origin.takenAt) }
  })
}

/** Verifies a backup by restoring it. */
async function verifyFile(
  services: BackupServices,
  vault: Vault,
  keys: BackupKeys,
  { file, tables, fresh }: { file: string; tables: number; fresh: 'all' | ReadonlySet<string> },
  onProgress: (progress: Progress) => void,
): Promise<ArchiveSummary> {
  const { databaseUrl, backup } = services.config
  const report = (done: number) => onProgress({ stage: 'checking', done, total: tables, rows: 0, rowsExpected: 0 })
  report(0)
  const summary = await verifyByRestore({ databaseUrl, scratchUrl: backup.scratchUrl }, vault, file, keys, report)
  const [first, ...others] = await findLostFiles(vault, keys, summary.files, fresh)
  const more =
    others.length === 0 ? '' : ` ${others.length} more ${others.length === 1 ? 'is' : 'are'} missing or damaged.`
  if (first) throw new BackupError(lostFileText(first) + more)
  return summary
}

/** Makes the backup unless its file already exists, then verifies it. */
async function work(
  services: BackupServices,
  id: number,
  vault: Vault,
  keys: BackupKeys,
  onProgress: (progress: Progress) => void,
) {
  const { db, clock, log } = services
  const row = await startWork(db, id, clock.now())
  if (!row) return
  try {
    if (row.tries > MAX_TRIES) throw new BackupError('The process working on it was lost too many times.')
    let fresh: 'all' | ReadonlySet<string> = 'all'
    let [file, tables] = [row.file, row.tables ?? 0]
    if (file === null) {
      const written = await copyAll(services, vault, keys, onProgress)
      await recordWritten(db, id, written)
      ;({ file, fresh } = written)
      tables = written.summary.tables.length
    }
    try {
      const summary = await verifyFile(services, vault, keys, { file, tables, fresh }, onProgress)
      const { keyId } = await readSealedHead(vault, file)
      await finishWork(db, id, { state: 'verified', summary, keyId }, clock.now())
    } catch (error) {
      log.error('a backup was not verified', describeError(error))
      // Only a defect found by the verification counts against the backup, not, report, a database that is down.
      const isDamaged = error instanceof BackupError && !(error instanceof VerificationUnavailable)
      await finishWork(db, id, { state: 'unverified', error: errorText(error), isDamaged }, clock.now())
    }
  } catch (error) {
    log.error('a backup failed', describeError(error))
    await finishWork(db, id, { state: 'failed', error: errorText(error) }, clock.now())
  }
}

/**
 * Makes or verifies one backup under a lock, so one process works at a time. A killed run resumes from its last completed
 * step.
 */
export async function runBackup(services: BackupServices, id: number): Promise<void> {
  const { config, db, clock, storage } = services
  await withLongConnection(config.databaseUrl, async (client) => {
    if (!(await takeBackupLock(client))) throw new BackupError('Another process is working on a backup.')
    try {
      const keys = readBackupKeys(config)
      const vault = await openVault(config, storage)
      await sweepVault(vault)
      await sweepScratches({ databaseUrl: config.databaseUrl, scratchUrl: config.backup.scratchUrl })
      let progress: Progress | undefined
      const onProgress = (next: Progress) => {
        progress = next
      }
      const beat = () => publishProgress(services, id, progress)
      await keepAlive(services.log, PROGRESS_INTERVAL, beat, () => work(services, id, vault, keys, onProgress))
      await syncVault(db, vault)
      await prune(services, vault)
    } catch (error) {
      await finishWork(db, id, { state: 'failed', error: errorText(error) }, clock.now())
      services.log.error('a backup failed', describeError(error))
    } finally {
      await publishProgress(services, id).catch(() => {})
    }
  })
}
