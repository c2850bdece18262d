import {
  type ChangeTask,
  changeTask,
  createTask,
  listTaskAssignees,
  listTasks,
} from '@limber/contract/growth/tasks/task.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import type { Db } from '#platform/db/db.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { measureCity } from './measure-city.ts'
import { presentTask } from './task.present.ts'
import {
  canBeAssigned,
  findAssignees,
  findTask,
  findTasks,
  insertTask,
  lockTask,
  saveTask,
  type TaskChange,
} from './task.queries.ts'

async function show(db: Db, id: number) {
  const row = await findTask(db, id)
  if (!row) throw refuse(changeTask, 'not_found')
  return presentTask(row)
}

async function checkAssignee(call: typeof createTask | typeof changeTask, db: Db, id: number | null | undefined) {
  if (id && !(await canBeAssigned(db, id))) throw refuse(call, 'no_assignee')
}

/** The columns to change. Fields that were not sent stay as they are. */
function changeOf(body: ChangeTask, before: { done_at: Date | null }, now: Date): TaskChange {
  const isDone = before.done_at !== null
  return {
    ...(body.title !== undefined && { title: body.title }),
    ...(body.description !== undefined && { description: body.description ?? '' }),
    ...(body.dueDate !== undefined && { due_on: body.dueDate }),
    ...(body.priority !== undefined && { priority: body.priority }),
    ...(body.assignedTo !== undefined && { assignee_id: body.assignedTo }),
    ...(body.status === 'done' && !isDone && { done_at: now }),
    ...(body.status === 'open' && isDone && { done_at: null }),
  }
}

const about = (id: number) => ({ subject: 'city_task' as const, subjectId: id })

export const taskRoutes = [
  serve(listTasks, async ({ query: { page, limit, assignee, ...query }, db, worker }) => {
    const filter = { ...query, assignee: assignee === 'me' ? worker.workerId : assignee }
    const { total, rows } = await findTasks(db, filter, { limit, offset: (page - 1) * limit })
    return { tasks: rows.map(presentTask), pagination: paginate(page, limit, total) }
  }),

  serve(createTask, async ({ body, db, now, worker, audit, publish }) => {
    await checkAssignee(createTask, db, body.assignedTo)
    const city_name = body.cityName === '' ? null : body.cityName
    const { id } = await insertTask(db, {
      title: body.title,
      description: body.description ?? '',
      due_on: body.dueDate,
      priority: body.priority,
      city_name,
      assignee_id: body.assignedTo,
      created_by: worker.workerId,
      created_at: now,
      figures: city_name === null ? null : await measureCity(db, city_name, companyDay(now)),
    })
    audit({ action: 'city_task_created', ...about(id), after: { title: body.title, city: city_name } })
    publish('growth', { task: id })
    return show(db, id)
  }),

  serve(changeTask, async ({ params: { id }, body, db, now, audit, publish }) => {
    const before = await loadForUpdate(changeTask, lockTask(db, id), body.version, () => show(db, id))
    if (body.assignedTo !== before.assignee_id) await checkAssignee(changeTask, db, body.assignedTo)
    const change = changeOf(body, before, now)
    if (Object.keys(change).length > 0) {
      await saveTask(db, id, change)
      const was = Object.fromEntries(Object.keys(change).map((key) => [key, before[key as keyof typeof change]]))
      audit({ action: 'city_task_changed', ...about(id), before: was, after: change })
      publish('growth', { task: id })
    }
    return show(db, id)
  }),

  serve(listTaskAssignees, async ({ db }) => ({ workers: await findAssignees(db) })),
]
