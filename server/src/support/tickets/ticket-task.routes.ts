import { companyDay } from '@limber/contract/kit/company.ts'
import { createTask, listMyTasks, MAX_OPEN_TASKS, setTaskDone } from '@limber/contract/support/tickets/ticket-task.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { bookTask } from './book-task.ts'
import { HANDLE_PERMISSION } from './change-tickets.ts'
import { lockTicket } from './ticket.queries.ts'
import { findTicketWorker } from './ticket-change.queries.ts'
import { presentTask } from './ticket-task.present.ts'
import { findOpenTasks, findTask, saveTaskDone } from './ticket-task.queries.ts'

async function show(db: Db, id: number) {
  const row = await findTask(db, id)
  if (!row) throw refuse(setTaskDone, 'not_found')
  return presentTask(row)
}

export const ticketTaskRoutes = [
  serve(listMyTasks, async ({ db, worker }) =>
    (await findOpenTasks(db, worker.workerId, MAX_OPEN_TASKS)).map(presentTask),
  ),

  serve(createTask, async (context) => {
    const { params, body, db, now } = context
    const ticket = await lockTicket(db, params.id)
    if (!ticket) throw refuse(createTask, 'not_found')
    if (ticket.merged_into_id) throw refuse(createTask, 'merged', { values: { into: ticket.merged_into_id } })
    if (body.dueOn < companyDay(now)) throw refuse(createTask, 'past')
    if (!(await findTicketWorker(db, body.workerId, HANDLE_PERMISSION))) throw refuse(createTask, 'no_assignee')
    const { workerId, dueOn } = body
    const id = await bookTask(context, { ticketId: ticket.id, workerId, kind: 'callback', dueOn })
    if (id === undefined) throw refuse(createTask, 'too_many')
    return show(db, id)
  }),

  serve(setTaskDone, async ({ params: { id }, body: { isDone }, db, now, worker, audit, publish }) => {
    const task = await saveTaskDone(db, id, isDone ? worker.workerId : null, now)
    if (!task) throw refuse(setTaskDone, 'not_found')
    const action = isDone ? 'ticket_task_done' : 'ticket_task_reopened'
    audit({ action, subject: 'ticket', subjectId: task.ticket_id, after: { task: id } })
    publish('tickets', { ticket: task.ticket_id })
    return show(db, id)
  }),
]
