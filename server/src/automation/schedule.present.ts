import type { Schedule, ScheduleDetail, ScheduleRun } from '@limber/contract/automation/schedule.ts'
import { describeCron } from './cron.rules.ts'
import type { RunRow, ScheduleRow } from './schedule.queries.ts'

const iso = (at: Date | null) => at?.toISOString() ?? null

const presentRun = (row: RunRow): ScheduleRun => ({
  id: row.id,
  dueAt: row.due_at.toISOString(),
  trigger: row.trigger,
  by: row.worker_name,
  startedAt: iso(row.started_at),
  endedAt: iso(row.ended_at),
  state: row.state,
  duration: row.started_at && row.ended_at && row.ended_at.getTime() - row.started_at.getTime(),
  tries: row.tries,
  error: row.error,
  // A jsonb column always contains JSON.
  result: row.result as ScheduleRun['result'],
})

export const presentSchedule = (row: ScheduleRow, lastRun: RunRow | undefined): Schedule => ({
  name: row.name,
  enabled: row.is_enabled,
  nextRun: row.is_enabled ? row.next_run_at.toISOString() : null,
  title: row.title,
  cron: row.cron,
  words: describeCron(row.cron),
  zone: row.zone,
  lastRun: lastRun ? presentRun(lastRun) : null,
  lastError: row.error !== null && row.error_at ? { at: row.error_at.toISOString(), text: row.error } : null,
  isUnderWay: row.is_under_way,
  pausedBy: row.paused_by,
  pausedAt: iso(row.paused_at),
  pausedReason: row.paused_reason,
  version: row.version,
})

export const presentDetail = (row: ScheduleRow, runs: readonly RunRow[], next: readonly Date[]): ScheduleDetail => ({
  ...presentSchedule(row, runs[0]),
  runs: runs.map(presentRun),
  nextRuns: row.is_enabled ? next.map((at) => at.toISOString()) : [],
})
