import {
  listSchedules,
  pauseSchedule,
  resumeSchedule,
  runSchedule,
  type Schedule,
} from '@limber/contract/automation/schedule.ts'
import {
  IconArrowBackUp,
  IconClockCog,
  IconHistory,
  IconListDetails,
  IconPlayerPause,
  IconPlayerPlay,
} from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { PaletteItem } from '#platform/routing/sections.ts'
import type { Sentence, Verb } from '#platform/routing/verbs.ts'
import type { Question } from '#ui/dialog/confirm.ts'
import { act } from '#ui/feedback/act.ts'
import { toast } from '#ui/feedback/toast-store.ts'
import { momentText } from '#ui/format/moment-text.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'

const common = { permission: 'automation.manage', screen: '/worker/tech/automation', of: 'schedule' } as const

/** The schedules that match the text and a state, each with what is done to it. */
const onSchedule =
  (isOne: (schedule: Schedule) => boolean, whatOf: (schedule: Schedule) => Pick<PaletteItem, 'run' | 'sentence'>) =>
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
        ...whatOf(schedule),
      }))
  }

type Named = Pick<Schedule, 'name' | 'title'>

const ONCE = 'It runs once. Its times do not change.'

const start = ({ name, title }: Named, ask?: Question) =>
  act(() => send(runSchedule, { params: { name }, body: {} }), {
    ...(ask && { ask }),
    done: () => toast(`“${title}” is running.`),
    failed: `Couldn't run “${title}”`,
  })

export const runNow = (schedule: Named) =>
  start(schedule, { title: `Run “${schedule.title}” now?`, body: ONCE, action: 'Run now' })

const sentenceOf = async (schedule: Schedule): Promise<Sentence> => {
  const { title, lastRun } = schedule
  return {
    verb: 'Run',
    parts: [{ slot: title }, { word: 'now' }],
    effects: () => [
      { icon: IconClockCog, label: 'Schedule', value: ONCE },
      {
        icon: IconHistory,
        label: 'Last run',
        value: lastRun ? momentText(lastRun.startedAt ?? lastRun.dueAt, 'relative') : 'Never',
      },
      { icon: IconArrowBackUp, label: 'Undo', value: 'What it does is not undone.' },
    ],
    action: 'Run now',
    form: pageOf(schedule),
    run: () => start(schedule),
  }
}

const pageOf = ({ name }: Named) => hrefTo('/worker/tech/automation', { schedule: name })

/** Pauses or resumes a schedule, with the reason as the last part of the sentence. */
function switchSentence(schedule: Schedule): Sentence {
  const { name, title, enabled } = schedule
  const verb = enabled ? 'Pause' : 'Resume'
  const params = { name }
  return {
    verb,
    parts: [{ slot: title }],
    last: { word: 'because', label: 'Reason' },
    effects: (reason) => [
      {
        icon: IconClockCog,
        label: 'Schedule',
        value: enabled
          ? 'It stops running on schedule until someone resumes it. A run in progress finishes first.'
          : 'It runs again at its next scheduled time. Missed runs are skipped.',
      },
      { icon: IconListDetails, label: 'Audit log', value: reason ? `“${reason}”` : 'With your reason' },
      {
        icon: IconArrowBackUp,
        label: 'Undo',
        value: enabled ? 'In the message and the history.' : 'Pause the schedule again.',
      },
    ],
    action: verb,
    form: pageOf(schedule),
    run: (reason) =>
      enabled
        ? act(() => send(pauseSchedule, { params, body: { reason } }), {
            done: (reply) => toastUndo(`“${title}” paused.`, reply),
            failed: `Couldn't pause “${title}”`,
          })
        : act(() => send(resumeSchedule, { params, body: { reason } }), {
            done: () => toast(`“${title}” resumed.`),
            failed: `Couldn't resume “${title}”`,
          }),
  }
}

const toSwitch = (schedule: Schedule): Pick<PaletteItem, 'run' | 'sentence'> => ({
  run: (go) => go(pageOf(schedule)),
  sentence: async () => switchSentence(schedule),
})

export const automationVerbs: readonly Verb[] = [
  {
    ...common,
    id: 'schedule-run',
    title: 'Run schedule…',
    icon: IconPlayerPlay,
    calls: ['POST /api/maintenance/schedules/:name/run'],
    options: onSchedule(
      () => true,
      (schedule) => ({ run: () => void runNow(schedule), sentence: () => sentenceOf(schedule) }),
    ),
  },
  {
    ...common,
    id: 'schedule-pause',
    title: 'Pause schedule…',
    icon: IconPlayerPause,
    calls: ['POST /api/maintenance/schedules/:name/pause'],
    options: onSchedule(({ enabled }) => enabled, toSwitch),
  },
  {
    ...common,
    id: 'schedule-resume',
    title: 'Resume schedule…',
    icon: IconPlayerPlay,
    calls: ['POST /api/maintenance/schedules/:name/resume'],
    options: onSchedule(({ enabled }) => !enabled, toSwitch),
  },
]
