import type { RecoveryRequest, WorkerDetail, WorkerRow } from '@limber/contract/access/workers/worker.ts'
import type { Db } from '#platform/db/db.ts'
import { listPasskeys } from '../passkeys/passkey.queries.ts'
import { presentDevice, presentPasskey, presentPermissions, presentSession } from '../profile/profile.present.ts'
import { countRecoveryCodes, type RecoveryRow } from '../recovery/recovery.queries.ts'
import { listDevices, listSessions } from '../sessions/session.queries.ts'
import { findWorker, type WorkerRecord } from './worker.queries.ts'

export const presentWorker = (row: WorkerRecord): WorkerRow => ({
  id: row.id,
  name: row.name,
  email: row.email,
  role: row.role,
  status: row.status,
  permissions: presentPermissions(row.permissions),
  lastSeenAt: row.last_seen_at?.toISOString() ?? null,
  openSessions: row.open_sessions,
  link: row.link,
  createdAt: row.created_at.toISOString(),
  version: row.version,
})

/** One worker with passkeys, sessions and browsers. */
export async function presentWorkerById(db: Db, id: number, now: Date): Promise<WorkerDetail | undefined> {
  const row = await findWorker(db, id, now)
  return row && presentWorkerDetail(db, row, now)
}

export async function presentWorkerDetail(db: Db, row: WorkerRecord, now: Date): Promise<WorkerDetail> {
  const { id } = row
  const passkeys = await listPasskeys(db, id)
  const sessions = await listSessions(db, id, now)
  const devices = await listDevices(db, id, now)
  return {
    ...presentWorker(row),
    passkeys: passkeys.map(presentPasskey),
    sessions: sessions.map((session) => presentSession(session, 0)),
    devices: devices.map((device) => presentDevice(device, null)),
    recoveryCodesLeft: await countRecoveryCodes(db, id),
    hasTwoFactor: row.has_two_factor,
    linkExpiresAt: row.link_expires_at?.toISOString() ?? null,
    isLastOwner: row.is_last_owner,
  }
}

export const presentRecovery = (row: RecoveryRow, readerId: number, now: Date): RecoveryRequest => ({
  id: row.id,
  worker: { id: row.worker_id, name: row.name, email: row.email },
  state: row.state === 'open' && row.expires_at <= now ? 'expired' : row.state,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  address: row.address,
  decidedBy: row.decided_by,
  decidedAt: row.decided_at?.toISOString() ?? null,
  isOwn: row.worker_id === readerId,
})
