import type { CallDefinition } from '@limber/contract/kit/call.ts'
import type { Config } from '#platform/config.ts'
import type { Work } from '#platform/db/work.ts'
import { refuse } from '#platform/http/refusal.ts'
import type { ReplyFacts, RequestFacts } from '#platform/http/routes.ts'
import { makeCsrfToken } from '#platform/security/csrf.ts'
import { hashToken, randomToken } from '#platform/security/secrets.ts'
import type { Services } from '#platform/services.ts'
import { accessMails } from '../mails.ts'
import type { RelyingParty } from '../passkeys/passkey.rules.ts'
import { findPerson } from '../workers/worker.queries.ts'
import {
  type Attempt,
  claimTry,
  countFailure,
  findAttempt,
  killAttempt,
  lockFailures,
  undoTry,
} from './attempt.queries.ts'
import type { Stage } from './attempt.rules.ts'
import { ATTEMPT_LIFE, MAX_TRIES, stuckReason } from './attempt.rules.ts'

type RefusalText = readonly [status: number, text: string]
export type StepCall = CallDefinition & { refusals: { sign_in_failed: RefusalText; slow_down: RefusalText } }
export type StepContext = Work & { request: RequestFacts; reply: ReplyFacts; services: Services }

export const partyOf = ({ hostname, publicUrl }: Pick<Config, 'hostname' | 'publicUrl'>): RelyingParty => ({
  id: hostname,
  origin: publicUrl,
})

/** Refuses with the text that all sign-in steps share. The reason goes to the audit log. */
export function failStep(
  { audit }: Pick<Work, 'audit'>,
  call: StepCall,
  reason: string,
  attempt?: Pick<Attempt, 'id' | 'worker_id'>,
  action = 'sign_in_refused',
): never {
  audit({
    action,
    outcome: 'refused',
    reason,
    subject: 'sign_in',
    ...(attempt && { subjectId: attempt.id }),
    ...(attempt?.worker_id && { workerId: attempt.worker_id }),
  })
  throw refuse(call, 'sign_in_failed', { reason, keepsWrites: true })
}

/** Counts a try and returns this browser's attempt if it is at an expected stage. Otherwise refuses. */
export async function claimAttempt(
  context: StepContext,
  call: StepCall,
  sessionToken: string,
  stages: readonly Stage[],
  claim = claimTry,
): Promise<Attempt> {
  const { db, now, request } = context
  const flowHash = hashToken(request.cookie('flow') ?? '')
  const tokenHash = hashToken(sessionToken)
  const attempt = await claim(db, flowHash, tokenHash, stages, now)
  if (attempt) return attempt
  const found = await findAttempt(db, flowHash)
  const reason = stuckReason(found, tokenHash, stages, now)
  if (found && (reason === 'expired' || reason === 'tries')) await killAttempt(db, found.id, reason)
  return failStep(context, call, reason, found)
}

/** A body with another ID than the attempt's shows tampering and ends the attempt. */
export async function checkClaim(context: StepContext, call: StepCall, attempt: Attempt, isTrue: boolean) {
  if (isTrue) return
  await killAttempt(context.db, attempt.id, 'claim')
  failStep(context, call, 'claim', attempt, 'sign_in_tampered')
}

/** Known and unknown browsers are counted separately, so that a stranger cannot lock a worker out. */
export const failureKey = ({ user_key, device_id }: Pick<Attempt, 'user_key' | 'device_id'>) =>
  `${user_key}:${device_id === null ? 'stranger' : 'known'}`

/** Enforces the delay after too many failures. A try within the delay is not checked and does not count. */
export async function enforceDelay(context: StepContext, call: StepCall, attempt: Attempt) {
  const { db, now, audit } = context
  const { blocked_until } = await lockFailures(db, failureKey(attempt), now)
  if (!blocked_until || blocked_until <= now) return
  await undoTry(db, attempt.id)
  audit({ action: 'sign_in_slowed', outcome: 'refused', reason: 'slowed', subject: 'sign_in', subjectId: attempt.id })
  const retryAfter = Math.ceil((blocked_until.getTime() - now.getTime()) / 1000)
  throw refuse(call, 'slow_down', { retryAfter, reason: 'slowed', keepsWrites: true })
}

/** Counts a failed try for the attempt and for the email. The fifth ends the attempt. */
export async function failTry(
  context: StepContext,
  call: StepCall,
  attempt: Attempt,
  reason: string,
  action?: string,
): Promise<never> {
  const { db, now, enqueue } = context
  await countFailure(db, failureKey(attempt), now)
  if (attempt.tries >= MAX_TRIES) {
    await killAttempt(db, attempt.id, 'tries')
    const person = attempt.worker_id === null ? undefined : await findPerson(db, attempt.worker_id)
    // At most one such email per hour, so that a stranger cannot flood an inbox.
    if (person) enqueue(accessMails.failedCodes(`${person.id}:${now.toISOString().slice(0, 13)}`, person))
  }
  return failStep(context, call, reason, attempt, action)
}

/** The attempt token and CSRF token for the next step. */
export function nextStep({ request, reply, services }: StepContext, flow = request.cookie('flow') ?? '') {
  const sessionToken = randomToken()
  const csrfToken = makeCsrfToken(services.keyring, flow)
  reply.setCookie('csrf', csrfToken, { httpOnly: false, maxAge: ATTEMPT_LIFE / 1000 })
  return { sessionToken, csrfToken, tokenHash: hashToken(sessionToken) }
}
