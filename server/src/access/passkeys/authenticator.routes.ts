import { confirmAuthenticator, startAuthenticator } from '@limber/contract/access/passkeys/authenticator.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { countTry } from '#platform/security/limits.ts'
import { accessMails } from '../mails.ts'
import { endOtherSessions } from '../sessions/session.queries.ts'
import { makeTotpSecret, matchTotp, totpUri } from '../sign-in/totp.rules.ts'
import { claimReplacementTry, replaceTotp, storeReplacement } from './authenticator.queries.ts'

const MAX_STARTS_PER_DAY = 20
const DAY_SECONDS = 24 * 60 * 60

export const authenticatorRoutes = [
  serve(
    startAuthenticator,
    async ({ worker, db, now, audit, services }) => {
      const { isOver, retryAfter } = await countTry(
        db,
        `authenticator ${worker.workerId}`,
        MAX_STARTS_PER_DAY,
        DAY_SECONDS,
        now,
      )
      if (isOver) throw refuse(startAuthenticator, 'slow_down', { retryAfter, keepsWrites: true })
      const secret = makeTotpSecret()
      await storeReplacement(db, worker.workerId, services.keyring.seal('totp', secret), now)
      audit({ action: 'authenticator_begun', subject: 'worker', subjectId: worker.workerId })
      const { toDataURL } = await import('qrcode')
      return { mfa: { qrCodeDataURL: await toDataURL(totpUri(secret, worker.email)), secret } }
    },
    { isSecret: true },
  ),

  serve(confirmAuthenticator, async ({ worker, body, db, now, audit, enqueue, publish, services }) => {
    const found = await claimReplacementTry(db, worker.workerId, now)
    if (!found) throw refuse(confirmAuthenticator, 'no_secret')
    const step = matchTotp(services.keyring.open('totp', found.secret), body.code, now)
    const about = { subject: 'worker' as const, subjectId: worker.workerId }
    if (step === undefined) {
      audit({ action: 'authenticator_refused', outcome: 'refused', reason: 'totp', ...about })
      throw refuse(confirmAuthenticator, 'wrong_code', { reason: 'totp', keepsWrites: true })
    }
    await replaceTotp(db, worker.workerId, found.secret, step, now)
    audit({ action: 'authenticator_replaced', ...about })
    const person = { id: worker.workerId, email: worker.email, name: worker.name }
    enqueue(accessMails.authenticatorReplaced(`${worker.workerId}:${now.getTime()}`, person))
    await endOtherSessions(db, worker.workerId, worker.sessionId, now)
    publish('session', { workerId: worker.workerId })
    publish('access', { about: worker.workerId })
    return { success: true as const }
  }),
]
