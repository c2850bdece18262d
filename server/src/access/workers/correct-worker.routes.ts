import { correctProfile } from '@limber/contract/access/profile/profile.ts'
import { correctWorker } from '@limber/contract/access/workers/worker.ts'
import { checkVersion, loadForUpdate } from '#platform/http/load-for-update.ts'
import { refusals, refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { sendLink } from '../onboarding/onboarding-link.ts'
import { correctPerson } from './correct-person.ts'
import { presentWorkerById, presentWorkerDetail } from './worker.present.ts'
import { lockWorker } from './worker-change.queries.ts'

export const correctWorkerRoutes = [
  serve(correctWorker, async (context) => {
    const { worker, params, body, db, now, services } = context
    if (params.id === worker.workerId) throw refuse(correctWorker, 'own_account')
    const find = lockWorker(db, params.id, now)
    const before = await loadForUpdate(correctWorker, find, body.version, (row) => presentWorkerDetail(db, row, now))
    await correctPerson(context, before, body)
    if (before.status === 'invited' && before.email !== body.email)
      await sendLink(context, { id: params.id, name: body.name, email: body.email }, 'invite', services.config)
    const current = await presentWorkerById(db, params.id, now)
    if (!current) throw refuse(correctWorker, 'not_found')
    return { worker: current }
  }).expecting({ workers_email_key: 'taken' }),

  serve(correctProfile, async (context) => {
    const { worker, body, db, now } = context
    if (worker.role !== 'Owner') throw refuse(correctProfile, 'not_owner')
    const before = await lockWorker(db, worker.workerId, now)
    if (!before) throw refusals.noSession()
    await checkVersion(correctProfile, before, body.version, (row) => presentWorkerDetail(db, row, now))
    await correctPerson(context, before, body)
    return { success: true as const }
  }).expecting({ workers_email_key: 'taken' }),
]
