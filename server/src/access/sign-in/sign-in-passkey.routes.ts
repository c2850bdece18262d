import {
  finishPasskeySetup,
  startPasskeySetup,
  startPasskeyStep,
  verifyPasskey,
} from '@limber/contract/access/sign-in/sign-in.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { countTry } from '#platform/security/limits.ts'
import { accessMails } from '../mails.ts'
import { findOwnPasskey } from '../passkeys/own-passkey.ts'
import { consumeChallenges, isPasskeyTaken, issueChallenge, listPasskeys } from '../passkeys/passkey.queries.ts'
import {
  type AssertionOwner,
  checkAssertion,
  checkRegistration,
  creationOptions,
  requestOptions,
} from '../passkeys/passkey.rules.ts'
import { findProofs, type Proofs } from '../workers/worker.queries.ts'
import { type Attempt, advance, claimStart, type PendingPasskey } from './attempt.queries.ts'
import { describeBrowser } from './attempt.rules.ts'
import { checkClaim, claimAttempt, enforceDelay, failStep, failTry, nextStep, partyOf } from './sign-in-step.ts'

const MAX_REGISTRATIONS_PER_DAY = 20
const DAY_SECONDS = 24 * 60 * 60

const listed = ({ credentialId, transports }: PendingPasskey) => ({
  credential_id: Buffer.from(credentialId, 'base64url'),
  transports,
})

/** The passkeys that this attempt may use: the one it registered, or the worker's own. */
const ownerOf = (db: Db, attempt: Attempt, worker: Proofs): AssertionOwner => ({
  handle: worker.handle,
  async find(credentialId) {
    const pending = attempt.pending_passkey
    if (attempt.stage !== 'passkey_pending' || !pending) return findOwnPasskey(db, worker.id, credentialId)
    if (credentialId.toString('base64url') !== pending.credentialId) return { reason: 'credential_not_allowed' }
    const publicKey = Buffer.from(pending.publicKey, 'base64url')
    return { credentialId, publicKey, counter: pending.counter, isBackupEligible: pending.isBackupEligible }
  },
})

export const signInPasskeyRoutes = [
  serve(startPasskeySetup, async (context) => {
    const { body, db, now, audit, services } = context
    const attempt = await claimAttempt(context, startPasskeySetup, body.sessionToken, ['device_ok'], claimStart)
    const worker = await findProofs(db, attempt.worker_id)
    if (!worker) return failStep(context, startPasskeySetup, 'worker', attempt)
    if (!worker.totp_confirmed_at) return failStep(context, startPasskeySetup, 'no_totp', attempt)
    const existing = await listPasskeys(db, worker.id)
    if (existing.length > 0) return failStep(context, startPasskeySetup, 'has_passkey', attempt)
    const { isOver, retryAfter } = await countTry(
      db,
      `register passkey ${worker.id}`,
      MAX_REGISTRATIONS_PER_DAY,
      DAY_SECONDS,
      now,
    )
    if (isOver) {
      audit({ action: 'passkey_setup_slowed', outcome: 'refused', reason: 'registrations', workerId: worker.id })
      throw refuse(startPasskeySetup, 'slow_down', { retryAfter, reason: 'registrations', keepsWrites: true })
    }
    const challenge = await issueChallenge(db, `attempt:${attempt.id}`, 'create', now)
    return { options: creationOptions(challenge, partyOf(services.config), worker, existing) }
  }),

  serve(finishPasskeySetup, async (context) => {
    const { body, db, now, audit, request, services } = context
    const call = finishPasskeySetup
    const attempt = await claimAttempt(context, call, body.sessionToken, ['device_ok'])
    const challenges = await consumeChallenges(db, `attempt:${attempt.id}`, 'create', now)
    const party = partyOf(services.config)
    const verdict = await checkRegistration(body.credential, challenges, party)
    if (!verdict.ok) return failTry(context, call, attempt, verdict.reason)
    const made = verdict.value
    if (await isPasskeyTaken(db, made.credentialId)) return failTry(context, call, attempt, 'credential_taken')
    const pending: PendingPasskey = {
      ...made,
      credentialId: made.credentialId.toString('base64url'),
      publicKey: made.publicKey.toString('base64url'),
      name: describeBrowser(request.browser),
    }
    const { sessionToken, csrfToken, tokenHash } = nextStep(context)
    const progress = {
      stage: 'passkey_pending',
      token_hash: tokenHash,
      pending_passkey: JSON.stringify(pending),
    } as const
    if (!(await advance(db, attempt, progress, now))) return failStep(context, call, 'worker', attempt)
    const challenge = await issueChallenge(db, `attempt:${attempt.id}`, 'get', now)
    audit({ action: 'passkey_set_up', subject: 'sign_in', subjectId: attempt.id, workerId: attempt.worker_id ?? 0 })
    return { sessionToken, csrfToken, options: requestOptions(challenge, party, [listed(pending)]) }
  }),

  serve(startPasskeyStep, async (context) => {
    const { body, db, now, services } = context
    const stages = ['device_ok', 'passkey_pending'] as const
    const attempt = await claimAttempt(context, startPasskeyStep, body.sessionToken, stages, claimStart)
    const worker = await findProofs(db, attempt.worker_id)
    if (!worker) return failStep(context, startPasskeyStep, 'worker', attempt)
    const pending = attempt.pending_passkey
    const allowed = pending ? [listed(pending)] : await listPasskeys(db, worker.id)
    if (allowed.length === 0) return failStep(context, startPasskeyStep, 'no_passkey', attempt)
    await consumeChallenges(db, `attempt:${attempt.id}`, 'get', now)
    const challenge = await issueChallenge(db, `attempt:${attempt.id}`, 'get', now)
    return { options: requestOptions(challenge, partyOf(services.config), allowed) }
  }),

  serve(verifyPasskey, async (context) => {
    const { body, db, now, audit, enqueue, services } = context
    const call = verifyPasskey
    const attempt = await claimAttempt(context, call, body.sessionToken, ['device_ok', 'passkey_pending'])
    await checkClaim(context, call, attempt, body.email === attempt.email)
    await enforceDelay(context, call, attempt)
    const challenges = await consumeChallenges(db, `attempt:${attempt.id}`, 'get', now)
    const worker = await findProofs(db, attempt.worker_id)
    if (!worker) return failStep(context, call, 'worker', attempt)
    const owner = ownerOf(db, attempt, worker)
    const verdict = await checkAssertion(body.credential, challenges, partyOf(services.config), owner)
    if (!verdict.ok) {
      if (verdict.reason !== 'counter') return failTry(context, call, attempt, verdict.reason)
      enqueue(accessMails.possibleClone(`attempt-${attempt.id}`, worker))
      return failTry(context, call, attempt, verdict.reason, 'possible_clone')
    }
    const used = attempt.pending_passkey ? undefined : await findOwnPasskey(db, worker.id, verdict.value.credentialId)
    const { sessionToken, csrfToken, tokenHash } = nextStep(context)
    const progress = {
      stage: 'passkey_ok',
      token_hash: tokenHash,
      passkey_ok_at: now,
      passkey_id: used && 'id' in used ? used.id : null,
      passkey_counter: verdict.value.counter,
      passkey_backed_up: verdict.value.isBackedUp,
    } as const
    if (!(await advance(db, attempt, progress, now))) return failStep(context, call, 'worker', attempt)
    audit({ action: 'passkey_proven', subject: 'sign_in', subjectId: attempt.id, workerId: worker.id })
    return { success: true as const, sessionToken, csrfToken, requires2FA: true as const }
  }),
]
