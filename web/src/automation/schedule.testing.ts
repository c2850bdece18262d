import type { ScheduleDetail, ScheduleRun } from '@limber/contract/automation/schedule.ts'

export const makeRun = (more: Partial<ScheduleRun> = {}): ScheduleRun => ({
  id: 41,
  dueAt: '2026-11-14T14:00:00.000Z',
  trigger: 'schedule',
  by: null,
  startedAt: '2026-11-14T14:00:01.000Z',
  endedAt: '2026-11-14T14:00:02.300Z',
  state: 'done',
  duration: 1_300,
  tries: 1,
  error: null,
  result: { paid: 3 },
  ...more,
})

export const makeSchedule = (more: Partial<ScheduleDetail> = {}): ScheduleDetail => {
  const runs = more.runs ?? [makeRun()]
  return {
    name: 'payroll-pay-day',
    enabled: true,
    nextRun: '2026-11-15T14:00:00.000Z',
    title: 'Run payroll',
    cron: '0 6 * * *',
    words: 'Every day at 6:00 AM',
    zone: 'America/Los_Angeles',
    lastRun: runs[0] ?? null,
    lastError: null,
    isUnderWay: false,
    pausedBy: null,
    pausedAt: null,
    pausedReason: null,
    version: 1,
    nextRuns: ['2026-11-15T14:00:00.000Z', '2026-11-16T14:00:00.000Z', '2026-11-17T14:00:00.000Z'],
    ...more,
    runs,
  }
}

export const makePaused = (more: Partial<ScheduleDetail> = {}): ScheduleDetail =>
  makeSchedule({
    enabled: false,
    nextRun: null,
    nextRuns: [],
    pausedBy: 'Robin Vale',
    pausedAt: '2026-11-14T15:00:00.000Z',
    pausedReason: 'The bank is closed',
    version: 2,
    ...more,
  })
