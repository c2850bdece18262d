import { codeOf } from '@limber/contract/access/permissions.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import {
  createAbsence,
  endAbsence,
  MAX_ABSENCES_SHOWN,
  readAssignment,
  saveRoundRobin,
  setTakesNew,
  setTakesOnReply,
} from '@limber/contract/support/assignment/assignment.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type Caller, serve } from '#platform/http/routes.ts'
import { HANDLE_PERMISSION } from '../tickets/change-tickets.ts'
import { findTicketWorker } from '../tickets/ticket-change.queries.ts'
import { deleteAbsence, findAbsence, findAbsences, insertAbsence, lockAbsence, setPaused } from './absence.queries.ts'
import { presentAbsence, presentDeskWorker, presentRoundRobin } from './assignment.present.ts'
import { findTakesOnReply, saveTakesOnReply } from './assignment-setting.ts'
import {
  countTicketWorkers,
  findDeskWorkers,
  findRoundRobin,
  findRoundRobins,
  findShared,
  lockRoundRobins,
  saveRoundRobinRow,
} from './round-robin.queries.ts'
import { showsFree } from './round-robin.rules.ts'

const mayManage = ({ permissions }: Caller) => permissions.has(codeOf('notifications.send'))
const about = { subject: 'assignment' } as const

export const assignmentRoutes = [
  serve(readAssignment, async ({ db, now, worker }) => {
    const today = companyDay(now)
    const workers = (await findDeskWorkers(db, HANDLE_PERMISSION, { now, today })).map(presentDeskWorker)
    return {
      takesOnReply: await findTakesOnReply(db),
      takesNew: workers.find(({ id }) => id === worker.workerId)?.takesNew ?? true,
      roundRobins: (await findRoundRobins(db)).map(presentRoundRobin),
      workers,
      absences: (await findAbsences(db, today, MAX_ABSENCES_SHOWN)).map(presentAbsence),
    }
  }),

  serve(setTakesOnReply, async ({ body, db, now, audit, publish }) => {
    const before = { takesOnReply: await findTakesOnReply(db) }
    await saveTakesOnReply(db, body.takesOnReply, now)
    audit({ action: 'assignment_changed', ...about, before, after: body })
    publish('assignment')
    return body
  }),

  serve(saveRoundRobin, async ({ body, db, now, audit, publish }) => {
    const { version, ...draft } = body
    await lockRoundRobins(db, [draft.view])
    if (draft.view !== null) {
      const view = await findShared(db, draft.view)
      if (!view) throw refuse(saveRoundRobin, 'no_view')
      if (!showsFree(view)) throw refuse(saveRoundRobin, 'own_view')
    }
    const before = presentRoundRobin(
      await loadForUpdate(saveRoundRobin, findRoundRobin(db, draft.view), version, presentRoundRobin),
    )
    const members = [...new Set(draft.members)]
    if (draft.isOn && members.length === 0) throw refuse(saveRoundRobin, 'nobody')
    if ((await countTicketWorkers(db, members, HANDLE_PERMISSION)) < members.length)
      throw refuse(saveRoundRobin, 'no_assignee')
    await saveRoundRobinRow(db, { ...draft, members }, now)
    audit({
      action: 'round_robin_changed',
      ...about,
      ...(draft.view !== null && { subjectId: draft.view }),
      before: { isOn: before.isOn, maxOpen: before.maxOpen, members: before.members.map(({ id }) => id) },
      after: { isOn: draft.isOn, maxOpen: draft.maxOpen, members },
    })
    publish('assignment')
    return presentRoundRobin(await findRoundRobin(db, draft.view))
  }),

  serve(setTakesNew, async ({ body: { takesNew }, db, now, worker, audit, publish }) => {
    if (await setPaused(db, worker.workerId, !takesNew, now)) {
      audit({ action: takesNew ? 'taking_resumed' : 'taking_paused', ...about })
      publish('assignment')
    }
    return { takesNew }
  }),

  serve(createAbsence, async ({ body, db, now, worker, audit, publish }) => {
    const { workerId, substituteId, startsOn, endsOn, handsOver } = body
    if (workerId !== worker.workerId && !mayManage(worker)) throw refuse(createAbsence, 'not_yours')
    if (endsOn < startsOn) throw refuse(createAbsence, 'order')
    if (endsOn < companyDay(now)) throw refuse(createAbsence, 'past')
    if (!(await findTicketWorker(db, workerId, HANDLE_PERMISSION))) throw refuse(createAbsence, 'no_assignee')
    if (
      substituteId !== null &&
      (substituteId === workerId || !(await findTicketWorker(db, substituteId, HANDLE_PERMISSION)))
    )
      throw refuse(createAbsence, 'no_substitute')
    const id = await insertAbsence(db, body, worker.workerId, now)
    audit({
      action: 'absence_planned',
      ...about,
      subjectId: id,
      after: { worker: workerId, startsOn, endsOn, substitute: substituteId, handsOver },
    })
    publish('assignment')
    const row = await findAbsence(db, id)
    if (!row) throw new Error('An absence was not stored.')
    return presentAbsence(row)
  }).expecting({ absences_do_not_overlap: 'overlaps' }),

  serve(endAbsence, async ({ params: { id }, db, worker, audit, publish }) => {
    const absence = await lockAbsence(db, id)
    if (!absence) throw refuse(endAbsence, 'not_found')
    if (absence.worker_id !== worker.workerId && !mayManage(worker)) throw refuse(endAbsence, 'not_yours')
    await deleteAbsence(db, id)
    const { worker_id, starts_on, ends_on, substitute_id } = absence
    const before = { worker: worker_id, startsOn: starts_on, endsOn: ends_on, substitute: substitute_id }
    audit({ action: 'absence_canceled', ...about, subjectId: id, before })
    publish('assignment')
    return { id }
  }),
]
