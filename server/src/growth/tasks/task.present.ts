import { changeFrom } from '@limber/contract/growth/campaigns/result.ts'
import type { CityTask } from '@limber/contract/growth/tasks/task.ts'
import type { TaskRecord } from './task.queries.ts'

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
