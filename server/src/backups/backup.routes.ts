import { listBackups, readBackup, startBackup, verifyBackup } from '@limber/contract/backups/backup.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import type { OutboxMessage } from '#platform/db/work.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { assessBackups } from './alarm.rules.ts'
import { backupKeyId } from './archive/backup-keys.ts'
import { describeLocation } from './archive/vault.ts'
import { presentBackup, presentDetail } from './backup.present.ts'
import {
  findBackup,
  findBackups,
  findInProgress,
  findVerified,
  insertBackup,
  readOverview,
  requestVerification,
} from './backup.queries.ts'
import { BACKUP_JOB, NIGHTLY } from './backups.jobs.ts'
import { RETENTION, selectKept } from './retention.rules.ts'

/** Starts the job after the transaction commits. Each request has its own key. */
const jobMessage = (id: number, now: Date, about: string): OutboxMessage => ({
  channel: 'job',
  key: `backup-${id}-${now.getTime()}`,
  payload: { name: BACKUP_JOB, data: { id } },
  about,
})

export const backupRoutes = [
  serve(listBackups, async ({ query: { page, limit }, db, now, services: { config } }) => {
    const rows = await findBackups(db, limit, (page - 1) * limit)
    const [kept, underWay] = [selectKept(await findVerified(db)), await findInProgress(db)]
    const { total, next_run_at, is_enabled, paused_reason, ...fresh } = await readOverview(db, NIGHTLY)
    const { key } = config.backup
    const alarm = assessBackups({ isSetUp: key !== undefined, ...fresh }, now)
    return {
      backups: rows.map((row) => presentBackup(row, kept.get(row.id))),
      pagination: paginate(page, limit, total),
      underWay: underWay ? presentBackup(underWay, kept.get(underWay.id)) : null,
      alarm: { ...alarm, newestAt: alarm.newestAt?.toISOString() ?? null },
      keyId: key === undefined ? null : backupKeyId(key),
      place: describeLocation(config),
      nightly: next_run_at && {
        nextRun: is_enabled ? next_run_at.toISOString() : null,
        isEnabled: is_enabled ?? false,
        pausedReason: paused_reason,
      },
      retention: RETENTION,
    }
  }),

  serve(readBackup, async ({ params, db }) => {
    const row = await findBackup(db, params.id)
    if (!row) throw refuse(readBackup, 'not_found')
    return presentDetail(row, selectKept(await findVerified(db)).get(row.id))
  }),

  serve(startBackup, async ({ worker, db, now, audit, publish, enqueue, services: { config } }) => {
    if (!config.backup.key) throw refuse(startBackup, 'not_set_up')
    const id = await insertBackup(db, { kind: 'manual', workerId: worker.workerId, now })
    const row = id === undefined ? undefined : await findBackup(db, id)
    if (!row) throw refuse(startBackup, 'under_way')
    enqueue(jobMessage(row.id, now, 'Make a backup'))
    audit({ action: 'backup_started', subject: 'backup', subjectId: row.id })
    publish('backups', { id: row.id })
    return presentBackup(row)
  }),

  serve(verifyBackup, async ({ params, db, now, audit, publish, enqueue, services: { config } }) => {
    const before = await findBackup(db, params.id)
    if (!before) throw refuse(verifyBackup, 'not_found')
    if (!config.backup.key) throw refuse(verifyBackup, 'not_set_up')
    if (before.state === 'failed') throw refuse(verifyBackup, 'no_file')
    const isTaken = await requestVerification(db, params.id, now)
    const row = await findBackup(db, params.id)
    if (!isTaken || !row) throw refuse(verifyBackup, 'under_way')
    enqueue(jobMessage(row.id, now, `Verify backup ${row.file}`))
    audit({ action: 'backup_verify_started', subject: 'backup', subjectId: row.id })
    publish('backups', { id: row.id })
    return presentBackup(row, selectKept(await findVerified(db)).get(row.id))
  }),
]
