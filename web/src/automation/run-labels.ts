import type { RunState, Schedule, ScheduleRun } from '@limber/contract/automation/schedule.ts'
import type { Meaning } from '#ui/feedback/status.tsx'

export const activeLabel = ({ enabled }: Pick<Schedule, 'enabled'>) => (enabled ? 'Active' : 'Inactive')

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

/** Turns `droppedDays` into `dropped days`. */
const splitCamelCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** The error of a run, or the figures of its result. */
export function outcomeText({ error, result }: Pick<ScheduleRun, 'error' | 'result'>): string {
  if (error) return error
  if (result === null || typeof result !== 'object' || Array.isArray(result)) return ''
  return Object.entries(result)
    .filter(([, value]) => value !== null && typeof value !== 'object')
    .map(([name, value]) => (name === 'skipped' ? String(value) : `${splitCamelCase(name)} ${value}`))
    .join(', ')
}

export const startedBy = ({ trigger, by }: Pick<ScheduleRun, 'trigger' | 'by'>) =>
  trigger === 'schedule' ? 'Schedule' : (by ?? 'A worker')
