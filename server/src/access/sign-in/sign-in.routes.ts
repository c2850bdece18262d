import { randomInt } from 'node:crypto'
import { resendDeviceCode, verifyCredentials, verifyDeviceAuth } from '@limber/contract/access/sign-in/sign-in.ts'
import { shift } from '#platform/clock.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { countTry } from '#platform/security/limits.ts'
import { hashToken, type Keyring, randomToken, sameText } from '#platform/security/secrets.ts'
import { accessMails } from '../mails.ts'
import { issueChallenge, listPasskeys } from '../passkeys/passkey.queries.ts'
import { requestOptions } from '../passkeys/passkey.rules.ts'
import { advance, claimResend, findForSignIn, insertAttempt, replaceCode } from './attempt.queries.ts'
import { ATTEMPT_LIFE } from './attempt.rules.ts'
import {
  checkClaim,
  claimAttempt,
  enforceDelay,
  failStep,
  failTry,
  nextStep,
  partyOf,
  type StepContext,
} from './sign-in-step.ts'

const MAX_CODE_EMAILS = 10
const CODE_WINDOW_SECONDS = 15 * 60

const makeCode = () => String(randomInt(0, 1_000_000)).padStart(6, '0')
// Six digits are quickly brute-forced, so the stored MAC uses a key that is not in the database.
const macOf = (keyring: Keyring, deviceKey: string, code: string) => keyring.sign('device code', `${deviceKey}:${code}`)

/** Deterministic for known and unknown emails alike, so that it reveals nothing. */
const userKeyOf = (keyring: Keyring, email: string) => keyring.sign('sign-in user', email)

/** Limits code emails per address, for known and unknown addresses alike. */
async function checkMails({ db, now, audit }: StepContext, userKey: string) {
  const { isOver, retryAfter } = await countTry(db, `device code ${userKey}`, MAX_CODE_EMAILS, CODE_WINDOW_SECONDS, now)
  if (!isOver) return
  audit({ action: 'sign_in_slowed', outcome: 'refused', reason: 'code_mails', subject: 'sign_in' })
  throw refuse(verifyCredentials, 'slow_down', { retryAfter, reason: 'code_mails', keepsWrites: true })
}

const passkeyRequest = async ({ db, now, services }: StepContext, attemptId: number, workerId: number) =>
  requestOptions(
    await issueChallenge(db, `attempt:${attemptId}`, 'get', now),
    partyOf(services.config),
    await listPasskeys(db, workerId),
  )

export const signInRoutes = [
  serve(verifyCredentials, async (context) => {
    const { body, db, now, request, reply, audit, enqueue, services } = context
    const { email } = body
    const userKey = userKeyOf(services.keyring, email)
    const device = request.cookie('dev')
    const found = await findForSignIn(db, email, device ? hashToken(device) : null, now)
    const workerId = found?.worker_id ?? null
    const isKnown = found?.device_id != null && found.has_passkey
    if (!isKnown) await checkMails(context, userKey)
    const flow = randomToken()
    const { sessionToken, csrfToken, tokenHash } = nextStep(context, flow)
    const deviceKey = randomToken(16)
    const code = makeCode()
    const mac = macOf(services.keyring, deviceKey, code)
    const { id } = await insertAttempt(db, {
      workerId,
      email,
      userKey,
      deviceKey,
      deviceId: isKnown ? (found?.device_id ?? null) : null,
      flowHash: hashToken(flow),
      tokenHash,
      codeMac: workerId === null || isKnown ? null : mac,
      now,
      expiresAt: shift(now, ATTEMPT_LIFE),
    })
    // The outbox emails the address on file. The reply neither waits for it nor depends on it.
    if (found?.email && !isKnown) enqueue(accessMails.deviceCode(`${id}:1`, found.email, code))
    const options = isKnown && workerId !== null ? await passkeyRequest(context, id, workerId) : null
    audit({ action: 'sign_in_started', subject: 'sign_in', subjectId: id, ...(workerId && { workerId }) })
    reply.setCookie('flow', flow, { httpOnly: true, maxAge: ATTEMPT_LIFE / 1000 })
    const answer = { userId: userKey, deviceId: deviceKey, sessionToken, csrfToken }
    const hasMailServer = services.company.current().mail !== undefined
    return { ...answer, requiresPasskeySetup: false, requiresDeviceAuth: !isKnown, options, hasMailServer }
  }),

  serve(resendDeviceCode, async (context) => {
    const { body, db, now, request, reply, audit, enqueue, services } = context
    const attempt = await claimAttempt(context, resendDeviceCode, body.sessionToken, ['code_sent'], (tx, flow, token) =>
      claimResend(tx, flow, token, now),
    )
    await checkMails(context, attempt.user_key)
    const { sessionToken, csrfToken, tokenHash } = nextStep(context)
    const code = makeCode()
    const mac = macOf(services.keyring, attempt.device_key, code)
    await replaceCode(db, attempt.id, {
      codeMac: attempt.worker_id === null ? null : mac,
      tokenHash,
      expiresAt: shift(now, ATTEMPT_LIFE),
    })
    reply.setCookie('flow', request.cookie('flow') ?? '', { httpOnly: true, maxAge: ATTEMPT_LIFE / 1000 })
    if (attempt.worker_id !== null)
      enqueue(accessMails.deviceCode(`${attempt.id}:${attempt.sends}`, attempt.email, code))
    audit({ action: 'device_code_sent_again', subject: 'sign_in', subjectId: attempt.id })
    return { success: true as const, sessionToken, csrfToken }
  }),

  serve(verifyDeviceAuth, async (context) => {
    const { body, db, now, audit, services } = context
    const attempt = await claimAttempt(context, verifyDeviceAuth, body.sessionToken, ['code_sent'])
    const isOwn = body.email === attempt.email && body.deviceId === attempt.device_key
    await checkClaim(context, verifyDeviceAuth, attempt, isOwn)
    await enforceDelay(context, verifyDeviceAuth, attempt)
    const isRight = sameText(macOf(services.keyring, attempt.device_key, body.code), attempt.code_mac ?? '')
    if (attempt.worker_id === null) return failTry(context, verifyDeviceAuth, attempt, 'decoy')
    if (!isRight) return failTry(context, verifyDeviceAuth, attempt, 'device_code')
    const { sessionToken, csrfToken, tokenHash } = nextStep(context)
    const progress = { stage: 'device_ok', token_hash: tokenHash, device_ok_at: now, code_mac: null } as const
    if (!(await advance(db, attempt, progress, now))) return failStep(context, verifyDeviceAuth, 'worker', attempt)
    const hasPasskey = (await listPasskeys(db, attempt.worker_id)).length > 0
    const options = hasPasskey ? await passkeyRequest(context, attempt.id, attempt.worker_id) : null
    audit({ action: 'device_code_proven', subject: 'sign_in', subjectId: attempt.id, workerId: attempt.worker_id })
    return { success: true as const, sessionToken, csrfToken, requiresPasskeySetup: !hasPasskey, options }
  }),
]
