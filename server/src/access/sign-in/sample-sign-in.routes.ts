import { signInToSample } from '@limber/contract/access/sign-in/sign-in.ts'
import { HOUR, shift } from '#platform/clock.ts'
import { refusals, refuse } from '#platform/http/refusal.ts'
import { type RequestFacts, serve } from '#platform/http/routes.ts'
import { makeCsrfToken } from '#platform/security/csrf.ts'
import { hashToken, randomToken } from '#platform/security/secrets.ts'
import { openSampleSession } from './sample-sign-in.queries.ts'

const proxyHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']
const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** Directly from this machine, without a proxy. */
const isLocal = ({ raw }: RequestFacts) =>
  loopback.has(raw.socket.remoteAddress ?? '') && proxyHeaders.every((name) => raw.headers[name] === undefined)

export const sampleSignInRoutes = [
  serve(signInToSample, async ({ body, db, now, audit, request, reply, services: { config, keyring } }) => {
    if (!config.isSample || !isLocal(request)) throw refusals.notFound()
    const sid = randomToken()
    const opened = await openSampleSession(db, {
      keyHash: hashToken(body.key),
      sidHash: hashToken(sid),
      now,
      // A visitor has no passkey, so the whole session counts as stepped up.
      steppedUpAt: shift(now, 12 * HOUR),
      address: request.address,
      browser: request.browser,
    })
    if (!opened) {
      audit({ action: 'sample_door_refused', outcome: 'refused', reason: 'sample_key', subject: 'sign_in' })
      throw refuse(signInToSample, 'door_closed', { reason: 'sample_key', keepsWrites: true })
    }
    audit({ action: 'sample_door_opened', subject: 'session', subjectId: opened.id, workerId: opened.worker_id })
    reply.setCookie('sid', sid, { httpOnly: true })
    reply.setCookie('csrf', makeCsrfToken(keyring, sid), { httpOnly: false })
    return { success: true as const, workerId: opened.worker_id }
  }),
]
