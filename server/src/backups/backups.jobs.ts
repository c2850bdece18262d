import { runWork } from '#platform/db/work.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Schedule } from '#platform/jobs/schedules.ts'
import { BackupError } from './archive/backup-keys.ts'
import { findBackup, findInProgress, insertBackup } from './backup.queries.ts'
import { type BackupServices, runBackup } from './run-backup.ts'

/** The name of the job queue. */
export const BACKUP_JOB = 'backup'
/** The name of the nightly schedule. */
export const NIGHTLY = 'backup'

export const backupJobs: readonly Job[] = [
  { name: BACKUP_JOB, run: (services, data) => runBackup(services, Number(data.id)) },
]

/** Resumes a nightly backup whose process was killed. Skips the night if a worker is already making one. */
async function makeNightly(services: BackupServices) {
  const { db } = services
  const open = await findInProgress(db)
  const id =
    open?.kind === 'nightly'
      ? open.id
      : await runWork(services, { call: 'schedule' }, (work) =>
          insertBackup(work.db, { kind: 'nightly', now: work.now }),
        )
  if (id === undefined) return { skipped: 'Another backup was in progress.' }
  await runBackup(services, id)
  const made = await findBackup(db, id)
  // Fails the run of the schedule, so that the failure shows there.
  if (made?.state !== 'verified') throw new BackupError(made?.error ?? 'The backup did not finish.')
  return { file: made.file, size: made.size, rows: made.rows }
}

export const backupSchedules: readonly Schedule[] = [
  {
    name: NIGHTLY,
    title: 'Back up the database and verify the copy',
    cron: '30 3 * * *',
    zone: 'company',
    run: makeNightly,
  },
]
