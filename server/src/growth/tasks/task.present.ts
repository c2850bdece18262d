import type { CityTask, TaskFigures } from '@limber/contract/growth/tasks/task.ts'
import { readDollars, writeDollars } from '@limber/contract/kit/dollars.ts'
import type { TaskRecord } from './task.queries.ts'

/** The difference between two sets of figures. */
const changeFrom = (before: TaskFigures, after: TaskFigures): TaskFigures => ({
  users: after.users - before.users,
  activeUsers: after.activeUsers - before.activeUsers,
  sessions: after.sessions - before.sessions,
  revenue: writeDollars(readDollars(after.revenue) - readDollars(before.revenue)),
})

export function presentTask(row: TaskRecord): CityTask {
  const { figures } = row
  return {
    id: row.id,
    title: row.title,
    details: row.description,
    due: row.due_on,
    priority: row.priority,
    type: 'growth',
    status: row.done_at ? 'done' : 'open',
    cityName: row.city_name,
    assignedTo: row.assignee,
    assigneeId: row.assignee_id,
    createdBy: row.author,
    createdAt: row.created_at.toISOString(),
    doneAt: row.done_at?.toISOString() ?? null,
    figures,
    marks: figures
      ? row.marks.map((mark) => ({ afterDays: mark.after_days, change: changeFrom(figures, mark.figures) }))
      : [],
    version: row.version,
  }
}
