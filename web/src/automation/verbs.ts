import { listSchedules, runSchedule, type Schedule } from '@limber/contract/automation/schedule.ts'
import { IconClockCog, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { PaletteItem } from '#platform/routing/sections.ts'
import type { Verb } from '#platform/routing/verbs.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'

const common = { permission: 'automation.manage', screen: '/worker/tech/automation' } as const

/** The schedules that match the text and a state, each with what is done to it. */
const onSchedule =
  (isOne: (schedule: Schedule) => boolean, runOf: (schedule: Schedule) => PaletteItem['run']) =>
  async (text: string, signal: AbortSignal): Promise<PaletteItem[]> => {
    const words = text.toLowerCase().split(/\s+/)
    return (await send(listSchedules, {}, { signal }))
      .filter((schedule) => isOne(schedule) && words.every((word) => schedule.title.toLowerCase().includes(word)))
      .slice(0, 8)
      .map((schedule) => ({
        id: `schedule-${schedule.name}`,
        title: schedule.title,
        detail: schedule.name,
        icon: IconClockCog,
        run: runOf(schedule),
      }))
  }

export async function runNow({ name, title }: Pick<Schedule, 'name' | 'title'>): Promise<void> {
  const body = 'It runs once. Its times do not change.'
  if (!(await confirm({ title: `Run “${title}” now?`, body, action: 'Run now' }))) return
  try {
    await send(runSchedule, { params: { name }, body: {} })
    toast(`“${title}” is running.`)
  } catch (error) {
    toastFailure(`Couldn't run “${title}”`, error)
  }
}

/** Pausing and resuming need a reason, which the screen of the schedule asks for. */
const toSchedule =
  ({ name }: Schedule): PaletteItem['run'] =>
  (go) =>
    go(hrefTo('/worker/tech/automation', { schedule: name }))

export const automationVerbs: readonly Verb[] = [
  {
    ...common,
    id: 'schedule-run',
    title: 'Run schedule…',
    icon: IconPlayerPlay,
    calls: ['POST /api/maintenance/schedules/:name/run'],
    options: onSchedule(
      () => true,
      (schedule) => () => void runNow(schedule),
    ),
  },
  {
    ...common,
    id: 'schedule-pause',
    title: 'Pause schedule…',
    icon: IconPlayerPause,
    calls: ['POST /api/maintenance/schedules/:name/pause'],
    options: onSchedule(({ enabled }) => enabled, toSchedule),
  },
  {
    ...common,
    id: 'schedule-resume',
    title: 'Resume schedule…',
    icon: IconPlayerPlay,
    calls: ['POST /api/maintenance/schedules/:name/resume'],
    options: onSchedule(({ enabled }) => !enabled, toSchedule),
  },
]
