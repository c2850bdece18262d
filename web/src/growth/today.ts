import { readHealthOverview } from '@limber/contract/growth/overview/health.ts'
import { type CityTask, listTasks } from '@limber/contract/growth/tasks/task.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { IconCalendarDue, IconMapPin } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { TodayItem } from '#platform/routing/sections.ts'
import { dayText } from '#ui/format/day-text.ts'
import { dueText } from './labels.ts'
import { isOverdue } from './tasks/task-due.tsx'

const SHOWN = 5

const detailOf = (task: Pick<CityTask, 'status' | 'due'>) => {
  if (!task.due) return 'City task'
  return `City task, ${isOverdue(task) ? 'overdue, was due' : 'due'} ${dayText(task.due)}`
}

/** My city tasks, most urgent first. */
export async function findMyTasks(signal: AbortSignal): Promise<TodayItem[]> {
  const query = { assignee: 'me', status: 'open', limit: String(SHOWN) } as const
  const { tasks } = await send(listTasks, { query }, { signal })
  return tasks.map(({ id, title, cityName, ...task }) => ({
    id: `city-task-${id}`,
    title,
    detail: detailOf(task),
    isUrgent: isOverdue(task),
    path: cityName ? hrefTo('/growth/heatmap', { place: cityName }) : hrefTo('/growth/team'),
    icon: IconMapPin,
  }))
}

/** Partnerships that need a decision: ended pilots, then renewals, most overdue first, up to 30 days from now. */
export async function findRenewals(signal: AbortSignal): Promise<TodayItem[]> {
  const { warnings, businesses } = await send(readHealthOverview, { query: {} }, { signal })
  const due = warnings.flatMap(({ kind, ...one }) => (kind === 'no_contact' ? [] : [{ kind, ...one }])).slice(0, SHOWN)
  const items: TodayItem[] = due.map(({ businessId, name, ...one }) => ({
    id: `${one.kind}-${businessId}`,
    title: `${name} ${dueText(one)}`,
    path: hrefTo('/growth/business', { partner: businessId }),
    icon: IconCalendarDue,
  }))
  const rest = businesses.upcomingRenewals - due.filter(({ kind }) => kind === 'renewal').length
  if (rest <= 0) return items
  const title = `${pluralize(rest, 'more renewal')} within 30 days`
  return [...items, { id: 'renewals-more', title, path: hrefTo('/growth/overview'), icon: IconCalendarDue }]
}
