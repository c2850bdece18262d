import type { RunState, Schedule, ScheduleRun } from '@limber/contract/automation/schedule.ts'
import type { Meaning } from '#ui/status.tsx'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** What the documents call a schedule that runs by the clock, and one that is paused. */
export const activeWord = ({ enabled }: Pick<Schedule, 'enabled'>) => (enabled ? 'Active' : 'Inactive')

export const stateMeaning: Record<RunState, Meaning> = {
  waiting: 'plain',
  running: 'blue',
  done: 'plain',
  failed: 'red',
  refused: 'amber',
}

/** How long a run took: `42 ms`, `1.3 s`, `2 min 5 s`, `1 h 3 min`. */
export function durationText(ms: number | null): string {
  if (ms === null) return '--'
  if (ms < SECOND) return `${ms} ms`
  if (ms < MINUTE) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ${Math.floor((ms % MINUTE) / SECOND)} s`
  return `${Math.floor(ms / HOUR)} h ${Math.floor((ms % HOUR) / MINUTE)} min`
}

/** What a run said at its end: its error, or the figures it kept. */
export function outcomeText({ error, result }: Pick<ScheduleRun, 'error' | 'result'>): string {
  if (error) return error
  if (result === null || typeof result !== 'object' || Array.isArray(result)) return ''
  return Object.entries(result)
    .filter(([, value]) => value !== null && typeof value !== 'object')
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
}

/** Who began a run. */
export const beganBy = ({ trigger, by }: Pick<ScheduleRun, 'trigger' | 'by'>) =>
  trigger === 'schedule' ? 'Schedule' : (by ?? 'A worker')
