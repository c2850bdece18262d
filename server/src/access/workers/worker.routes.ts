import {
  changePermissions,
  disableWorker,
  enableWorker,
  endWorkerSessions,
  inviteWorker,
  listWorkers,
  readWorker,
  resendLink,
  revokeLink,
  showLink,
} from '@limber/contract/access/workers/worker.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import type { Work } from '#platform/db/work.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { revokeLinks } from '../onboarding/onboarding.queries.ts'
import { makeLink, sendLink } from '../onboarding/onboarding-link.ts'
import { endSessions } from '../sessions/session.queries.ts'
import { presentWorker, presentWorkerById, presentWorkerDetail } from './worker.present.ts'
import { countWorkers, findWorker, listWorkerRecords, type WorkerRecord } from './worker.queries.ts'
import { codesOfRole, isIncompleteOwner } from './worker.rules.ts'
import {
  disableAccount,
  enableAccount,
  insertWorker,
  lockOwners,
  lockWorker,
  updatePermissions,
} from './worker-change.queries.ts'

const rights = ({ role, permissions }: Pick<WorkerRecord, 'role' | 'permissions'>) => ({ role, permissions })

async function readDetail({ db, now }: Pick<Work, 'db' | 'now'>, id: number) {
  const worker = await presentWorkerById(db, id, now)
  if (!worker) throw refuse(readWorker, 'not_found')
  return { worker }
}

async function requireWorker({ db, now }: Pick<Work, 'db' | 'now'>, id: number): Promise<WorkerRecord> {
  const found = await findWorker(db, id, now)
  if (!found) throw refuse(readWorker, 'not_found')
  return found
}

/** Updates the worker's own browsers and everyone who views the list. */
function publishChange({ publish }: Pick<Work, 'publish'>, workerId: number) {
  publish('session', { workerId })
  publish('access', { about: workerId })
}

export const workerRoutes = [
  serve(listWorkers, async ({ query, db, now }) => {
    const filter = { search: query.search || undefined, status: query.status, role: query.role }
    const rows = await listWorkerRecords(db, filter, query.limit, (query.page - 1) * query.limit, now)
    const total = await countWorkers(db, filter)
    return { workers: rows.map(presentWorker), pagination: paginate(query.page, query.limit, total) }
  }),

  serve(readWorker, (context) => readDetail(context, context.params.id)),

  serve(inviteWorker, async (context) => {
    const { body, db, now, audit, publish, services } = context
    const permissions = body.permissions ?? codesOfRole(body.role)
    if (isIncompleteOwner(body.role, permissions)) throw refuse(inviteWorker, 'owner_holds_all')
    const person = await insertWorker(db, { ...body, permissions }, now)
    if (!person) throw refuse(inviteWorker, 'taken')
    await sendLink(context, person, 'invite', services.config)
    const after = { email: body.email, name: body.name, role: body.role, permissions }
    audit({ action: 'worker_invited', subject: 'worker', subjectId: person.id, after })
    publish('access', { about: person.id })
    return readDetail(context, person.id)
  }),

  serve(resendLink, async (context) => {
    const { params, audit, publish, services } = context
    const found = await requireWorker(context, params.id)
    if (found.status !== 'invited') throw refuse(resendLink, 'not_invited')
    await sendLink(context, found, 'invite', services.config)
    audit({ action: 'link_sent_again', subject: 'worker', subjectId: params.id })
    publish('access', { about: params.id })
    return readDetail(context, params.id)
  }),

  serve(
    showLink,
    async (context) => {
      const { params, audit, publish, services } = context
      if (services.company.current().mail !== undefined) throw refuse(showLink, 'has_mail_server')
      const found = await requireWorker(context, params.id)
      if (found.status !== 'invited') throw refuse(showLink, 'not_invited')
      const { link } = await makeLink(context, found.id, 'invite', services.config)
      audit({ action: 'link_shown', subject: 'worker', subjectId: params.id })
      publish('access', { about: params.id })
      return { link }
    },
    { isSecret: true },
  ),

  serve(revokeLink, async (context) => {
    const { params, db, now, audit, publish } = context
    await requireWorker(context, params.id)
    if ((await revokeLinks(db, params.id, now)) === 0) throw refuse(revokeLink, 'no_link')
    audit({ action: 'link_revoked', subject: 'worker', subjectId: params.id })
    publish('access', { about: params.id })
    return readDetail(context, params.id)
  }),

  serve(changePermissions, async (context) => {
    const { worker, params, body, db, now, audit } = context
    if (params.id === worker.workerId) throw refuse(changePermissions, 'own_account')
    // Serialize permission changes, so that removed permissions are computed from the latest state.
    await lockOwners(db)
    const find = lockWorker(db, params.id, now)
    const show = (row: WorkerRecord) => presentWorkerDetail(db, row, now)
    const before = await loadForUpdate(changePermissions, find, body.version, show)
    if (isIncompleteOwner(body.role, body.permissions)) throw refuse(changePermissions, 'owner_holds_all')
    if (!(await updatePermissions(db, params.id, body))) throw refuse(changePermissions, 'last_owner')
    const hasLostPermission = before.permissions.some((code) => !body.permissions.includes(code))
    const ended = hasLostPermission ? await endSessions(db, params.id, 'permissions removed', now) : 0
    const after = { role: body.role, permissions: body.permissions, ...(ended > 0 && { ended }) }
    audit({ action: 'permissions_changed', subject: 'worker', subjectId: params.id, before: rights(before), after })
    publishChange(context, params.id)
    return readDetail(context, params.id)
  }),

  serve(disableWorker, async (context) => {
    const { worker, params, body, db, now, audit } = context
    if (params.id === worker.workerId) throw refuse(disableWorker, 'own_account')
    const { status } = await requireWorker(context, params.id)
    if (!(await disableAccount(db, params.id, now))) throw refuse(disableWorker, 'last_owner')
    audit({
      action: 'worker_disabled',
      subject: 'worker',
      subjectId: params.id,
      before: { status },
      after: { status: 'disabled' },
      ...(body.reason && { reason: body.reason }),
    })
    publishChange(context, params.id)
    return readDetail(context, params.id)
  }),

  serve(enableWorker, async (context) => {
    const { worker, params, db, audit } = context
    if (params.id === worker.workerId) throw refuse(enableWorker, 'own_account')
    await requireWorker(context, params.id)
    if (await enableAccount(db, params.id)) audit({ action: 'worker_enabled', subject: 'worker', subjectId: params.id })
    publishChange(context, params.id)
    return readDetail(context, params.id)
  }),

  serve(endWorkerSessions, async (context) => {
    const { params, db, now, audit } = context
    await requireWorker(context, params.id)
    const ended = await endSessions(db, params.id, 'ended by a colleague', now)
    audit({ action: 'sessions_ended', subject: 'worker', subjectId: params.id, after: { ended } })
    publishChange(context, params.id)
    return readDetail(context, params.id)
  }),
]
