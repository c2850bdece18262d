import { correctWorker } from '@limber/contract/access/worker.ts'
import { brokenConstraint } from '#platform/db.ts'
import { refuse } from '#platform/refusal.ts'
import { serve } from '#platform/routes.ts'
import { killAttemptsOf } from './attempt.queries.ts'
import { accessMails } from './mails.ts'
import { revokeLinks } from './onboarding.queries.ts'
import { sendLink } from './onboarding-link.ts'
import { presentWorkerById } from './worker.present.ts'
import { findWorker } from './worker.queries.ts'
import { updatePerson } from './worker-change.queries.ts'

const ADDRESS_TAKEN = 'workers_email_key'

export const correctWorkerRoutes = [
  serve(correctWorker, async (context) => {
    const { worker, params, body, db, now, audit, post, live, services } = context
    if (params.id === worker.workerId) throw refuse(correctWorker, 'own_account')
    const before = await findWorker(db, params.id, now)
    if (!before) throw refuse(correctWorker, 'not_found')
    const isSaved = await updatePerson(db, params.id, body).catch((error: unknown) => {
      if (brokenConstraint(error) === ADDRESS_TAKEN) throw refuse(correctWorker, 'taken')
      throw error
    })
    if (!isSaved) throw refuse(correctWorker, 'stale', { current: await presentWorkerById(db, params.id, now) })
    const person = { id: params.id, name: body.name, email: body.email }
    if (before.email !== body.email) {
      // What was mailed to the old address may be in the wrong hands.
      await killAttemptsOf(db, params.id, 'address_changed')
      await revokeLinks(db, params.id, now)
      post(accessMails.addressLeft(`${params.id}:${before.version}`, before))
      if (before.status === 'invited') await sendLink(context, person, 'invite', services.config)
      else post(accessMails.addressTaken(`${params.id}:${before.version}`, person))
    }
    audit({
      action: 'worker_corrected',
      subject: 'worker',
      subjectId: params.id,
      before: { name: before.name, email: before.email },
      after: { name: body.name, email: body.email },
    })
    live('session', { workerId: params.id })
    live('access', { about: params.id })
    const current = await presentWorkerById(db, params.id, now)
    if (!current) throw refuse(correctWorker, 'not_found')
    return { worker: current }
  }),
]
