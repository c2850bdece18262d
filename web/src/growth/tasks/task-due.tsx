import type { CityTask } from '@limber/contract/growth/tasks/task.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { now } from '#platform/clock.ts'
import { StatusDot } from '#ui/feedback/status.tsx'
import { dayText } from '#ui/format/day-text.ts'

/** Whether an open task is past its due date in the company's time zone. */
export const isOverdue = ({ status, due }: Pick<CityTask, 'status' | 'due'>) =>
  status === 'open' && due !== null && due < companyDay(now())

/** The due date of an open task. An overdue one says so in text and in red. */
export function TaskDue({ task }: { task: CityTask }) {
  if (task.status !== 'open' || task.due === null) return null
  if (!isOverdue(task)) return <span>Due {dayText(task.due)}</span>
  return <StatusDot meaning="red">Overdue, was due {dayText(task.due)}</StatusDot>
}
