import { approveRecovery, denyRecovery, listRecoveries } from '@limber/contract/access/workers/worker.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import type { Work } from '#platform/db/work.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type Caller, serve } from '#platform/http/routes.ts'
import type { Services } from '#platform/services.ts'
import { accessMails } from '../mails.ts'
import { sendLink } from '../onboarding/onboarding-link.ts'
import { presentRecovery } from '../workers/worker.present.ts'
import { listAccessManagers } from '../workers/worker.queries.ts'
import {
  closeOtherRequests,
  countRecoveryRequests,
  decideRecovery,
  findRecoveryRequest,
  listRecoveryRequests,
} from './recovery.queries.ts'

type Decision = Work & { worker: Caller; params: { id: number }; services: Services }
type DecidingCall = typeof approveRecovery | typeof denyRecovery

/** Decides a request once, never one's own, and notifies everyone involved. */
async function decide(context: Decision, call: DecidingCall, outcome: 'approved' | 'denied') {
  const { db, now, worker, params, audit, enqueue, publish, services } = context
  const request = await findRecoveryRequest(db, params.id)
  if (!request) throw refuse(call, 'not_found')
  if (request.worker_id === worker.workerId) throw refuse(call, 'own_account')
  if (request.status !== 'active') throw refuse(call, 'decided')
  if (!(await decideRecovery(db, params.id, outcome, worker.workerId, now))) throw refuse(call, 'decided')
  const person = { id: request.worker_id, email: request.email, name: request.name }
  if (outcome === 'approved') {
    await closeOtherRequests(db, person.id, worker.workerId, now)
    await sendLink(context, person, 'recovery', services.config)
  }
  const readers = [person, ...(await listAccessManagers(db, person.id))]
  for (const reader of readers) enqueue(accessMails.recoveryDecided(params.id, person, reader, outcome, worker.name))
  audit({ action: `recovery_${outcome}`, subject: 'worker', subjectId: person.id, after: { request: params.id } })
  publish('access', { about: person.id })
  const decided = await findRecoveryRequest(db, params.id)
  return { recovery: presentRecovery(decided ?? request, worker.workerId, now) }
}

export const recoveryRequestRoutes = [
  serve(listRecoveries, async ({ worker, query, db, now }) => {
    const rows = await listRecoveryRequests(db, query.state, query.limit, (query.page - 1) * query.limit, now)
    const total = await countRecoveryRequests(db, query.state, now)
    return {
      recoveries: rows.map((row) => presentRecovery(row, worker.workerId, now)),
      pagination: paginate(query.page, query.limit, total),
    }
  }),
  serve(approveRecovery, (context) => decide(context, approveRecovery, 'approved')),
  serve(denyRecovery, (context) => decide(context, denyRecovery, 'denied')),
]
