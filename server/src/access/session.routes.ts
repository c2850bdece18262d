import { checkSession, signOut } from '@limber/contract/access/session.ts'
import { MINUTE, shift } from '#platform/clock.ts'
import { isSteppedUp } from '#platform/pipeline.ts'
import { serve } from '#platform/routes.ts'
import { endSession } from './session.queries.ts'

export const sessionRoutes = [
  serve(checkSession, ({ worker, now, services }) => ({
    worker: { permissions: [...worker.permissions], name: worker.name, email: worker.email, role: worker.role },
    workerId: worker.workerId,
    steppedUpUntil:
      worker.steppedUpAt && isSteppedUp(worker, now) ? shift(worker.steppedUpAt, 10 * MINUTE).toISOString() : null,
    isSample: services.config.isSample,
  })),
  serve(signOut, async ({ worker, db, now, audit, live, reply }) => {
    await endSession(db, worker.sessionId, 'signed out', now)
    audit({ action: 'signed_out', subject: 'session', subjectId: worker.sessionId })
    live('session', { workerId: worker.workerId })
    reply.clearCookie('sid')
    reply.clearCookie('csrf')
    reply.header('clear-site-data', '"cache", "storage"')
    return { success: true as const }
  }),
]
