import { checkSession, signOut, signOutEverywhere } from '@limber/contract/access/sessions/session.ts'
import { MINUTE, shift } from '#platform/clock.ts'
import { type ReplyFacts, serve } from '#platform/http/routes.ts'
import { isKnownToken, makeCsrfToken } from '#platform/security/csrf.ts'
import { isSteppedUp } from '#platform/security/guard-request.ts'
import { endSession, endSessions } from './session.queries.ts'

function clearBrowser(reply: ReplyFacts) {
  reply.clearCookie('sid')
  reply.clearCookie('csrf')
  reply.header('clear-site-data', '"cache", "storage"')
}

export const sessionRoutes = [
  serve(checkSession, ({ worker, now, request, reply, services: { keyring, config, company } }) => {
    // A sign-in started in another tab overwrites the CSRF cookie, so restore the one of this session.
    const sid = request.cookie('sid') ?? ''
    if (!isKnownToken(keyring, sid, request.cookie('csrf')))
      reply.setCookie('csrf', makeCsrfToken(keyring, sid), { httpOnly: false })
    const { name, timeZone, weekStartsOn, state, logo, mapStart, mail } = company.current()
    return {
      worker: { permissions: [...worker.permissions], name: worker.name, email: worker.email, role: worker.role },
      workerId: worker.workerId,
      steppedUpUntil:
        worker.steppedUpAt && isSteppedUp(worker, now) ? shift(worker.steppedUpAt, 10 * MINUTE).toISOString() : null,
      isSample: config.isSample,
      hasMailServer: mail !== undefined,
      company: { name, timeZone, weekStartsOn, state, logo, mapStart },
    }
  }),
  serve(signOut, async ({ worker, db, now, audit, publish, reply }) => {
    await endSession(db, worker.sessionId, 'signed out', now)
    audit({ action: 'signed_out', subject: 'session', subjectId: worker.sessionId })
    publish('session', { workerId: worker.workerId })
    clearBrowser(reply)
    return { success: true as const }
  }),
  serve(signOutEverywhere, async ({ worker, db, now, audit, publish, reply }) => {
    const ended = await endSessions(db, worker.workerId, 'signed out everywhere', now)
    audit({ action: 'signed_out_everywhere', subject: 'worker', subjectId: worker.workerId, after: { ended } })
    publish('session', { workerId: worker.workerId })
    publish('access', { about: worker.workerId })
    clearBrowser(reply)
    return { success: true as const, ended }
  }),
]
