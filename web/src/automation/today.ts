import { listSchedules } from '@limber/contract/automation/schedule.ts'
import { IconClockCog } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { TodayItem } from '#platform/routing/sections.ts'
import { momentText } from '#ui/format/moment-text.ts'
import { runNow } from './verbs.ts'

/** Schedules whose last run failed. */
export async function findFailedSchedules(signal: AbortSignal): Promise<TodayItem[]> {
  const schedules = await send(listSchedules, {}, { signal })
  return schedules
    .filter(({ lastRun }) => lastRun?.state === 'failed')
    .map(({ name, title, lastRun }) => ({
      id: `schedule-${name}`,
      need: 'broken',
      title: `Failed: ${title}`,
      ...(lastRun?.startedAt && { when: momentText(lastRun.startedAt, 'relative') }),
      ...(lastRun?.error && { detail: lastRun.error }),
      path: hrefTo('/worker/tech/automation', { schedule: name }),
      icon: IconClockCog,
      action: { label: 'Run now', run: () => runNow({ name, title }) },
      covers: 'health-schedules',
    }))
}
