import type { CityTask } from '@limber/contract/growth/tasks/task.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { now } from '#platform/clock.ts'
import { StatusDot } from '#ui/feedback/status.tsx'
import { dayText } from '#ui/format/day-text.ts'

/** Is it still open after its due day has passed for the company? */
export const isOverdue = ({ status, due }: Pick<CityTask, 'status' | 'due'>) =>
  status === 'open' && due !== null && due < companyDay(now())

/** When an open task is due; one that is late says so in words and in red. */
export function TaskDue({ task }: { task: CityTask }) {
  if (task.status !== 'open' || task.due === null) return null
  if (!isOverdue(task)) return <span>Due {dayText(task.due)}</span>
  return <StatusDot meaning="red">Overdue, was due {dayText(task.due)}</StatusDot>
}
