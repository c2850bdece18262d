import { finalizeLogin, verifyTwoFactor } from '@limber/contract/access/sign-in/sign-in.ts'
import { shift } from '#platform/clock.ts'
import { serve } from '#platform/http/routes.ts'
import { makeCsrfToken } from '#platform/security/csrf.ts'
import { hashToken, randomToken } from '#platform/security/secrets.ts'
import { accessMails } from '../mails.ts'
import { endSessions } from '../sessions/session.queries.ts'
import { findPerson, findProofs, lockWorker, type Proofs } from '../workers/worker.queries.ts'
import { clearFailures, findAttempt, killAttempt } from './attempt.queries.ts'
import { DEVICE_LIFE, describeBrowser, MAX_TOTP_FAILURES, stuckReason } from './attempt.rules.ts'
import { consumeTotpStep, countTotpFailure, openSession } from './sign-in-finish.queries.ts'
import {
  checkClaim,
  claimAttempt,
  enforceDelay,
  failStep,
  failTry,
  failureKey,
  nextStep,
  type StepContext,
} from './sign-in-step.ts'
import { matchTotp } from './totp.rules.ts'

/** Counts a wrong code for the app across all attempts. After 100 in a row the app is turned off. */
async function noteWrongCode({ db, now, audit, publish, enqueue }: StepContext, worker: Proofs) {
  const failures = await countTotpFailure(db, worker.id, MAX_TOTP_FAILURES)
  if (failures !== MAX_TOTP_FAILURES) return
  audit({ action: 'two_factor_switched_off', subject: 'worker', subjectId: worker.id, workerId: worker.id })
  await endSessions(db, worker.id, 'two-factor codes turned off', now)
  publish('session', { workerId: worker.id })
  enqueue(accessMails.twoFactorOff(`${worker.id}:${now.getTime()}`, worker))
}

export const signInFinishRoutes = [
  serve(verifyTwoFactor, async (context) => {
    const { body, db, now, audit, services } = context
    const call = verifyTwoFactor
    const attempt = await claimAttempt(context, call, body.sessionToken, ['passkey_ok'])
    await checkClaim(context, call, attempt, body.userId === attempt.user_key)
    await enforceDelay(context, call, attempt)
    const worker = await findProofs(db, attempt.worker_id)
    if (!worker) return failStep(context, call, 'worker', attempt)
    if (!worker.totp_secret || !worker.totp_confirmed_at) return failTry(context, call, attempt, 'no_totp')
    const step = matchTotp(services.keyring.open('totp', worker.totp_secret), body.code, now)
    if (step === undefined) {
      await noteWrongCode(context, worker)
      return failTry(context, call, attempt, 'totp')
    }
    const { sessionToken, csrfToken, tokenHash } = nextStep(context)
    // One statement uses the time step and advances the attempt, so that a code works once under concurrency.
    if (!(await consumeTotpStep(db, attempt, step, tokenHash, now))) {
      await noteWrongCode(context, worker)
      return failTry(context, call, attempt, 'totp_replayed')
    }
    audit({ action: 'two_factor_proven', subject: 'sign_in', subjectId: attempt.id, workerId: worker.id })
    return { success: true as const, sessionToken, csrfToken }
  }),

  serve(finalizeLogin, async (context) => {
    const { body, db, now, audit, enqueue, publish, request, reply, services } = context
    const call = finalizeLogin
    const attempt = await findAttempt(db, hashToken(request.cookie('flow') ?? ''))
    const tokenHash = hashToken(body.sessionToken)
    if (attempt?.token_hash.equals(tokenHash) && attempt.stage !== 'consumed')
      await checkClaim(context, call, attempt, body.userId === attempt.user_key)
    if (attempt?.worker_id) await lockWorker(db, attempt.worker_id)
    const [sid, device] = [randomToken(), randomToken()]
    const label = describeBrowser(request.browser)
    const opened = await openSession(db, {
      flowHash: hashToken(request.cookie('flow') ?? ''),
      tokenHash,
      userKey: body.userId,
      sidHash: hashToken(sid),
      deviceHash: hashToken(device),
      deviceLabel: label,
      deviceExpiresAt: shift(now, DEVICE_LIFE),
      address: request.address,
      browser: request.browser,
      now,
    })
    if (!opened) {
      const reason = stuckReason(attempt, tokenHash, ['totp_ok'], now)
      if (attempt && reason === 'expired') await killAttempt(db, attempt.id, reason)
      return failStep(context, call, reason === 'limit' ? 'not_proven' : reason, attempt)
    }
    if (attempt) await clearFailures(db, failureKey(attempt))
    const person = await findPerson(db, opened.worker_id)
    if (person && opened.new_device_id) enqueue(accessMails.newDevice(opened.new_device_id, person, label))
    if (person && opened.new_passkey_id) enqueue(accessMails.newPasskey(opened.new_passkey_id, person, label))
    audit({ action: 'signed_in', subject: 'session', subjectId: opened.session_id, workerId: opened.worker_id })
    publish('access', { about: opened.worker_id })
    reply.clearCookie('flow')
    reply.setCookie('sid', sid, { httpOnly: true })
    reply.setCookie('csrf', makeCsrfToken(services.keyring, sid), { httpOnly: false })
    if (opened.new_device_id) reply.setCookie('dev', device, { httpOnly: true, maxAge: DEVICE_LIFE / 1000 })
    return { success: true as const, workerId: opened.worker_id }
  }).expecting({ passkeys_credential_id_key: 'conflict' }),
]
