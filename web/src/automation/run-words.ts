import type { RunState, Schedule, ScheduleRun } from '@limber/contract/automation/schedule.ts'
import type { Meaning } from '#ui/feedback/status.tsx'

/** What the documents call a schedule that runs by the clock, and one that is paused. */
export const activeWord = ({ enabled }: Pick<Schedule, 'enabled'>) => (enabled ? 'Active' : 'Inactive')

export const stateMeaning: Record<RunState, Meaning> = {
  waiting: 'plain',
  running: 'blue',
  done: 'plain',
  failed: 'red',
  refused: 'amber',
}

export const stateLabels: Record<RunState, string> = {
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  refused: 'Skipped',
}

/** `droppedDays` is dropped days. */
const inWords = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** What a run said at its end: its error, or the figures it kept. */
export function outcomeText({ error, result }: Pick<ScheduleRun, 'error' | 'result'>): string {
  if (error) return error
  if (result === null || typeof result !== 'object' || Array.isArray(result)) return ''
  return Object.entries(result)
    .filter(([, value]) => value !== null && typeof value !== 'object')
    .map(([name, value]) => (name === 'skipped' ? String(value) : `${inWords(name)} ${value}`))
    .join(', ')
}

/** Who began a run. */
export const beganBy = ({ trigger, by }: Pick<ScheduleRun, 'trigger' | 'by'>) =>
  trigger === 'schedule' ? 'Schedule' : (by ?? 'A worker')
