import { readHealthOverview } from '@limber/contract/growth/overview/health.ts'
import { type CityTask, changeTask, listTasks } from '@limber/contract/growth/tasks/task.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { IconCalendarDue, IconMapPin } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { TodayItem } from '#platform/routing/sections.ts'
import { act } from '#ui/feedback/act.ts'
import { dayText } from '#ui/format/day-text.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { dueText } from './labels.ts'
import { isOverdue } from './tasks/task-due.tsx'

const SHOWN = 5

const finish = ({ id, version, title }: CityTask) =>
  act(() => send(changeTask, { params: { id: String(id) }, body: { status: 'done', version } }), {
    done: (saved) => toastUndo(`${title} done.`, saved),
    failed: "Couldn't change the task",
  })

/** My city tasks, most urgent first. */
export async function findMyTasks(signal: AbortSignal): Promise<TodayItem[]> {
  const query = { assignee: 'me', status: 'open', limit: String(SHOWN) } as const
  const { tasks } = await send(listTasks, { query }, { signal })
  return tasks.map((task) => ({
    id: `city-task-${task.id}`,
    need: task.due ? 'due' : 'tidy',
    title: task.title,
    detail: task.cityName ? `City task, ${task.cityName}` : 'Task',
    ...(task.due && { due: task.due, when: `${isOverdue(task) ? 'Overdue, was due' : 'Due'} ${dayText(task.due)}` }),
    isUrgent: isOverdue(task),
    path: task.cityName ? hrefTo('/growth/heatmap', { place: task.cityName }) : hrefTo('/growth/team'),
    icon: IconMapPin,
    action: { label: 'Done', run: () => finish(task) },
  }))
}

/** Partnerships that need a decision: ended pilots, then renewals, most overdue first, up to 30 days from now. */
export async function findRenewals(signal: AbortSignal): Promise<TodayItem[]> {
  const { warnings, businesses } = await send(readHealthOverview, { query: {} }, { signal })
  const due = warnings.flatMap(({ kind, ...one }) => (kind === 'no_contact' ? [] : [{ kind, ...one }])).slice(0, SHOWN)
  const items: TodayItem[] = due.map(({ businessId, name, ...one }) => ({
    id: `${one.kind}-${businessId}`,
    need: 'due',
    title: `${name} ${dueText(one)}`,
    due: one.day,
    path: hrefTo('/growth/business', { partner: businessId }),
    icon: IconCalendarDue,
    action: { label: one.kind === 'pilot' ? 'Decide' : 'Renew' },
  }))
  const rest = businesses.upcomingRenewals - due.filter(({ kind }) => kind === 'renewal').length
  if (rest <= 0) return items
  const title = `${pluralize(rest, 'more renewal')} within 30 days`
  const more = { id: 'renewals-more', title, path: hrefTo('/growth/overview'), icon: IconCalendarDue }
  return [...items, { ...more, need: 'tidy', action: { label: 'Open' } }]
}
