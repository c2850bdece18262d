import { finishStepUp, startStepUp } from '@limber/contract/access/sessions/session.ts'
import { MINUTE, shift } from '#platform/clock.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { makeCsrfToken } from '#platform/security/csrf.ts'
import { hashToken, randomToken } from '#platform/security/secrets.ts'
import { accessMails } from '../mails.ts'
import { findOwnPasskey } from '../passkeys/own-passkey.ts'
import { consumeChallenges, issueChallenge, listPasskeys, recordPasskeyUse } from '../passkeys/passkey.queries.ts'
import { checkAssertion, requestOptions } from '../passkeys/passkey.rules.ts'
import { partyOf } from '../sign-in/sign-in-step.ts'
import { findProofs } from '../workers/worker.queries.ts'
import { renewSession } from './session.queries.ts'

const LIFE = 10 * MINUTE

export const stepUpRoutes = [
  serve(startStepUp, async ({ worker, db, now, services }) => {
    const passkeys = await listPasskeys(db, worker.workerId)
    if (passkeys.length === 0) throw refuse(startStepUp, 'no_passkey')
    const challenge = await issueChallenge(db, `session:${worker.sessionId}`, 'get', now)
    return { options: requestOptions(challenge, partyOf(services.config), passkeys) }
  }),

  serve(
    finishStepUp,
    async ({ worker, body, db, now, audit, enqueue, reply, services }) => {
      const challenges = await consumeChallenges(db, `session:${worker.sessionId}`, 'get', now)
      const proofs = await findProofs(db, worker.workerId)
      if (!proofs) throw refuse(finishStepUp, 'passkey_failed', { reason: 'worker' })
      const find = (credentialId: Buffer) => findOwnPasskey(db, worker.workerId, credentialId)
      const owner = { handle: proofs.handle, find }
      const verdict = await checkAssertion(body.credential, challenges, partyOf(services.config), owner)
      if (!verdict.ok) {
        if (verdict.reason === 'counter')
          enqueue(accessMails.possibleClone(`session-${worker.sessionId}-${now.getTime()}`, proofs))
        throw refuse(finishStepUp, 'passkey_failed', { reason: verdict.reason, keepsWrites: true })
      }
      const { credentialId, counter, isBackedUp } = verdict.value
      const used = await find(credentialId)
      if ('id' in used) await recordPasskeyUse(db, used.id, counter, isBackedUp, now)
      // Rotate the token, so that a token leaked before does not gain the step-up.
      const sid = randomToken()
      if (!(await renewSession(db, worker.sessionId, hashToken(sid), now)))
        throw refuse(finishStepUp, 'passkey_failed', { reason: 'session', keepsWrites: true })
      const csrfToken = makeCsrfToken(services.keyring, sid)
      audit({ action: 'stepped_up', subject: 'session', subjectId: worker.sessionId })
      reply.setCookie('sid', sid, { httpOnly: true })
      reply.setCookie('csrf', csrfToken, { httpOnly: false })
      return { success: true as const, csrfToken, steppedUpUntil: shift(now, LIFE).toISOString() }
    },
    { isSecret: true },
  ),
]
