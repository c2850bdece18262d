import { listTasks } from '@limber/contract/growth/task.ts'
import { IconMapPin } from '@tabler/icons-react'
import { send } from '#platform/api.ts'
import type { TodayItem } from '#platform/sections.ts'
import { dayText } from '#ui/day-text.ts'

const SHOWN = 5

/** The city tasks that I was given, the most urgent first. */
export async function findMyTasks(signal: AbortSignal): Promise<TodayItem[]> {
  const query = { assignee: 'me', status: 'open', limit: String(SHOWN) } as const
  const { tasks } = await send(listTasks, { query }, { signal })
  return tasks.map(({ id, title, due, cityName }) => ({
    id: `city-task-${id}`,
    title,
    detail: due ? `City task, due ${dayText(due)}` : 'City task',
    path: cityName ? `/growth/heatmap?place=${encodeURIComponent(cityName)}` : '/growth/heatmap',
    icon: IconMapPin,
  }))
}
