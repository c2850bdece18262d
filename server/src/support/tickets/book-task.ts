import { MAX_OPEN_TASKS } from '@limber/contract/support/tickets/ticket-task.ts'
import type { Work } from '#platform/db/work.ts'
import type { Caller } from '#platform/http/routes.ts'
import { closeFulfilled, countOpenTasks, insertTask, type TaskDraft } from './ticket-task.queries.ts'

type TaskWork = Pick<Work, 'db' | 'now' | 'audit' | 'publish'> & { worker: Caller }

/** Books a task; returns its id, or nothing when the worker has too many open ones. */
export async function bookTask({ db, now, worker, audit, publish }: TaskWork, draft: TaskDraft) {
  await closeFulfilled(db, draft.workerId, now)
  if ((await countOpenTasks(db, draft.workerId)) >= MAX_OPEN_TASKS) return undefined
  const id = await insertTask(db, draft, worker.workerId, now)
  const { ticketId, workerId, kind, dueOn } = draft
  audit({
    action: 'ticket_task_booked',
    subject: 'ticket',
    subjectId: ticketId,
    after: { task: id, kind, worker: workerId, dueOn },
  })
  publish('tickets', { ticket: ticketId })
  return id
}
