import {
  endMySession,
  finishAddPasskey,
  readProfile,
  removePasskey,
  renamePasskey,
  renewRecoveryCodes,
  revokeMyDevice,
  startAddPasskey,
} from '@limber/contract/access/profile/profile.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { countTry } from '#platform/security/limits.ts'
import { accessMails } from '../mails.ts'
import {
  consumeChallenges,
  insertPasskey,
  issueChallenge,
  listPasskeys,
  renameOwnPasskey,
  revokeOwnPasskey,
} from '../passkeys/passkey.queries.ts'
import { checkRegistration, creationOptions } from '../passkeys/passkey.rules.ts'
import { countRecoveryCodes, replaceRecoveryCodes } from '../recovery/recovery.queries.ts'
import { makeRecoveryCodes } from '../recovery/recovery.rules.ts'
import {
  endOtherSessions,
  endOwnSession,
  listDevices,
  listSessions,
  revokeOwnDevice,
} from '../sessions/session.queries.ts'
import { describeBrowser } from '../sign-in/attempt.rules.ts'
import { partyOf } from '../sign-in/sign-in-step.ts'
import { findProofs, findWorker } from '../workers/worker.queries.ts'
import { presentDevice, presentPasskey, presentPermissions, presentSession } from './profile.present.ts'

const MAX_REGISTRATIONS_PER_DAY = 20
const DAY_SECONDS = 24 * 60 * 60
const done = { success: true as const }

export const profileRoutes = [
  serve(readProfile, async ({ worker, db, now }) => {
    const [record, passkeys, sessions, devices, recoveryCodesLeft] = await Promise.all([
      findWorker(db, worker.workerId, now),
      listPasskeys(db, worker.workerId),
      listSessions(db, worker.workerId, now),
      listDevices(db, worker.workerId, now),
      countRecoveryCodes(db, worker.workerId),
    ])
    const deviceId = sessions.find((session) => session.id === worker.sessionId)?.device_id ?? null
    return {
      id: worker.workerId,
      name: worker.name,
      email: worker.email,
      role: worker.role,
      version: record?.version ?? 0,
      permissions: presentPermissions([...worker.permissions]),
      passkeys: passkeys.map(presentPasskey),
      sessions: sessions.map((row) => presentSession(row, worker.sessionId)),
      devices: devices.map((row) => presentDevice(row, deviceId)),
      recoveryCodesLeft,
      multiDeviceAt: record?.multi_device_at?.toISOString() ?? null,
    }
  }),

  serve(startAddPasskey, async ({ worker, db, now, services }) => {
    const proofs = await findProofs(db, worker.workerId)
    const { isOver, retryAfter } = await countTry(
      db,
      `register passkey ${worker.workerId}`,
      MAX_REGISTRATIONS_PER_DAY,
      DAY_SECONDS,
      now,
    )
    if (isOver || !proofs) throw refuse(startAddPasskey, 'slow_down', { retryAfter, keepsWrites: true })
    const challenge = await issueChallenge(db, `profile:${worker.sessionId}`, 'create', now)
    const existing = await listPasskeys(db, worker.workerId)
    return { options: creationOptions(challenge, partyOf(services.config), proofs, existing) }
  }),

  serve(finishAddPasskey, async ({ worker, body, db, now, audit, enqueue, publish, request, services }) => {
    const challenges = await consumeChallenges(db, `profile:${worker.sessionId}`, 'create', now)
    const verdict = await checkRegistration(body.credential, challenges, partyOf(services.config))
    const name = body.name ?? describeBrowser(request.browser)
    const made = verdict.ok
      ? await insertPasskey(db, verdict.value, { workerId: worker.workerId, name }, now)
      : undefined
    if (!made) {
      const reason = verdict.ok ? 'credential_taken' : verdict.reason
      audit({ action: 'passkey_refused', outcome: 'refused', reason, subject: 'worker', subjectId: worker.workerId })
      throw refuse(finishAddPasskey, 'passkey_failed', { reason, keepsWrites: true })
    }
    audit({ action: 'passkey_added', subject: 'passkey', subjectId: made.id, after: { name } })
    enqueue(accessMails.newPasskey(made.id, { id: worker.workerId, email: worker.email, name: worker.name }, name))
    await endOtherSessions(db, worker.workerId, worker.sessionId, now)
    publish('session', { workerId: worker.workerId })
    publish('access', { about: worker.workerId })
    return { passkey: presentPasskey(made) }
  }),

  serve(renamePasskey, async ({ worker, params, body, db, audit }) => {
    const renamed = await renameOwnPasskey(db, worker.workerId, params.id, body.name)
    if (!renamed) throw refuse(renamePasskey, 'not_found')
    audit({ action: 'passkey_renamed', subject: 'passkey', subjectId: params.id, after: { name: body.name } })
    return { passkey: presentPasskey(renamed) }
  }),

  serve(removePasskey, async ({ worker, params, db, now, audit, publish }) => {
    const outcome = await revokeOwnPasskey(db, worker.workerId, params.id, now)
    if (outcome !== 'removed') throw refuse(removePasskey, outcome)
    audit({ action: 'passkey_removed', subject: 'passkey', subjectId: params.id })
    await endOtherSessions(db, worker.workerId, worker.sessionId, now)
    publish('session', { workerId: worker.workerId })
    publish('access', { about: worker.workerId })
    return done
  }),

  serve(endMySession, async ({ worker, params, db, now, audit, publish }) => {
    if (!(await endOwnSession(db, worker.workerId, params.id, now))) throw refuse(endMySession, 'not_found')
    audit({ action: 'session_ended', subject: 'session', subjectId: params.id })
    publish('session', { workerId: worker.workerId })
    publish('access', { about: worker.workerId })
    return done
  }),

  serve(revokeMyDevice, async ({ worker, params, db, now, audit, publish }) => {
    if (!(await revokeOwnDevice(db, worker.workerId, params.id, now))) throw refuse(revokeMyDevice, 'not_found')
    audit({ action: 'device_revoked', subject: 'device', subjectId: params.id })
    publish('access', { about: worker.workerId })
    return done
  }),

  serve(
    renewRecoveryCodes,
    async ({ worker, db, now, audit, enqueue }) => {
      const recoveryCodes = makeRecoveryCodes()
      await replaceRecoveryCodes(db, worker.workerId, recoveryCodes, now)
      audit({ action: 'recovery_codes_renewed', subject: 'worker', subjectId: worker.workerId })
      const person = { id: worker.workerId, email: worker.email, name: worker.name }
      enqueue(accessMails.codesRenewed(`${worker.workerId}:${now.getTime()}`, person))
      return { recoveryCodes }
    },
    { isSecret: true },
  ),
]
