import { changeTask, createTask } from '@limber/contract/growth/tasks/task.ts'
import { CHANGED, numericId, type RecordHistory, workerNames } from '#platform/audit/history.ts'
import { removeNewTask } from './task.queries.ts'

/** What the call names the fields of the audit log. */
const sent: Readonly<Record<string, string>> = { due_on: 'dueDate', assignee_id: 'assignedTo' }

export const taskHistory: RecordHistory = {
  subject: 'city_task',
  async read(db, id) {
    const task = await db
      .selectFrom('city_tasks')
      .select(['title', 'description', 'due_on', 'priority', 'assignee_id', 'done_at', 'version'])
      .where('id', '=', numericId(id))
      .executeTakeFirst()
    return task && { name: task.title, values: { ...task, done_at: task.done_at?.toISOString() ?? null } }
  },
  fields: [
    { name: 'title', label: 'Title' },
    { name: 'description', label: 'Details' },
    { name: 'due_on', label: 'Due', kind: 'day' },
    { name: 'priority', label: 'Priority', choiceLabels: { low: 'Low', medium: 'Medium', high: 'High' } },
    { name: 'assignee_id', label: 'Assigned to', names: workerNames },
    { name: 'done_at', label: 'Done', kind: 'moment' },
  ],
  actions: {
    city_task_created: 'added this task',
    city_task_changed: CHANGED,
    city_task_removed: 'undid adding this task',
  },
  restores: [
    {
      ...{ call: changeTask, fields: ['title', 'description', 'due_on', 'priority', 'assignee_id'] },
      input: (id, values) => ({
        params: { id },
        body: Object.fromEntries(Object.entries(values).map(([name, value]) => [sent[name] ?? name, value])),
      }),
    },
    {
      ...{ call: changeTask, fields: ['done_at'] },
      input: (id, { done_at }) => ({ params: { id }, body: { status: done_at === null ? 'open' : 'done' } }),
    },
  ],
  opposites: {
    city_task_created: {
      call: createTask,
      async takeBack({ db, audit, publish }, id, { after }) {
        if (!(await removeNewTask(db, id))) return false
        audit({ action: 'city_task_removed', subject: 'city_task', subjectId: id, before: after })
        publish('growth', { task: id })
        return true
      },
      fits: ({ version }) => version === 1,
      effect: 'The task is deleted.',
    },
  },
}
