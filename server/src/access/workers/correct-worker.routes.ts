import { correctProfile } from '@limber/contract/access/profile/profile.ts'
import { correctWorker } from '@limber/contract/access/workers/worker.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { sendLink } from '../onboarding/onboarding-link.ts'
import { correctPerson } from './correct-person.ts'
import { presentWorkerById } from './worker.present.ts'
import { findWorker } from './worker.queries.ts'

export const correctWorkerRoutes = [
  serve(correctWorker, async (context) => {
    const { worker, params, body, db, now, services } = context
    if (params.id === worker.workerId) throw refuse(correctWorker, 'own_account')
    const before = await findWorker(db, params.id, now)
    if (!before) throw refuse(correctWorker, 'not_found')
    const outcome = await correctPerson(context, before, body)
    if (outcome === 'stale')
      throw refuse(correctWorker, 'stale', { current: await presentWorkerById(db, params.id, now) })
    if (before.status === 'invited' && before.email !== body.email)
      await sendLink(context, { id: params.id, name: body.name, email: body.email }, 'invite', services.config)
    const current = await presentWorkerById(db, params.id, now)
    if (!current) throw refuse(correctWorker, 'not_found')
    return { worker: current }
  }).expecting({ workers_email_key: 'taken' }),

  serve(correctProfile, async (context) => {
    const { worker, body, db, now } = context
    if (worker.role !== 'Owner') throw refuse(correctProfile, 'not_owner')
    const before = await findWorker(db, worker.workerId, now)
    const outcome = before ? await correctPerson(context, before, body) : 'stale'
    if (outcome !== 'saved')
      throw refuse(correctProfile, outcome, { current: await presentWorkerById(db, worker.workerId, now) })
    return { success: true as const }
  }).expecting({ workers_email_key: 'taken' }),
]
